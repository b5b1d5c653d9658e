#!/bin/sh
# Holds the functions of the C headers against hpclient.map and against what the built library
# exports; compiles every header alone, as C and as C++.
set -eu
cd "$(dirname "$0")/../Sources/hpclient"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

cat include/hp/*.h | tr '\n' ' ' | grep -o 'HP_API [^;]*' |
  sed 's/__attribute__(([^)]*))//; s/(.*//; s/.*[ *]\(hp_[a-z0-9_]*\)$/\1/' |
  grep '^hp_' | sort > "$work/headers"
sed -n 's/^ *\(hp_[a-z0-9_]*\);$/\1/p' hpclient.map | sort > "$work/map"
diff "$work/headers" "$work/map" || { echo "headers and hpclient.map differ" >&2; bad=1; }

library=${1:-../../.build/hpclient/libhpclient.so}
if [ -e "$library" ]; then
  nm -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
    sort > "$work/library"
  diff "$work/map" "$work/library" || { echo "hpclient.map and $library differ" >&2; bad=1; }
fi

for header in include/hp/*.h; do
  name=hp/$(basename "$header")
  printf '#include "%s"\n#include "%s"\nextern int once;\n' "$name" "$name" > "$work/alone.c"
  cp "$work/alone.c" "$work/alone.cc"
  ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$work/alone.c" || bad=1
  ${CXX:-c++} -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only \
    "$work/alone.cc" || bad=1
done
[ "$bad" = 0 ] && echo "$(wc -l < "$work/headers") functions exported as declared"
exit "$bad"

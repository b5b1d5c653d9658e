#!/bin/sh
# Holds the imports of every source file against the arrows of Docs/architecture.md, and the
# programs that were built against the rule that no Foundation is linked.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh

# Each line: a module, then what it may import. NAME@Folder: only the files of that folder.
arrows='
Coding
Wire          Coding CHPProto@Codec CProtobufC@Codec
TableService  Coding CUnistring Glibc CSQLite@Store CHPSystem@Store CHPSystem@Memory
Nib           CXML2@XML Glibc@Bundle
Scenes        Coding
hpd           Coding Wire TableService Scenes Nib Glibc CHPSystem
hpctl         hpclient CJansson CCSV CUnistring CTerminal Glibc
'

# The same for C: a target, then the headers it may include besides its own.
includes='
CHPSystem  <*>
CTerminal  <*>
CHPProto   <protobuf-c/*>
hpclient   hp/v1/*.pb-c.h <*>
'

faults=$(
  find Sources -name '*.swift' | sort | while read -r file; do
    module=$(printf '%s' "$file" | cut -d/ -f2)
    folder=$(dirname "$file" | cut -d/ -f3)
    allowed=$(printf '%s' "$arrows" | awk -v m="$module" '$1 == m { $1 = ""; print }')
    sed -nE 's/^(@[A-Za-z_]+(\([^)]*\))? +)*((public|package|internal|fileprivate|private) +)?import +((struct|class|enum|func|var|let|protocol|typealias) +)?([A-Za-z_0-9]+).*/\7/p' \
      "$file" | while read -r imported; do
      case " $allowed " in
        *" $imported "* | *" $imported@$folder "*) ;;
        *) echo "$file imports $imported" ;;
      esac
    done
  done
  find Sources -name '*.[ch]' | sort | while read -r file; do
    module=$(printf '%s' "$file" | cut -d/ -f2)
    allowed=$(printf '%s' "$includes" | awk -v m="$module" '$1 == m { $1 = ""; print }')
    [ -n "$allowed" ] || continue
    sed -nE 's/^ *# *include +("([^"]*)"|(<[^>]*>)).*/\2\3/p' "$file" | while read -r included; do
      if [ -f "Sources/$module/$included" ] || [ -f "Sources/$module/include/$included" ]; then
        continue
      fi
      set -f
      fits=no
      for pattern in $allowed; do
        # shellcheck disable=SC2254  # a pattern is meant
        case $included in $pattern) fits=yes ;; esac
      done
      set +f
      [ "$fits" = yes ] || echo "$file includes $included"
    done
  done
  # A guest in somebody's process keeps its sockets in two files.
  grep -lE '#include <(sys/socket|poll)\.h>' Sources/hpclient/*.c 2>/dev/null |
    grep -vE '/(async|sync)\.c$' | sed 's/$/ touches sockets/' || true
)
[ -z "$faults" ] || fail "against the arrows of Docs/architecture.md:
$faults"

for program in .build/debug/hpd .build/debug/hpctl .build/release/hpd .build/release/hpctl; do
  [ -x "$program" ] || continue
  if ldd "$program" | grep -q Foundation; then
    fail "$program links Foundation"
  fi
  echo "$program: no Foundation"
done
echo "Imports follow the arrows"

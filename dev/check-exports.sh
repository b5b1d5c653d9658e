#!/bin/sh
# Fails unless hpclient.map lists exactly the functions that the public headers declare.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A declaration starts with HP_API and ends with a semicolon; comments are dropped first.
cat Sources/hpclient/include/hp/*.h |
  sed -e 's://.*$::' | tr '\n' ' ' | sed -e 's:/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/::g' | tr ';' '\n' |
  grep -v '#define  *HP_API[^;]*$' | grep 'HP_API' |
  sed -n 's/.*HP_API[^(]*[ *]\(hp_[a-z0-9_]*\) *(.*/\1/p' | sort > "$scratch/declared"
grep -o 'hp_[a-z0-9_]*;' Sources/hpclient/hpclient.map | tr -d ';' | sort > "$scratch/exported"

diff -u --label declared --label exported "$scratch/declared" "$scratch/exported" ||
  fail "Sources/hpclient/hpclient.map and the headers differ"
echo "$(wc -l < "$scratch/declared") functions declared and exported"

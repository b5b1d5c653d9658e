#!/bin/sh
# The C library's tests under the sanitizers and under valgrind: no error, no byte left behind.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh
if ! command -v valgrind > /dev/null; then
  echo "dev/memory.sh: valgrind is not installed (Debian package valgrind)" >&2
  exit 1
fi
stage "Address and undefined behaviour sanitizers"
make -s -C Tests/ClientLibraryTests asan
stage "Valgrind"
make -s -C Tests/ClientLibraryTests valgrind

#!/bin/sh
# Removes what builds and runs have made. The store of `make run` goes too; a running hpd stops it.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh
if [ -s .run/hpd.pid ] && kill -0 "$(cat .run/hpd.pid)" 2>/dev/null; then
  fail "an hpd of this checkout is running: kill $(cat .run/hpd.pid)"
fi
rm -rf .build .run Benchmarks/.build Fuzz/.build
make -s -C Sources/hpclient clean

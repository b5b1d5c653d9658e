#!/bin/sh
# The project's own figures, against hpd as it is shipped, beside its peers where they are there.
# usage: dev/bench.sh [quick]
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh
dev/bootstrap.sh
release_build
exec Benchmarks/run.sh "$@"

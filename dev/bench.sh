#!/bin/sh
# The project's own figures, against hpd as it is shipped. Arguments go to the benchmark program.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh
dev/bootstrap.sh
release_build
HPD=$(release_path)/hpd
export HPD
exec swift run -c release --package-path Benchmarks Benchmarks "$@"

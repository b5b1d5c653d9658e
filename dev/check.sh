#!/bin/sh
# Everything that can be judged without running the tests.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh
stage "Lint"
dev/lint.sh
stage "Generated code is fresh"
dev/check-generated.sh
stage "Layers"
dev/check-layers.sh
stage "Exports of the C library"
make -s -C Sources/hpclient all
dev/check-exports.sh

#!/bin/sh
# All tests. Every suite runs, also after one has failed; the exit status tells of any failure.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh

dev/bootstrap.sh
failed=

# suite NAME COMMAND…
suite() {
  name=$1
  shift
  stage "$name"
  began=$(date +%s)
  "$@" || failed="$failed
  $name"
  echo "($name: $(($(date +%s) - began)) s)"
}

stage "Build (debug)"
swift build
bin=$(swift build --show-bin-path)
export HPD="$bin/hpd" HPCTL="$bin/hpctl" PYTHON

suite "Swift tests" swift test --disable-xctest
suite "C library tests" make -s -C Tests/ClientLibraryTests check asan
if command -v valgrind > /dev/null; then
  suite "C library tests under valgrind" make -s -C Tests/ClientLibraryTests valgrind
fi
suite "Golden frames" "$PYTHON" Tests/golden_check.py
suite "Daemon tests" "$PYTHON" Tests/DaemonTests/Python/run.py
suite "Command line tests" "$PYTHON" Tests/CommandLineTests/run.py "$bin"
suite "File tests" "$PYTHON" Tests/FileTests/run.py "$bin"
suite "Installation tests" "$PYTHON" Tests/InstallTests/run.py "$bin"

if [ -n "$failed" ]; then
  stage "Failed:$failed"
  exit 1
fi
stage "All suites passed"

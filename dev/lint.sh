#!/bin/sh
# Format and documentation rules of the Swift code; the shell scripts where shellcheck is there.
set -eu
cd "$(dirname "$0")/.."
swift format lint --strict -p -r Package.swift Sources Tests
if command -v shellcheck >/dev/null; then
  shellcheck -x dev/*.sh .ci/run
fi

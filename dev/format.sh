#!/bin/sh
# Formats the Swift code in place.
set -eu
cd "$(dirname "$0")/.."
swift format -i -p -r Package.swift Sources Tests

#!/bin/sh
# Kills, random edits and feeds with new seeds, for MINUTES (ten, unless told).
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh
dev/bootstrap.sh
release_build
HPD=$(release_path)/hpd
export HPD
exec "$PYTHON" Tests/DaemonTests/Python/run.py --minutes "${MINUTES:-10}" "$@"

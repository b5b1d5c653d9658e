#!/bin/sh
# Builds hpd and hpctl as they are shipped, and says where they are.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh
dev/bootstrap.sh
release_build
ls -l "$(release_path)/hpd" "$(release_path)/hpctl"

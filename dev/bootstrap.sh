#!/bin/sh
# Installs the Debian packages of packaging/debian-deps.txt that are missing, and checks that
# there is a Swift toolchain. Does nothing, and needs no network, when all is there.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh

missing=
packages=$(sed 's/#.*//' packaging/debian-deps.txt)
for package in $packages; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done

if [ -n "$missing" ]; then
  command -v apt-get >/dev/null ||
    fail "no apt-get here; install by hand what corresponds to:$missing"
  if [ "$(id -u)" -eq 0 ]; then
    as_root=
  elif command -v sudo >/dev/null; then
    as_root=sudo
  else
    fail "missing packages, and neither root nor sudo to install them:$missing"
  fi
  stage "Installing:$missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086  # both are lists of words
  if ! $as_root apt-get -q update ||
    ! $as_root apt-get -q install -y --no-install-recommends $missing; then
    fail "could not install:$missing"
  fi
fi

wanted=6.2
command -v swift >/dev/null ||
  fail "no swift on PATH: install Swift $wanted or later from https://www.swift.org/install"
found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
[ -n "$found" ] || fail "swift --version did not name a version"
oldest=$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n 1)
[ "$oldest" = "$wanted" ] ||
  fail "Swift $found is on PATH; $wanted or later is needed (https://www.swift.org/install)"

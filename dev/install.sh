#!/bin/sh
# Installs programs, C library, schema and manual under $DESTDIR$PREFIX.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh

prefix=${PREFIX:-/usr/local}
to=${DESTDIR:-}$prefix
dev/bootstrap.sh
release_build
bin=$(release_path)

install -d "$to/bin" "$to/share/man/man1" "$to/share/man/man8" "$to/share/hpd/proto/hp/v1" \
  "$to/share/doc/hpd"
install -m 755 "$bin/hpd" "$bin/hpctl" "$to/bin/"
for page in man/*.[18]; do
  install -m 644 "$page" "$to/share/man/man${page##*.}/"
done
install -m 644 Proto/hp/v1/*.proto "$to/share/hpd/proto/hp/v1/"
install -m 644 README.md CHANGELOG.md LICENSE Docs/*.md "$to/share/doc/hpd/"
make -C Sources/hpclient install PREFIX="$prefix" DESTDIR="${DESTDIR:-}"

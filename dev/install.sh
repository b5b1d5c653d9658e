#!/bin/sh
# Installs programs, C library, schema, manual, completions and systemd units under
# $DESTDIR$PREFIX. With BIN=FOLDER the programs are taken from there instead of being built.
set -eu
cd "$(dirname "$0")/.."
. dev/common.sh

prefix=${PREFIX:-/usr/local}
to=${DESTDIR:-}$prefix
bin=${BIN:-}
if [ -z "$bin" ]; then
  dev/bootstrap.sh
  release_build
  bin=$(release_path)
fi

install -d "$to/bin" "$to/share/man/man1" "$to/share/man/man7" "$to/share/man/man8" \
  "$to/share/hpd/proto/hp/v1" "$to/share/doc/hpd" "$to/lib/systemd/system" \
  "$to/lib/systemd/user" "$to/share/bash-completion/completions" \
  "$to/share/zsh/site-functions" "$to/share/fish/vendor_completions.d"
install -m 755 "$bin/hpd" "$bin/hpctl" "$to/bin/"
for page in man/*.[178]; do
  install -m 644 "$page" "$to/share/man/man${page##*.}/"
done
install -m 644 Proto/hp/v1/*.proto "$to/share/hpd/proto/hp/v1/"
install -m 644 README.md CHANGELOG.md LICENSE Docs/*.md "$to/share/doc/hpd/"

"$bin/hpctl" completion bash > "$to/share/bash-completion/completions/hpctl"
"$bin/hpctl" completion zsh > "$to/share/zsh/site-functions/_hpctl"
"$bin/hpctl" completion fish > "$to/share/fish/vendor_completions.d/hpctl.fish"
for unit in packaging/systemd/*/hpd.*; do
  folder=$(basename "$(dirname "$unit")")
  sed "s|@BINDIR@|$prefix/bin|" "$unit" > "$to/lib/systemd/$folder/${unit##*/}"
done
make -C Sources/hpclient install PREFIX="$prefix" DESTDIR="${DESTDIR:-}"

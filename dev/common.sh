# shellcheck shell=sh
# Sourced by the other scripts, from the top of the checkout.

# Says which stage begins.
stage() {
  printf '\n== %s\n' "$*"
}

# Ends the script with a message.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Debian's own Python: it is the one that python3-protobuf belongs to.
PYTHON=${PYTHON:-/usr/bin/python3}

# The programs as they are shipped: the Swift runtime inside, so that a start is not felt.
release_build() {
  for product in hpd hpctl; do
    swift build -c release --static-swift-stdlib --product "$product"
  done
}

release_path() {
  swift build -c release --static-swift-stdlib --show-bin-path
}

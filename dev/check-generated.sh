#!/bin/sh
# Fails when Sources/CHPProto is not what Proto/hp/v1 makes.
set -eu
cd "$(dirname "$0")/.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
dev/generate-proto.sh "$fresh/CHPProto"
diff -r "$fresh/CHPProto" Sources/CHPProto || {
  echo "Sources/CHPProto is stale: run dev/generate-proto.sh" >&2
  exit 1
}

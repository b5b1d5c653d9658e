#!/bin/sh
# Makes the C of Proto/hp/v1 anew: into Sources/CHPProto, or into the folder given.
set -eu
cd "$(dirname "$0")/.."
out=${1:-Sources/CHPProto}
rm -rf "$out/hp" "$out/include/hp"
mkdir -p "$out/include/hp/v1"
protoc -I Proto --c_out="$out" Proto/hp/v1/*.proto
mv "$out"/hp/v1/*.pb-c.h "$out/include/hp/v1/"
{
  printf 'Made by dev/generate-proto.sh from Proto/hp/v1; do not edit.\n'
  protoc --version
  protoc-c --version
  (cd Proto && sha256sum hp/v1/*.proto)
} > "$out/GENERATED.txt"

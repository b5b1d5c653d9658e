#!/bin/sh
# Fuzzes for some seconds each, under the address sanitizer: the wire (frames, scan, decoding) and
# the reader of .xib files.
# usage: dev/fuzz.sh [SECONDS] [frame|nib]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
which=${2:-frame nib}
flags="-c release -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld \
  -Xcc -fsanitize=fuzzer-no-link,address"
# shellcheck disable=SC2086 # the flags are words
bin=$(swift build --package-path Fuzz --show-bin-path $flags)
# A crash in the symbolizer would hang instead of ending.
export SWIFT_BACKTRACE=enable=no

# fuzz PROGRAM NAME FAILCASES OPTION…: the corpora grow from run to run.
fuzz() {
  program=$1 name=$2 fails=$3
  shift 3
  # shellcheck disable=SC2086
  swift build --package-path Fuzz --product "$program" $flags
  for case in "$fails"/*; do
    case $case in *.md) continue ;; esac
    [ ! -f "$case" ] || "$bin/$program" "$case"
  done
  "$bin/$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
    -dict="Fuzz/$name.dict" -artifact_prefix="$fails/" -print_final_stats=1 "$@"
}

for name in $which; do
  corpus=Fuzz/.build/corpus.$name
  mkdir -p "$corpus" Fuzz/FailCases/nib
  case $name in
    frame)
      # It begins with the golden frames, whole and without length.
      python3 - "$corpus" <<'PYTHON'
import pathlib
import sys

for path in pathlib.Path("Proto/golden").glob("*.hex"):
    lines = path.read_text(encoding="utf-8").splitlines()
    frame = bytes.fromhex("".join(line[5:] for line in lines if line.startswith("hex: ")))
    start = next(index for index, byte in enumerate(frame) if byte < 0x80) + 1
    for name, content in ((path.stem, frame), (path.stem + ".payload", frame[start:])):
        pathlib.Path(sys.argv[1], name).write_bytes(content)
PYTHON
      fuzz FuzzFrame frame Fuzz/FailCases -max_len=8192 "$corpus"
      ;;
    nib) fuzz FuzzNib nib Fuzz/FailCases/nib -max_len=16384 "$corpus" Fuzz/Seeds/nib ;;
    *)
      echo "${0##*/}: there is no fuzzer $name" >&2
      exit 2
      ;;
  esac
done

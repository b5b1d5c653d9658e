#!/bin/sh
# Fuzzes the wire for some seconds: frames, scan and decoding, under the address sanitizer.
# usage: dev/fuzz.sh [SECONDS]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
flags="-c release -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld \
  -Xcc -fsanitize=fuzzer-no-link,address"
# shellcheck disable=SC2086 # the flags are words
swift build --package-path Fuzz --product FuzzFrame $flags
# shellcheck disable=SC2086
bin=$(swift build --package-path Fuzz --show-bin-path $flags)

# The corpus grows from run to run; it begins with the golden frames, whole and without length.
corpus=Fuzz/.build/corpus
mkdir -p "$corpus"
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

# A crash in the symbolizer would hang instead of ending.
export SWIFT_BACKTRACE=enable=no
for case in Fuzz/FailCases/*; do
  case $case in *.md) ;; *) "$bin/FuzzFrame" "$case" ;; esac
done
"$bin/FuzzFrame" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=1024 \
  -dict=Fuzz/frame.dict -artifact_prefix=Fuzz/FailCases/ -print_final_stats=1 "$corpus"

#!/usr/bin/env python3
"""Holds Proto/golden against Google's protobuf: hex to text and back to the same bytes."""

import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import text_format

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read(path):
    """The direction, text and bytes of a golden file (Proto/golden/README.md)."""
    parts = {"direction": [], "text": [], "hex": []}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        word, colon, rest = line.partition(": ")
        if not colon or word not in parts:
            raise ValueError("a line is neither comment, direction, text nor hex: " + line)
        parts[word].append(rest)
    (direction,) = parts["direction"]
    return direction, "\n".join(parts["text"]), bytes.fromhex("".join(parts["hex"]))


def length(frame):
    """The varint length in front of a frame, and where the message starts."""
    value = 0
    for index, byte in enumerate(frame[:5]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value, index + 1
    raise ValueError("the frame's length does not end")


def check(path, classes):
    direction, text, frame = read(path)
    size, start = length(frame)
    if len(frame) - start != size:
        raise ValueError("the length says %d, there are %d bytes" % (size, len(frame) - start))
    message = classes[direction]()
    message.ParseFromString(frame[start:])
    expected = text_format.Parse(text, classes[direction]())
    if message != expected:
        raise ValueError("the bytes mean\n" + text_format.MessageToString(message))
    if message.SerializeToString(deterministic=True) != frame[start:]:
        raise ValueError("the bytes are not the canonical encoding")


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        sources = sorted(str(path) for path in (ROOT / "Proto/hp/v1").glob("*.proto"))
        subprocess.run(
            ["protoc", "-I", str(ROOT / "Proto"), "--python_out", folder, *sources], check=True)
        sys.path.insert(0, folder)
        from hp.v1 import frame_pb2

        classes = {"up": frame_pb2.ClientFrame, "down": frame_pb2.ServerFrame}
        for path in sorted((ROOT / "Proto/golden").glob("*.hex")):
            try:
                check(path, classes)
                passed += 1
            except Exception as error:
                failed += 1
                print("%s: %s" % (path.name, error))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

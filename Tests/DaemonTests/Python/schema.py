"""The classes of Proto/hp/v1, made anew by protoc into a temporary folder at each run."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def _generate():
    folder = tempfile.mkdtemp(prefix="hpd-schema-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    proto = os.path.join(ROOT, "Proto")
    names = sorted(os.listdir(os.path.join(proto, "hp", "v1")))
    files = [os.path.join("hp", "v1", name) for name in names if name.endswith(".proto")]
    subprocess.run(["protoc", "-I", ".", "--python_out=" + folder] + files, cwd=proto, check=True)
    sys.path.insert(0, folder)
    return folder


sys.dont_write_bytecode = True
FOLDER = _generate()

from hp.v1 import batch_pb2 as batch  # noqa: E402
from hp.v1 import change_pb2 as change  # noqa: E402
from hp.v1 import error_pb2 as error  # noqa: E402
from hp.v1 import feed_pb2 as feed  # noqa: E402
from hp.v1 import frame_pb2 as frame  # noqa: E402
from hp.v1 import live_pb2 as live  # noqa: E402
from hp.v1 import model_pb2 as model  # noqa: E402
from hp.v1 import read_pb2 as read  # noqa: E402
from hp.v1 import scene_pb2 as scene  # noqa: E402
from hp.v1 import view_pb2 as view  # noqa: E402

ClientFrame = frame.ClientFrame
ServerFrame = frame.ServerFrame
Cursor = model.Cursor


def code_name(code):
    """The name of an error code."""
    return error.ErrorCode.Name(code)

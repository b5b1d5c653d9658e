"""The asyncio example keeps its rows and tells what happens to them (Examples/python)."""

import os
import signal
import subprocess
import sys

from client import delete, update
from schema import FOLDER, ROOT

PROGRAM = os.path.join(ROOT, "Examples", "python", "async_watch.py")


def test_it_tells_of_rows_until_the_goodbye(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    first = client.insert(name="Kettle")
    watch = subprocess.Popen(
        [sys.executable, PROGRAM, daemon.socket], stdout=subprocess.PIPE, text=True,
        env={"PYTHONPATH": FOLDER, "PYTHONDONTWRITEBYTECODE": "1"})
    try:
        assert watch.stdout.readline() == "rows: 1\n"
        assert watch.stdout.readline().endswith(" with 1\n")
        second = client.insert(name="Toaster")
        told = watch.stdout.readline()
        assert f" + {second} {{'name': 'Toaster'" in told, told
        client.batch(update(second, value=3995))
        told = watch.stdout.readline()
        assert f" ~ {second} " in told and "'value': 3995" in told, told
        client.batch(delete(first))
        told = watch.stdout.readline()
        assert f" - {first} {{'name': 'Kettle'" in told, told
        daemon.stop()
        assert watch.stdout.readline().startswith("goodbye: ")
        assert watch.wait(20) == 0
    finally:
        watch.kill()
        watch.communicate()


def test_an_interrupt_ends_the_examples_quietly(ctx):
    daemon = ctx.daemon()
    for program in [PROGRAM, os.path.join(os.path.dirname(PROGRAM), "add_and_watch.py")]:
        watch = subprocess.Popen(
            [sys.executable, program, daemon.socket], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
            env={"PYTHONPATH": FOLDER, "PYTHONDONTWRITEBYTECODE": "1"})
        try:
            assert watch.stdout.readline()
            watch.send_signal(signal.SIGINT)
            _, errors = watch.communicate(timeout=20)
            assert not errors and watch.returncode in (130, -signal.SIGINT), errors
        finally:
            watch.kill()
            watch.communicate()

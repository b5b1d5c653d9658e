#!/usr/bin/python3
"""Runs the daemon tests: run.py [--seed N] [--minutes N] [--list] [PART_OF_A_NAME…]

A test is a function test_… of a suite_….py; it takes a Context. A failure prints the seed it ran
with. With --minutes the tests that draw from the seed are repeated with new seeds for that long.
"""

import argparse
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from client import Client  # noqa: E402
from daemon import BINARY, Daemon  # noqa: E402

TEST_SECONDS = 240


class Context:
    """What a test is given: a folder, a seeded random source, daemons that are cleaned up."""

    def __init__(self, seed, scale=1):
        self.seed = seed
        self.random = random.Random(seed)
        self.scale = scale
        self.folder = tempfile.mkdtemp(prefix="hpd-test-")
        self.daemons = []
        self.clients = []
        self.seeded = False

    def daemon(self, name="hpd", options=(), start=True, **more):
        daemon = Daemon(self.folder, name, options, **more)
        self.daemons.append(daemon)
        return daemon.start() if start else daemon

    def client(self, daemon, name="test", **more):
        client = Client(daemon.socket, name, **more)
        self.clients.append(client)
        return client

    def close(self):
        for client in self.clients:
            client.close()
        for daemon in self.daemons:
            if daemon.alive():
                daemon.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def seeded(test):
    """Marks a test that draws from ctx.random: its failure names the seed, a soak repeats it."""
    test.seeded = True
    return test


def suites():
    names = sorted(n[:-3] for n in os.listdir(HERE) if n.startswith("suite_") and n.endswith(".py"))
    for name in names:
        module = importlib.import_module(name)
        for key, value in vars(module).items():
            if key.startswith("test_") and callable(value) and value.__module__ == name:
                yield f"{name[6:]}.{key[5:]}", value


def out_of_time(*unused):
    raise AssertionError(f"the test took more than {TEST_SECONDS} s")


def run(name, test, seed):
    """Runs one test; returns whether it passed."""
    context = Context(seed)
    began = time.monotonic()
    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(TEST_SECONDS)
    try:
        note = test(context)
        for daemon in context.daemons:
            if daemon.process is not None and not getattr(daemon, "may_be_dead", False):
                status = daemon.process.poll()
                assert status in (None, 0, -signal.SIGKILL), f"hpd ended with {status}"
        passed = True
    except Exception:  # noqa: BLE001  # whatever it was, the test failed
        passed = False
        note = None
        print(f"FAILED {name} --seed {seed}")
        traceback.print_exc(file=sys.stdout)
        for daemon in context.daemons:
            status = daemon.process.poll() if daemon.process else None
            tail = daemon.log_tail()
            print(f"  {os.path.basename(daemon.log)} (exit {status}):\n{tail}")
    finally:
        signal.alarm(0)
        context.close()
    if passed:
        text = f" – {note}" if note else ""
        print(f"ok {name} ({time.monotonic() - began:.1f} s){text}")
    sys.stdout.flush()
    return passed


def main():
    parser = argparse.ArgumentParser(description="Runs the daemon tests.")
    parser.add_argument("names", nargs="*", help="parts of names; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="repeat seeded tests this long")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if not os.access(BINARY, os.X_OK):
        sys.exit(f"no hpd at {BINARY}: build it, or set HPD")
    chosen = [
        (name, test)
        for name, test in suites()
        if not options.names or any(part in name for part in options.names)
    ]
    if options.minutes:
        chosen = [(name, test) for name, test in chosen if getattr(test, "seeded", False)]
    if options.list:
        for name, _ in chosen:
            print(name)
        return 0
    passed = failed = 0
    end = time.monotonic() + options.minutes * 60
    seed = options.seed if not options.minutes else random.SystemRandom().randrange(2, 1 << 31)
    while True:
        for name, test in chosen:
            if run(name, test, seed):
                passed += 1
            else:
                failed += 1
        seed += 1
        if time.monotonic() >= end:
            break
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.modules["run"] = sys.modules["__main__"]
    sys.exit(main())

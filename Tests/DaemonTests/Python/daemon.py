"""A real hpd on a store of its own."""

import os
import signal
import socket
import sqlite3
import subprocess
import time

from schema import ROOT

BINARY = os.environ.get("HPD") or os.path.join(ROOT, ".build", "debug", "hpd")


def wait_until(what, condition, seconds=20):
    """Polls a condition; its first true value is returned."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.005)


def store_status(store):
    """What SQL says of a store: its revision, and up to which rows can be read by SQL."""
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=10)
    try:
        return connection.execute("SELECT revision, materialised FROM hpd_status").fetchone()
    finally:
        connection.close()


class Daemon:
    """One hpd process; it can be killed and started again on the same store."""

    def __init__(
        self, folder, name="hpd", options=(), socket_path=None, store=None, environment=None,
        defaults=False,
    ):
        self.folder = folder
        self.socket = socket_path or os.path.join(folder, name + ".sock")
        self.store = store or os.path.join(folder, name + ".db")
        self.log = os.path.join(folder, name + ".log")
        self.options = list(options)
        self.environment = environment  # None: as it is here
        self.defaults = defaults  # no options: it finds the paths by itself
        self.process = None

    def spawn(self):
        """Starts the process, without waiting for it."""
        paths = [] if self.defaults else ["--store", self.store, "--socket", self.socket]
        command = [BINARY] + paths + self.options
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env=self.environment,
            )
        return self

    def start(self):
        """Starts the process and waits until it takes connections."""
        self.spawn()
        wait_until("hpd's start", self._answers)
        return self

    def _answers(self):
        if self.process.poll() is not None:
            raise AssertionError(f"hpd ended with {self.process.returncode}:\n{self.log_tail()}")
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(self.socket)
                return True
            except (FileNotFoundError, ConnectionRefusedError):
                return False

    @property
    def pid(self):
        return self.process.pid

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """SIGKILL, and the process is gone when this returns."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self, seconds=20):
        """The exit status."""
        return self.process.wait(seconds)

    def stop(self):
        """A clean stop; anything but exit 0 is a failure."""
        self.terminate()
        status = self.wait()
        assert status == 0, f"hpd ended with {status} after SIGTERM:\n{self.log_tail()}"

    def check(self):
        """What `hpd --check` says of the store; no daemon may use it."""
        return subprocess.run(
            [BINARY, "--store", self.store, "--check"], stdin=subprocess.DEVNULL, text=True,
            capture_output=True, timeout=120, check=False)

    def log_tail(self, lines=15):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as log:
                return "".join(log.readlines()[-lines:])
        except FileNotFoundError:
            return ""

    def resident(self):
        """Resident memory in bytes."""
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

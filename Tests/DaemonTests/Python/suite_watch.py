"""`hpctl watch` as a process in a pipe: promptness, the daemon's end, kills, a reader that goes."""

import json
import os
import select
import signal
import subprocess
import threading
import time

from client import Client, Closed, Refused, batch_frame, insert
from daemon import BINARY, wait_until
from run import seeded
from schema import ClientFrame

HPCTL = os.path.join(os.path.dirname(BINARY), "hpctl")


class Watch:
    """One `hpctl watch` whose output is a pipe."""

    def __init__(self, daemon, *arguments):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("HPD_", "HPCTL_"))}
        self.process = subprocess.Popen(
            [HPCTL, "--socket", daemon.socket, "watch", "--format", "ndjson", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=daemon.folder, env=environment)
        self.buffer = b""

    def line(self, seconds=20):
        """The next object; None at the end of the output."""
        end = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"no line within {seconds} s")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                assert not self.buffer, "half a line at the end"
                return None
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def until(self, kind, seconds=20):
        """Reads up to a line of that type; returns all."""
        lines = [self.line(seconds)]
        while lines[-1]["type"] != kind:
            lines.append(self.line(seconds))
        return lines

    def end(self, seconds=20):
        """Its exit status, what it still printed, and its words."""
        status = self.process.wait(seconds)
        rest = []
        while (line := self.line()) is not None:
            rest.append(line)
        words = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, rest, words


def test_a_change_is_printed_within_a_second(ctx):
    """Each line is written when it is known, whoever reads."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    watches = [Watch(daemon), Watch(daemon, "--window", "0,5"), Watch(daemon, "--filter", "kind=insert")]
    try:
        for watch in watches[:2]:
            watch.until("live")
        wait_until("the third", lambda: len(listed(client)) == 3)
        slowest = 0.0
        for number in range(5):
            began = time.monotonic()
            done = client.batch(insert({"name": f"n{number}"}, (0, 0)))
            for watch in watches:
                line = watch.line(5)
                while line["type"] not in ("change", "window_change"):
                    line = watch.line(5)
                assert line["revision"] == done.cursor.revision
            slowest = max(slowest, time.monotonic() - began)
            assert slowest < 1, f"{slowest:.2f} s"
        return f"{slowest * 1000:.0f} ms at most"
    finally:
        for watch in watches:
            watch.process.kill()
            watch.process.wait()


def listed(client):
    frame = ClientFrame()
    frame.list_clients.SetInParent()
    return [c for c in client.request(frame).clients.clients if c.subscriptions]


def test_the_end_of_the_daemon_is_a_line_and_a_status(ctx):
    for how in ("stop", "kill"):
        daemon = ctx.daemon(how)
        watch = Watch(daemon)
        watch.until("live")
        getattr(daemon, how)()
        status, rest, words = watch.end(5)
        assert status == 3, (status, words)
        assert [line["type"] for line in rest if line["type"] != "progress"] == ["shutdown"], rest
        assert json.loads(words)["error"]["code"] == (
            "SHUTTING_DOWN" if how == "stop" else "UNREACHABLE"), words


def test_a_reader_that_goes_ends_an_idle_watch(ctx):
    """Nothing happens, nothing is written, and yet it notices."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for arguments in ((), ("--window", "0,3"), ("--reconnect",)):
        watch = Watch(daemon, *arguments)
        watch.until("live")
        watch.process.stdout.close()
        began = time.monotonic()
        watch.process.wait(5)
        assert time.monotonic() - began < 1, arguments
        assert not watch.process.stderr.read(), arguments
        watch.process.stderr.close()
        wait_until("its end", lambda: not listed(client))
    # The same while it waits for a daemon that is not there.
    watch = Watch(daemon, "--reconnect")
    watch.until("live")
    client.close()
    daemon.stop()
    watch.until("shutdown")
    watch.process.stdout.close()
    watch.process.wait(5)
    watch.process.stderr.close()


class Editing(threading.Thread):
    """Inserts rows without an end, over whatever happens to the daemon; every one has a key."""

    def __init__(self, daemon, name):
        super().__init__(daemon=True)
        self.target, self.title = daemon, name
        self.stop = False
        self.done = {}  # name of a row -> revision
        self.fault = None

    def run(self):
        try:
            number, client = 0, None
            while not self.stop:
                try:
                    client = client or Client(self.target.socket, self.title)
                    name = f"{self.title}.{number}"
                    frame = batch_frame(insert({"name": name}, (0, 0)), key=name)
                    self.done[name] = client.request(frame).batch.cursor.revision
                    number += 1
                except (Closed, OSError):
                    client = None
                    time.sleep(0.01)
                except Refused as refused:
                    assert refused.code in ("SHUTTING_DOWN", "OUTCOME_UNKNOWN"), refused
        except BaseException as fault:  # noqa: BLE001  # told by the test
            self.fault = fault


@seeded
def test_a_watch_that_reconnects_misses_nothing_through_kills(ctx):
    """Every acknowledged change is printed once, in order, each from where the one before ended."""
    daemon = ctx.daemon()
    watch = Watch(daemon, "--reconnect")
    lines = watch.until("live")
    cursor = lines[-1]["revision"]
    writers = [Editing(daemon, f"w{number}") for number in range(2)]
    for writer in writers:
        writer.start()
    kills = 6 * ctx.scale
    seen, resumed, resyncs = {}, 0, 0

    def take(line):
        nonlocal cursor, resumed, resyncs
        kind = line["type"]
        if kind == "change":
            assert line["from"] == cursor, f"a change from {line['from']} at {cursor}"
            cursor = line["revision"]
            for row in line["rows"]:
                name = row["cells"]["name"]
                assert name not in seen, f"{name} twice"
                seen[name] = cursor
        elif kind == "progress":
            cursor = line["revision"]
        elif kind == "resumed":
            resumed += 1
            assert line["revision"] == cursor
        elif kind == "live":
            assert line["revision"] >= cursor
            cursor = line["revision"]
        elif kind == "resync":
            resyncs += 1

    def read_for(seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                line = watch.line(end - time.monotonic())
            except AssertionError:
                return
            assert line is not None, f"the watch has ended: {watch.process.stderr.read()}"
            take(line)

    for _ in range(kills):
        read_for(0.2 + ctx.random.random() * 0.4)
        daemon.kill()
        read_for(ctx.random.random() * 0.2)
        daemon.start()
    read_for(0.5)
    for writer in writers:
        writer.stop = True
    for writer in writers:
        writer.join(20)
        assert writer.fault is None, writer.fault
    done = {name: revision for writer in writers for name, revision in writer.done.items()}
    last = max(done.values())
    while cursor < last:
        take(watch.line())
    assert resyncs == 0 and resumed > 0, (resyncs, resumed)
    missing = {name for name in done if name not in seen}
    assert not missing, f"{len(missing)} of {len(done)} were not printed: {sorted(missing)[:5]}"
    assert all(seen[name] == revision for name, revision in done.items())
    watch.process.send_signal(signal.SIGINT)
    status, _, words = watch.end()
    assert status == 130, (status, words)
    return f"{len(done)} changes, {kills} kills, {resumed} times resumed"


def test_closed_standard_descriptors_are_not_taken_by_others(ctx):
    """A result must not be written to the daemon, a log not to the store."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.insert(name="Kettle")

    def run(words, closing):
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" ' + closing, "sh", *words], stdin=subprocess.DEVNULL,
            capture_output=True, cwd=daemon.folder, timeout=20, check=False)
        return done.returncode, done.stdout, done.stderr.decode()

    hpctl = [HPCTL, "--socket", daemon.socket]
    for verb in (["watch", "--timeout", "5"], ["list"], ["count"], ["help"], ["add", "name=x"]):
        code, _, said = run(hpctl + verb, ">&-")
        assert code == 1 and "the output can't be written" in said, f"{verb}: {code} {said}"
    code, _, _ = run(hpctl + ["add", "name=Nobody"], ">&- 2>&-")
    assert code == 1
    # What it needs no input for goes on without.
    assert run(hpctl + ["list"], "<&-")[0] == 0
    client.ping()
    assert "error" not in daemon.log_tail(100), daemon.log_tail(100)
    # The daemon itself: what it writes for people goes nowhere.
    other = os.path.join(daemon.folder, "other")
    process = subprocess.Popen(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", BINARY, "--log-level", "debug", "--store",
         other + ".db", "--socket", other + ".sock"], cwd=daemon.folder)
    try:
        wait_until("the socket", lambda: os.path.exists(other + ".sock"))
        for number in range(3):
            Client(other + ".sock", "x" * 10).close()
        taken = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in range(3)]
        assert taken == ["/dev/null"] * 3, taken
    finally:
        process.terminate()
        assert process.wait(20) == 0
    checked = subprocess.run([BINARY, "--store", other + ".db", "--check"], timeout=60, check=False,
                             capture_output=True)
    assert checked.returncode == 0, checked.stderr


def test_a_daemon_that_never_came_is_unreachable(ctx):
    words = ["--socket", os.path.join(ctx.folder, "none.sock"), "watch"]
    for more, status in ((["--reconnect", "--timeout", "1"], 3),
                         (["--all-tables", "--table", "items"], 2)):
        done = subprocess.run([HPCTL, *words, *more], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=20, check=False)
        assert done.returncode == status, (more, done)

"""Several importers, watchers and an outside reader at once: nothing is lost, nothing comes twice.

HPD_IMPORT_ROWS says how many rows each importer brings (800); the long form has 20,000. It also says
how many the import has under which hpd is killed (20,000), and HPD_KILLS how often that is (3).
"""

import os
import sqlite3
import subprocess
import threading
import time

from client import Closed
from daemon import store_status, wait_until
from run import seeded
from schema import ClientFrame
from suite_transition import HPCTL

ROWS = int(os.environ.get("HPD_IMPORT_ROWS") or 800)
KILLED_ROWS = int(os.environ.get("HPD_IMPORT_ROWS") or 20_000)
KILLS = int(os.environ.get("HPD_KILLS") or 3)
IMPORTERS, WATCHERS, PIECE = 4, 8, 4_000


def write_files(folder, number):
    """One importer's rows, in files that each fit a request."""
    paths = []
    for first in range(0, ROWS, PIECE):
        path = os.path.join(folder, f"{number}-{first}.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("name,serial,value\n")
            for row in range(first, min(first + PIECE, ROWS)):
                file.write(f"Item {number}/{row},{number:02}{row:06},{row}.{row % 100:02}\n")
        paths.append(path)
    return paths


class Watcher(threading.Thread):
    """Counts how often it is told of each new row."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client = client
        self.subscription = client.subscribe(only_live=True).subscription
        self.seen = {}
        self.parts = 0
        self.cursor = None
        self.trouble = None
        self.start()

    def run(self):
        try:
            self.watch()
        except (AssertionError, Closed, OSError) as trouble:
            self.trouble = trouble

    def watch(self):
        while True:
            event = self.client.event(120)
            if event.HasField("barrier"):
                return
            if event.HasField("change"):
                origin = getattr(event, "from")
                assert self.cursor in (None, origin), f"from {origin} at {self.cursor}"
                self.parts += 1
                for table in event.change.tables:
                    for stage in table.stages:
                        for row in (run.id + n for run in stage.inserts for n in range(run.count)):
                            self.seen[row] = self.seen.get(row, 0) + 1
                if event.last:
                    self.cursor = event.change.revision
            elif event.HasField("progress"):
                self.cursor = event.progress.revision
            elif event.HasField("live"):
                self.cursor = event.live.cursor.revision


class Reader(threading.Thread):
    """Reads the store with SQLite, as anybody may: never shut out, never fewer rows than before."""

    def __init__(self, store):
        super().__init__(daemon=True)
        self.store = store
        self.over = threading.Event()
        self.reads = self.last = 0
        self.trouble = None
        self.start()

    def run(self):
        try:
            while not self.over.is_set():
                connection = sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=5)
                (count,) = connection.execute("SELECT count(*) FROM items").fetchone()
                connection.close()
                assert count >= self.last, f"{count} rows after {self.last}"
                self.last = count
                self.reads += 1
        except (AssertionError, sqlite3.Error) as trouble:
            self.trouble = trouble


def test_importers_watchers_and_a_reader(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.barrier(sql=True, token=1)
    while client.event().barrier.token != 1:
        pass
    watchers = [Watcher(ctx.client(daemon)) for _ in range(WATCHERS)]
    reader = Reader(daemon.store)
    importers = []
    for number in range(IMPORTERS):
        files = write_files(ctx.folder, number)
        script = " && ".join(f"'{HPCTL}' import -q '{path}'" for path in files)
        importers.append(subprocess.Popen(
            ["sh", "-c", script], env={**os.environ, "HPD_SOCKET": daemon.socket},
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE))
    for importer in importers:
        _, errors = importer.communicate(timeout=200)
        assert importer.returncode == 0, errors
    total = IMPORTERS * ROWS
    assert client.table().rows == total
    for watcher in watchers:
        # A socket may be written by one thread and read by another.
        watcher.client.send(barrier_frame(watcher.subscription))
        watcher.join(120)
        assert not watcher.is_alive() and watcher.trouble is None, watcher.trouble
        assert len(watcher.seen) == total, f"{len(watcher.seen)} rows seen of {total}"
        assert set(watcher.seen.values()) == {1}, "a row was told of twice"
    client.barrier(sql=True, token=2)
    while client.event(60).barrier.token != 2:
        pass
    reader.over.set()
    reader.join(20)
    assert reader.trouble is None and reader.reads > 0, reader.trouble
    connection = sqlite3.connect(f"file:{daemon.store}?mode=ro", uri=True)
    (count,), (names,) = connection.execute(
        "SELECT count(*) FROM items UNION ALL SELECT count(DISTINCT name) FROM items")
    connection.close()
    assert count == names == total
    inserted = [row for watcher in watchers for row in watcher.seen]
    assert len(set(inserted)) == total
    return f"{total} rows, {reader.reads} reads beside"


@seeded
def test_killed_under_an_import(ctx):
    """kill -9 at any moment of an import: wholly there or wholly absent, as hpctl said.

    Subscribers are told of it in parts and stay connected.
    """
    path = os.path.join(ctx.folder, "rows.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("name,serial,value\n")
        for row in range(KILLED_ROWS):
            file.write(f"Item number {row},{row % 99991:05}X{row % 997:03},{row % 500}.{row % 100:02}\n")

    def begin(daemon):
        return subprocess.Popen(
            [HPCTL, "import", "-q", path], env={**os.environ, "HPD_SOCKET": daemon.socket},
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)

    daemon = ctx.daemon(name="whole")
    watchers = [Watcher(ctx.client(daemon)) for _ in range(2)]
    began = time.monotonic()
    importer = begin(daemon)
    assert importer.wait(600) == 0, importer.stderr.read()
    took = time.monotonic() - began
    for watcher in watchers:
        watcher.client.send(barrier_frame(watcher.subscription))
        watcher.join(120)
        assert not watcher.is_alive() and watcher.trouble is None, watcher.trouble
        assert len(watcher.seen) == KILLED_ROWS and set(watcher.seen.values()) == {1}
        watcher.client.reply()  # that of the barrier
        assert KILLED_ROWS < 50_000 or watcher.parts > 5, watcher.parts
        assert watcher.client.table().rows == KILLED_ROWS
    daemon.stop()
    said, found = [], []
    for number in range(KILLS):
        daemon = ctx.daemon(name=f"killed{number}")
        keeper = ctx.client(daemon).insert(name="before")
        importer = begin(daemon)
        # Moments after the reply are looked at as well.
        moment = ctx.random.random() * took * 1.2
        try:
            importer.wait(moment)
            time.sleep(max(0, ctx.random.random() * took * 0.2))
        except subprocess.TimeoutExpired:
            pass
        daemon.kill()
        status = importer.wait(60)
        importer.stderr.close()
        daemon.start()
        client = ctx.client(daemon)
        count = client.table().rows
        assert count in (1, KILLED_ROWS + 1), f"{count} rows after {moment:.2f} of {took:.2f} s"
        assert status != 0 or count > 1, "hpctl said it was done"
        assert client.get(keeper).rows, "the row before it is gone"
        # What is there is there for SQL, too, and takes changes.
        revision = client.insert(name="after")
        wait_until("the rows on disk", lambda: len(set(store_status(daemon.store))) == 1, 120)
        connection = sqlite3.connect(f"file:{daemon.store}?mode=ro", uri=True, timeout=10)
        (rows,) = connection.execute("SELECT count(*) FROM items").fetchone()
        (parts,) = connection.execute(
            "SELECT count(*) FROM hpd_parts" if count == 1 else "SELECT 0").fetchone()
        connection.close()
        assert rows == count + 1 and revision and parts == 0, (rows, count, parts)
        client.close()
        daemon.stop()
        assert daemon.check().returncode == 0
        os.remove(daemon.store)
        said.append(status == 0)
        found.append(count > 1)
    return f"{KILLS} kills in {took:.1f} s, {sum(said)} told, {sum(found)} there, of {KILLED_ROWS} rows"


def barrier_frame(subscription):
    frame = ClientFrame()
    frame.barrier.subscription = subscription
    frame.barrier.token = 7
    return frame

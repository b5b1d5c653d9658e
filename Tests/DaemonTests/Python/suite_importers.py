"""Several importers, watchers and an outside reader at once: nothing is lost, nothing comes twice.

HPD_IMPORT_ROWS says how many rows each importer brings (800); the long form has 20,000.
"""

import os
import sqlite3
import subprocess
import threading

from client import Closed
from schema import ClientFrame
from suite_transition import HPCTL

ROWS = int(os.environ.get("HPD_IMPORT_ROWS") or 800)
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


def barrier_frame(subscription):
    frame = ClientFrame()
    frame.barrier.subscription = subscription
    frame.barrier.token = 7
    return frame

"""kill -9 at random moments: every acknowledged batch is there, none half (S1, S5, K6)."""

import sqlite3
import threading
import time

from client import Client, Closed, batch_frame, delete_section, insert, move, update
from daemon import store_status, wait_until
from fold import Copy, snapshot
from run import seeded

WRITERS = 3
COPIES = 3  # rows of one batch, all or none


class Writers:
    """Threads that write batches of marked rows, several in flight, until the daemon is gone."""

    def __init__(self, daemon, round_number, random):
        self.acknowledged = {}  # mark -> revision
        self.sent = set()
        self.lock = threading.Lock()
        self.faults = []
        self.threads = [
            threading.Thread(
                target=self._run, args=(daemon.socket, f"{round_number}.{n}", random.random()))
            for n in range(WRITERS)
        ]
        for thread in self.threads:
            thread.start()

    def _run(self, path, mark, pace):
        depth = 1 + int(pace * 16)
        try:
            client = Client(path, f"writer {mark}", patience=30)
        except (OSError, Closed):
            return
        flight = []
        try:
            for step in range(1_000_000):
                name = f"{mark}.{step}"
                with self.lock:
                    self.sent.add(name)
                place = [None, (0, 0), (0, 0)][step % 3]
                client.send(batch_frame(
                    *[insert({"name": name, "value": n}, place) for n in range(COPIES)]))
                flight.append(name)
                if len(flight) >= depth:
                    self._answer(client, flight.pop(0))
        except (OSError, Closed):
            pass
        except Exception as fault:  # noqa: BLE001  # told by the test
            self.faults.append(repr(fault))
        finally:
            client.close()

    def _answer(self, client, name):
        reply = client.reply()
        if not reply.HasField("batch"):
            raise AssertionError(f"refused: {reply}")
        with self.lock:
            self.acknowledged[name] = reply.batch.cursor.revision

    def count(self):
        return len(self.acknowledged)

    def join(self):
        for thread in self.threads:
            thread.join()


def marks(client):
    """How many rows there are of each mark."""
    found = {}
    for placed in client.rows():
        name = placed.row.cells[0].text
        found[name] = found.get(name, 0) + 1
    return found


@seeded
def test_fifty_kills_under_writers(ctx):
    daemon = ctx.daemon()
    follower = ctx.client(daemon, "follower")
    copy = Copy(follower.subscribe().subscription)
    copy.until_live(follower)
    epoch = follower.hello.epoch
    acknowledged = {}
    known = {}
    newest = total = 0
    rounds = 50
    for number in range(rounds):
        writers = Writers(daemon, number, ctx.random)
        wait_until("a first write", lambda: writers.count() > 0 or writers.faults)
        time.sleep(ctx.random.random() * 0.05)  # the moment of the kill is what is random
        daemon.kill()
        writers.join()
        assert not writers.faults, writers.faults
        acknowledged.update(writers.acknowledged)
        newest = max([newest] + list(writers.acknowledged.values()))
        daemon.start()
        client = ctx.client(daemon)
        assert client.hello.epoch == epoch, "a kill must not change the epoch"
        assert client.hello.revision >= newest, f"{client.hello.revision} after {newest}"
        found = marks(client)
        half = {name: count for name, count in found.items() if count != COPIES}
        assert not half, f"round {number}: half there: {half}"
        lost = [name for name in acknowledged if name not in found]
        assert not lost, f"round {number}: acknowledged and lost: {lost[:5]} ({len(lost)})"
        gone = [name for name in known if name not in found]
        assert not gone, f"round {number}: seen before and lost: {gone[:5]}"
        strangers = [n for n in found if n not in known and n not in writers.sent]
        assert not strangers, f"round {number}: nobody sent {strangers[:5]}"
        known = found
        # The copy that was folded before the kill goes on from its cursor.
        follower.close()
        follower = ctx.client(daemon, "follower")
        reply = follower.subscribe(since=copy.cursor)
        assert not reply.snapshot
        copy.resume(reply.subscription)
        copy.until_live(follower)
        total += len(writers.acknowledged)
        if number % 10 == 9:
            assert snapshot(client).canonical() == copy.canonical()
            # Room for more: what was checked goes, in one batch.
            client.batch(*[delete_section(s.id) for s in client.table().sections])
            acknowledged, known = {}, {}
        client.close()
    last = ctx.client(daemon)
    copy.until_barrier(follower, 1)
    assert snapshot(last).canonical() == copy.canonical()
    return f"{rounds} kills, {total} acknowledged batches"


@seeded
def test_kills_while_rows_are_materialised(ctx):
    """The kill falls into the writing of rows behind the journal."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    inside = expected = number = 0
    while number < 10 or inside < 3:
        assert number < 60, f"{number} kills, and only {inside} fell between journal and rows"
        number += 1
        # A backlog of several slices, written within the quiet time that materialising waits for.
        before = client.hello.revision
        for step in range(16):
            client.send(batch_frame(
                *[insert({"name": f"{number}.{step}.{n}", "value": n}, (0, 0) if n % 2 else None)
                  for n in range(250)]))
        for _ in range(16):
            reply = client.reply()
            assert reply.HasField("batch"), reply
        expected += 16 * 250
        if number % 2:
            rows = [p.row.id for p in client.get(*range(1, 200)).rows]
            if rows:
                client.batch(*[update(row, serial=f"{number}") for row in rows[:50]],
                             *[move(row, (0, 0)) for row in rows[50:80]])
        target = client.table().last_changed
        if number % 3:  # when the first slice is written; else at any moment
            wait_until("a slice", lambda: store_status(daemon.store)[1] > before)
        time.sleep(ctx.random.random() * 0.015)
        daemon.kill()
        revision, materialised = store_status(daemon.store)
        inside += materialised < revision
        daemon.start()
        client = ctx.client(daemon)
        assert client.hello.revision >= target
        count = client.table().rows
        assert count == expected, f"round {number}: {count} rows, not {expected}"
    fresh = snapshot(client)
    table = next(iter(fresh.tables.values()))
    assert len(table.ids()) == expected
    # What SQL shows is the same, in the same order.
    client.barrier(0, 1, sql=True)
    client.event()
    connection = sqlite3.connect(f"file:{daemon.store}?mode=ro", uri=True)
    ids = [row[0] for row in connection.execute("SELECT _id FROM items ORDER BY _order")]
    connection.close()
    assert ids == table.ids()
    return f"{number} kills, {inside} with rows behind the journal, {expected} rows"


@seeded
def test_keys_make_retries_safe_over_kills(ctx):
    """A client that retries with its key after each kill applies each batch exactly once."""
    daemon = ctx.daemon()
    steps = 0
    stop = threading.Event()
    faults = []

    def write():
        nonlocal steps
        client = None
        while not stop.is_set():
            frame = batch_frame(insert({"name": f"step {steps}"}), key=f"key {steps}")
            while True:
                try:
                    client = client or Client(daemon.socket, "retrier")
                    reply = client.request(frame)
                    assert reply.HasField("batch")
                    break
                except (OSError, Closed):
                    if client is not None:
                        client.close()
                    client = None
                    time.sleep(0.002)  # until the daemon is back
                except Exception as fault:  # noqa: BLE001
                    faults.append(repr(fault))
                    return
            steps += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(10):
            time.sleep(0.05 + ctx.random.random() * 0.1)
            daemon.kill()
            daemon.start()
    finally:
        stop.set()
        thread.join()
    assert not faults, faults
    names = [placed.row.cells[0].text for placed in ctx.client(daemon).rows()]
    assert names == [f"step {n}" for n in range(steps)]
    return f"{steps} batches over 10 kills"

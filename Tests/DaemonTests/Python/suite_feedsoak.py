"""The feed under everything at once: many copies, writers, kills, compaction, stopped readers.

At every barrier each copy equals the whole one of its connection (or its filter, or its window),
the whole copies of all connections saw the same revisions, each once.
"""

import os
import subprocess
import sys
import time

from client import Closed, Refused, delete_section, insert, insert_section
from filtered import FilteredCopy, subscribe_filtered
from fold import Copy, snapshot
from run import seeded
from schema import ClientFrame, batch as batch_schema, code_name, feed as feed_schema, model
from windows import WindowCopy

NAMES = ("name", "serial", "value", "created")
SECONDS = 14
HERE = os.path.dirname(os.path.abspath(__file__))


class WholeCopy(Copy):
    """Notes which revisions it was told of."""

    def __init__(self, reply):
        super().__init__(reply.subscription)
        self.seen = []
        self.since = None  # all after this one were seen

    def _snapshot(self, event):
        if event.part == 0:
            self.seen, self.since = [], event.snapshot.cursor.revision
        super()._snapshot(event)

    def _change(self, event):
        super()._change(event)
        if event.last:
            self.seen.append(self.last_change.revision)


class Again(Exception):
    """The whole copy has ended: all of the connection begins again."""


class Reader:
    """A connection with a whole copy and many others."""

    def __init__(self, ctx, daemon, name):
        self.ctx, self.daemon, self.name = ctx, daemon, name
        self.random = ctx.random
        self.token = 0
        self.client = ctx.client(daemon, name)
        self.whole = WholeCopy(self.client.subscribe())
        self.filtered, self.windows = [], []
        self.away = []  # copies that will come back, perhaps too late
        self.ended = 0
        self.resumed = self.lost = self.barriers = 0
        self.reach()

    @property
    def table(self):
        return next(iter(self.whole.tables.values()))

    def copies(self):
        return [self.whole] + self.filtered + self.windows

    def reach(self):
        """Takes all events up to a barrier; then nothing may differ."""
        self.token += 1
        self.client.barrier(0, self.token)
        known = {copy.subscription: copy for copy in self.copies()}
        while True:
            event = self.client.event()
            if event.subscription in known:
                known[event.subscription].take(event)
            elif event.subscription == 0 and event.barrier.token == self.token:
                break
        self.barriers += 1
        for copy in list(self.copies()):
            if copy.ended is not None:
                self.begin_again(copy)
        for copy in self.copies():
            assert copy.revision == self.whole.revision, (copy, copy.revision, self.whole.revision)
        for copy in self.filtered:
            copy.equals(self.whole)
        for window in self.windows:
            window.equals(self.table)

    def begin_again(self, copy):
        """What fell behind more than is kept of history is over, and said so."""
        assert copy.ended.reason in (
            feed_schema.END_REASON_COMPACTED, feed_schema.END_REASON_EXPIRED), copy.ended
        if copy is self.whole:
            raise Again()
        (self.filtered if copy in self.filtered else self.windows).remove(copy)
        self.ended += 1

    def ids(self, names):
        return None if names is None else WindowCopy.column_ids(self.table, names)

    def add_filtered(self):
        names = self.random.sample(NAMES, self.random.randrange(1, 4))
        names = self.random.choice((None, names))
        sections = self.table.sections
        some = None
        if sections and (names is None or self.random.random() < 0.6):
            some = set(self.random.sample(sections, self.random.randrange(1, len(sections) + 1)))
        if names is None and some is None:
            return
        try:
            reply = subscribe_filtered(self.client, sections=some, names=names)
        except Refused as refused:
            # A writer was faster.
            assert refused.code == "NO_SUCH_SECTION", refused
            return
        self.filtered.append(FilteredCopy(reply, some, self.ids(names)))

    def spec(self):
        table = self.table
        section = self.random.choice([None] + table.sections)
        rows = [r for s in table.sections if section in (None, s) for r in table.order[s]]
        spec = {"section": section, "length": self.random.choice((1, 5, 20, 60))}
        if rows and self.random.random() < 0.5:
            spec["row"] = self.random.choice(rows)
        else:
            spec["position"] = self.random.randrange(len(rows) + 1)
        return spec

    def try_window(self, act):
        try:
            return act()
        except Refused as refused:
            assert refused.code in ("OUT_OF_RANGE", "NO_SUCH_ROW", "NO_SUCH_SECTION"), refused
            return None

    def add_window(self):
        names = self.random.choice((None, None, ("name", "value")))
        window = self.try_window(lambda: WindowCopy(
            self.client, names=names, columns=self.ids(names), live=self.random.random() < 0.5,
            **self.spec()))
        if window is not None:
            self.windows.append(window)

    def move_window(self):
        if self.windows:
            window = self.random.choice(self.windows)
            before = getattr(window, "wanted", None)
            if self.try_window(lambda: window.move(**self.spec()) or True) is None:
                window.wanted = before

    def unsubscribe(self, copy):
        frame = ClientFrame()
        frame.unsubscribe.subscription = copy.subscription
        self.client.request(frame)
        self.client.events = type(self.client.events)(
            e for e in self.client.events if e.subscription != copy.subscription)

    def resume(self, copy):
        """Asks for what came after a copy's cursor, or for all of it where that is gone."""
        since = copy.cursor
        if copy is self.whole:
            reply = self.client.subscribe(since=since, snapshot_if_lost=True)
        else:
            names = None
            if copy.columns is not None:
                names = [c.name for c in self.client.table().columns if c.id in copy.columns]
            reply = subscribe_filtered(
                self.client, since=since, fingerprint=copy.fingerprint, sections=copy.sections,
                names=names, snapshot_if_lost=True)
        copy.resume(reply.subscription)
        if reply.snapshot:
            self.lost += 1
        else:
            self.resumed += 1

    def come_and_go(self):
        """Drops and resumes some; a copy without a cursor yet is dropped for good."""
        for copy in self.random.sample(self.filtered, min(3, len(self.filtered))):
            if copy.parts or copy.revision is None or copy._snapshot_part:
                continue
            self.unsubscribe(copy)
            if self.random.random() < 0.5:
                self.resume(copy)
            else:
                self.filtered.remove(copy)
                self.away.append(copy)
        if len(self.away) > 5:
            copy = self.away.pop(0)
            self.resume(copy)
            self.filtered.append(copy)

    def act(self, kind):
        """Does one thing with its subscriptions."""
        if kind < 2 and len(self.filtered) < 14:
            self.add_filtered()
        elif kind < 4 and len(self.windows) < 14:
            self.add_window()
        elif kind == 4:
            self.come_and_go()
        elif kind == 5:
            self.move_window()

    def reconnect(self):
        """After the daemon was killed: everything goes on where it was."""
        self.client.close()
        self.client = self.ctx.client(self.daemon, self.name)
        for copy in [self.whole] + self.filtered:
            copy.parts, copy._snapshot_part, copy._next_part = [], 0, None
            if copy.revision is None:
                copy.revision = 0
            self.resume(copy)
        self.windows = []
        self.reach()


def start_writers(daemon, ctx, stop, count):
    return [
        subprocess.Popen(
            [sys.executable, os.path.join(HERE, "writer.py"), daemon.socket, stop,
             str(ctx.random.randrange(1 << 30))],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for _ in range(count)
    ]


def change_columns(client, random, number):
    """A column comes, or one that came goes; either is one revision."""
    extra = [c for c in client.table().columns if c.name.startswith("extra")]
    op = batch_schema.Operation()
    if extra and random.random() < 0.5:
        op.drop_column.column = random.choice(extra).name
    elif len(extra) < 4:
        column = op.add_column.column
        column.name, column.kind = f"extra {number}", model.COLUMN_KIND_TEXT
        if random.random() < 0.5:
            column.required = True
            column.fill.text = f"fill {number}"
            column.default_value.text = f"default {number}"
    else:
        return
    client.batch(op)


def bulk(client, random):
    """A section with long rows comes and goes; now and then more than is queued for anybody."""
    rows = [{"name": f"bulk {n}", "serial": "s" * 3000} for n in range(random.choice((30, 150)))]
    made = client.batch(insert_section("bulk", rows=rows)).inserted_sections[0].first
    try:
        client.batch(delete_section(made))
    except Refused as refused:
        assert refused.code == "NO_SUCH_SECTION", refused  # a writer was faster


def check_seen(readers):
    """Where two whole copies overlap they saw the same revisions, each once."""
    for reader in readers:
        assert reader.whole.seen == sorted(set(reader.whole.seen))
    first, second = readers[0].whole, readers[1].whole
    low = max(first.since, second.since)
    high = min(first.revision, second.revision)
    one = [r for r in first.seen if low < r <= high]
    two = [r for r in second.seen if low < r <= high]
    assert one == two, f"{set(one) ^ set(two)} were not seen by both"
    return len(one)


@seeded
def test_everything_at_once(ctx):
    daemon = ctx.daemon(options=["--history-revisions", "200", "--max-output", "1000000"])
    random = ctx.random
    stop = os.path.join(ctx.folder, "stop")
    keeper = ctx.client(daemon, "keeper")
    keeper.batch(*[insert({"name": f"n{n}", "value": n}) for n in range(40)])
    readers = [Reader(ctx, daemon, f"reader {n}") for n in range(2)]
    writers = start_writers(daemon, ctx, stop, 2)
    stopped = []
    kills = evicted = step = told = 0
    end = time.monotonic() + SECONDS
    next_kill = time.monotonic() + SECONDS / 4
    try:
        while time.monotonic() < end:
            step += 1
            assert all(writer.poll() is None for writer in writers), "a writer has ended"
            reader = random.choice(readers)
            try:
                reader.act(random.randrange(6))
                reader.reach()
            except Closed as closed:
                # Too slow itself: the reason is told, and nothing is lost by going on.
                assert code_name(closed.goodbye.code) == "TOO_SLOW", closed
                reader.reconnect()
                evicted += 1
            except Again:
                reader.reconnect()
            kind = random.randrange(10)
            if kind == 6:
                change_columns(keeper, random, step)
            elif kind == 7 and len(stopped) < 6:
                lazy = ctx.client(daemon, "lazy")
                for _ in range(3):
                    lazy.subscribe()
                stopped.append(lazy)
            elif kind == 8:
                bulk(keeper, random)
            elif kind == 9 and len(stopped) > 3:
                # It reads at last: what waits, or why it was ended.
                lazy = stopped.pop(random.randrange(len(stopped)))
                try:
                    subscriptions = 3
                    for _ in range(50):
                        subscriptions -= lazy.event().HasField("ended")
                        if subscriptions == 0:
                            break
                except (Closed, ConnectionError):
                    evicted += lazy.goodbye is not None
                lazy.close()
            if time.monotonic() > next_kill:
                next_kill = time.monotonic() + SECONDS / 4
                daemon.kill()
                for writer in writers:
                    writer.wait()
                daemon.start()
                kills += 1
                for lazy in stopped:
                    lazy.close()
                stopped = []
                keeper = ctx.client(daemon, "keeper")
                for reader in readers:
                    reader.reconnect()
                told += check_seen(readers)
                for reader in readers:
                    reader.whole.seen, reader.whole.since = [], reader.whole.revision
                writers = start_writers(daemon, ctx, stop, 2)
    finally:
        with open(stop, "w"):
            pass
        for writer in writers:
            writer.wait(timeout=60)
    for reader in readers:
        reader.reach()
        fresh = snapshot(reader.client)
        assert fresh.canonical() == reader.whole.canonical()
    told += check_seen(readers)
    barriers = sum(reader.barriers for reader in readers)
    resumed = sum(reader.resumed for reader in readers)
    lost = sum(reader.lost for reader in readers)
    oldest = keeper.hello.oldest_revision
    assert kills and told > 100 and resumed, (kills, told, resumed)
    return (f"{barriers} barriers, {told} revisions, {kills} kills, {resumed} resumed, {lost} anew,"
            f" {evicted} evicted, oldest {oldest}")

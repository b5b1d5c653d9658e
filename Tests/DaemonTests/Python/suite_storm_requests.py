"""Requests of every kind with fields at random, many connections, deaths and restarts.

The daemon never ends on its own and never answers with a fault of its own making; every request
gets one reply, in order; subscriptions can be folded and agree with a snapshot; the store opens
again and passes `hpd --check`.
"""

import os
import shutil
import subprocess
import time

from client import Client, Closed, batch_frame, framed, insert, insert_section
from daemon import BINARY
from fold import Copy, snapshot
from live import LiveCopy
from randomframes import Frames, Pool
from run import seeded
from schema import ROOT, ClientFrame, code_name
from windows import WindowCopy

SECONDS = 8
# What a request may be answered with, where it is not `done`.
RESULTS = {
    "hello": {"hello"}, "ping": {"pong"}, "info": {"info"}, "subscribe": {"subscribed"},
    "list_tables": {"tables"}, "describe_table": {"table"}, "get_rows": {"rows"},
    "list_rows": {"rows"}, "locate_row": {"location"}, "count_rows": {"count"},
    "find_rows": {"rows"}, "sum_column": {"sum"}, "row_history": {"history"},
    "history": {"history"}, "batch": {"batch"}, "create_table": {"batch"},
    "rename_table": {"batch"}, "drop_table": {"batch"}, "transfer_rows": {"batch"},
    "undo": {"batch"}, "redo": {"batch"}, "new_item": {"batch"}, "reload_data": {"batch"},
    "restore_row": {"batch"}, "upload_begin": {"upload"}, "upload_part": {"upload"},
    "upload_commit": {"batch"}, "set_editing": {"editing"}, "toggle_editing": {"editing"},
    "commit_editing": {"batch", "editing"}, "swipe": {"batch", "editing"},
    "confirm": {"batch", "editing"}, "drag": {"batch", "editing"}, "select": {"editing"},
    "draft": {"batch", "editing"}, "take_lease": {"leases"}, "list_leases": {"leases"},
    "get_editing": {"editing_state"}, "get_policy": {"policies"}, "load_nib": {"nib"},
    "set_view_node": {"editing", "scene"}, "scene": {"scene"}, "get_header": {"header"},
    "list_clients": {"clients"},
}
NEVER = {"ERROR_CODE_UNSPECIFIED", "INTERNAL", "OUT_OF_MEMORY", "STORE_FAILED",
         "OUTCOME_UNKNOWN", "STORE_TOO_NEW", "STORE_CHANGED_OUTSIDE"}


class Stream:
    """The events of one subscription, held against the rules of every stream (K1, K2)."""

    def __init__(self, request, reply):
        self.request, self.number = request, reply.subscription
        self.cursor = None
        self.part = None
        self.ended = False
        self.live = LiveCopy() if request.live_state and not request.HasField("scene") else None
        # A whole copy where all is told, and no scene in between.
        plain = not (request.HasField("filter") or request.HasField("window")
                     or request.scene_only)
        self.copy = Copy(reply.subscription) if plain else None
        self.folds = plain and reply.snapshot
        if plain and not reply.snapshot:
            self.copy = None

    def take(self, event):
        body = event.WhichOneof("body")
        if self.ended:
            assert body == "barrier", f"an event after the end: {event}"
            return
        assert body is not None, "an event without a body"
        if body == "ended":
            self.ended = True  # in the middle of a snapshot too, which is void then
            return
        if self.part is not None:
            assert event.part == self.part[1] and self.part[0] == (
                body if body in ("change", "window") else self.part[0]
            ), f"part {event.part} of {body} after {self.part}"
        else:
            assert event.part == 0, f"part {event.part} of {body} without the ones before"
        several = body in ("change", "window", "snapshot", "rows", "live_state")
        self.part = (body, event.part + 1) if several and not event.last else None
        before = getattr(event, "from")
        if body == "change":
            assert self.cursor is None or before == self.cursor, f"from {before} at {self.cursor}"
            assert event.change.revision > before
            if event.last:
                self.cursor = event.change.revision
        elif body in ("live", "progress"):
            revision = event.live.cursor.revision if body == "live" else event.progress.revision
            assert self.cursor is None or before == self.cursor, f"from {before} at {self.cursor}"
            assert revision >= before, f"{body} from {before} to {revision}"
            self.cursor = revision
        elif body == "window":
            self.cursor = event.window.revision if event.last else self.cursor
        elif body == "snapshot":
            self.cursor = event.snapshot.cursor.revision
        elif body == "live_state" or body == "scene":
            assert self.cursor is None or before == self.cursor, f"{body}: {before} at {self.cursor}"
        if self.live is not None and body == "live_state":
            self.live.take(event)
        if self.copy is not None and body != "scene":
            self.copy.take(event)


class Guest:
    """A connection of the storm: what it asked, in order, and what it was told."""

    def __init__(self, storm, name):
        self.storm = storm
        self.client = Client(storm.daemon.socket, name, actor=name.split(".")[0])
        self.client.next_id = storm.random.choice((1, 1, 1 << 32, (1 << 64) - (1 << 30)))
        storm.pool.epoch = self.client.hello.epoch
        self.asked = []  # (id, frame), not answered yet
        self.streams = {}
        self.parts = 0

    def ask(self, frame):
        number = self.client.send(frame)
        self.asked.append((number, frame))
        self.storm.trace.append((self.client.name, frame))
        del self.storm.trace[:-400]

    def take(self, frame):
        """One frame of the daemon."""
        if frame.HasField("reply"):
            self.take_reply(frame.reply)
        elif frame.HasField("event"):
            event = frame.event
            if event.WhichOneof("body") == "barrier" and not event.subscription:
                return
            stream = self.streams.get(event.subscription)
            assert stream is not None, f"an event of a subscription that is none: {event}"
            try:
                stream.take(event)
            except Exception as fault:
                raise AssertionError(f"subscription {stream.request}\nevent {event}") from fault
            if self.storm.random.random() < 0.2:
                self.storm.pool.learn(event)
        else:
            raise AssertionError(f"a goodbye: {frame.goodbye}")

    def take_reply(self, reply):
        assert self.asked, f"a reply to nothing: {reply}"
        number, frame = self.asked[0]
        assert reply.id == number, f"a reply to {reply.id}, not to {number}"
        name = frame.WhichOneof("request")
        result = reply.WhichOneof("result")
        self.parts = self.parts + 1 if reply.more else 0
        if result == "error":
            code = code_name(reply.error.code)
            assert code not in NEVER and reply.error.message, f"{frame}\nanswered {reply}"
            self.storm.codes[code] = self.storm.codes.get(code, 0) + 1
            assert not reply.more
        else:
            allowed = RESULTS.get(name, {"done"})
            assert result in allowed, f"{frame}\nanswered {reply}"
            self.storm.hits[name] = self.storm.hits.get(name, 0) + 1
            if result == "subscribed":
                subscription = reply.subscribed.subscription
                assert subscription not in self.streams, "a subscription's number again"
                self.streams[subscription] = Stream(frame.subscribe, reply.subscribed)
            elif name == "unsubscribe":
                del self.streams[frame.unsubscribe.subscription]
            elif name == "move_window":
                assert frame.move_window.subscription in self.streams
            self.storm.pool.learn(reply)
        if not reply.more:
            self.asked.pop(0)
            self.storm.answered += 1

    def settle(self):
        """Takes frames until every request has its reply."""
        while self.asked:
            try:
                self.take(self.client.receive())
            except (Closed, TimeoutError) as fault:
                raise AssertionError(f"{fault!r}; not answered: {self.asked[0][1]}") from fault


class Storm:
    def __init__(self, ctx, seconds=SECONDS):
        self.ctx, self.random, self.seconds = ctx, ctx.random, seconds
        bundle = os.path.join(ctx.folder, "views")
        shutil.copytree(os.path.join(ROOT, "Examples", "bundle"), bundle)
        self.daemon = ctx.daemon(options=["--bundle", bundle])
        self.pool = Pool()
        self.frames = Frames(self.random, self.pool)
        self.trace, self.codes, self.hits = [], {}, {}
        self.answered = self.deaths = self.restarts = 0
        self.guests = [self.guest() for _ in range(5)]

    def guest(self):
        actor = self.random.choice(("anna", "bert", "cleo"))
        return Guest(self, f"{actor}.{self.deaths}")

    def alive(self):
        assert self.daemon.alive(), (
            f"hpd ended with {self.daemon.process.poll()}:\n{self.daemon.log_tail()}")

    def round(self):
        """Some ask, and then all are answered."""
        for guest in self.random.sample(self.guests, self.random.choice((1, 2, 5))):
            for frame in self.drawn(guest):
                guest.ask(frame)
        for guest in self.guests:
            guest.settle()

    def drawn(self, guest):
        """What a guest asks in a round: this and that, an upload, or the same thing again."""
        self.frames.own = {"subscription": list(guest.streams)}
        share = self.random.random()
        if share < 0.1:
            return self.frames.upload()
        if share < 0.13 and self.trace:
            return [self.random.choice(self.trace)[1]]
        return [self.frames.frame() for _ in range(self.random.choice((1, 2, 8)))]

    def look(self):
        """Takes in what is there, so that what is asked next is often about something."""
        with Client(self.daemon.socket, "scout", actor="scout") as scout:
            frame = ClientFrame()
            frame.list_tables.SetInParent()
            tables = scout.request(frame).tables.tables
            for name in ("items", "second"):
                if len(tables) < 2 and all(table.name.lower() != name for table in tables):
                    frame = ClientFrame()
                    frame.create_table.name = name
                    frame.create_table.sections.extend(["one", "two"])
                    scout.request(frame)
            self.pool.tables = {
                name: table for name, table in self.pool.tables.items()
                if any(name == other.name for other in tables)
            }
            for table in tables:
                frame = ClientFrame()
                frame.list_rows.table.id = table.id
                frame.list_rows.count = 40
                page = scout.request(frame).rows
                whole = scout.table(table.name)
                self.pool.put_table(whole, [placed.row.id for placed in page.rows])
                if len(page.rows) < 6:
                    batch = ClientFrame()
                    batch.batch.table.id = table.id
                    for _ in range(6):
                        batch.batch.operations.add().insert_row.row.SetInParent()
                    scout.send(batch)
                    scout.reply()
            frame = ClientFrame()
            frame.scene.step = 16
            for scene in scout.request(frame).scene.scenes:
                frame = ClientFrame()
                frame.scene.step, frame.scene.scene = 2, scene.name
                self.pool.learn(scout.request(frame))

    def vanish(self):
        """One goes away in the middle: of its requests, of a frame."""
        place = self.random.randrange(len(self.guests))
        guest = self.guests[place]
        for _ in range(self.random.randrange(4)):
            guest.ask(self.frames.frame())
        if self.random.random() < 0.5:
            data = framed(self.frames.frame("batch"))
            guest.client.send_bytes(data[: self.random.randrange(1, len(data) + 1)])
        guest.client.close()
        self.deaths += 1
        self.guests[place] = self.guest()

    def restart(self):
        """Ends the daemon in the middle of requests, by force or by order."""
        for guest in self.guests:
            for _ in range(self.random.randrange(3)):
                guest.ask(self.frames.frame())
        self.alive()
        if self.random.random() < 0.5:
            self.daemon.kill()
        else:
            self.daemon.stop()
        for guest in self.guests:
            guest.client.close()
        self.check_store()
        self.daemon.start()
        self.guests = [self.guest() for _ in self.guests]
        self.restarts += 1

    def check_store(self):
        done = subprocess.run([BINARY, "--store", self.daemon.store, "--check"],
                              capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"--check: {done.returncode}\n{done.stdout}{done.stderr}"

    def compare(self):
        """All that was folded is what a snapshot says, table by table."""
        reader = Client(self.daemon.socket, "reader")
        whole = snapshot(reader, table=None).canonical()
        compared = 0
        for guest in self.guests:
            streams = [s for s in guest.streams.values() if not s.ended]
            for stream in streams:
                barrier = ClientFrame()
                barrier.barrier.subscription = stream.number
                barrier.barrier.token = 1 << 40
                guest.ask(barrier)
            guest.settle()
            for stream in streams:
                if stream.copy is None:
                    continue
                while not stream.ended and all(t != 1 << 40 for t, _ in stream.copy.barriers):
                    guest.take(guest.client.receive())
                if stream.ended:
                    continue
                for number, table in stream.copy.canonical().items():
                    assert table == whole[number], f"table {number} of {stream.request}"
                    compared += 1
                stream.copy.barriers.clear()
        reader.close()
        return compared

    def run(self):
        compared = 0
        end = time.monotonic() + self.seconds
        restart_at = time.monotonic() + self.seconds / 4
        while time.monotonic() < end:
            for number in range(10):
                if number % 3 == 0:
                    self.look()
                self.round()
            self.alive()
            compared += self.compare()
            if self.random.random() < 0.5:
                self.vanish()
            if time.monotonic() > restart_at:
                self.restart()
                restart_at += self.seconds / 4
        compared += self.compare()
        self.daemon.stop()
        self.check_store()
        return compared

    def told(self):
        return "\n".join(f"{who}: {frame}" for who, frame in self.trace[-25:])


@seeded
def test_random_requests(ctx):
    storm = Storm(ctx)
    try:
        compared = storm.run()
    except Exception as fault:
        raise AssertionError(f"the last requests were\n{storm.told()}") from fault
    return (f"{storm.answered} answered, {sum(storm.codes.values())} of them refused with "
            f"{len(storm.codes)} codes, {len(storm.hits)} kinds served, {compared} copies compared, "
            f"{storm.deaths} vanished, {storm.restarts} restarts")


def test_no_barrier_of_a_subscription_after_its_unsubscribe(ctx):
    """It may wait for rows in the store when its subscription is taken back (contract K8)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for _ in range(20):
        number = client.subscribe(only_live=True).subscription
        for frame in (batch_frame(insert({"name": "a"})), ClientFrame(), ClientFrame()):
            if frame.WhichOneof("request") is None:
                frame.barrier.subscription, frame.barrier.sql = number, True
            client.send(frame)
        frame = ClientFrame()
        frame.unsubscribe.subscription = number
        ended = client.send(frame)
        while client.reply().id != ended:
            pass
        client.events.clear()
        client.barrier(0, 7, sql=True)
        event = client.event()
        assert not event.subscription and event.barrier.token == 7, event


def test_an_undo_that_shows_nothing_is_told_to_all(ctx):
    """A column that was moved back since stands already where it came from; it is a revision."""
    daemon = ctx.daemon()
    client, reader = ctx.client(daemon), ctx.client(daemon)
    copies = [Copy(reader.subscribe(old_rows=old).subscription) for old in (False, True)]
    for copy in copies:
        copy.until_live(reader)
    steps = []
    for index in (0, 1):
        frame = ClientFrame()
        frame.batch.table.name = "items"
        move = frame.batch.operations.add().move_column
        move.column, move.index = "serial", index
        steps.append(client.request(frame).batch.cursor.revision)
    undo = ClientFrame()
    undo.undo.step = steps[0]
    reply = client.request(undo).batch
    assert reply.last_changed == reply.cursor.revision > steps[1], reply
    for restart in (False, True):
        if restart:
            daemon.kill()
            daemon.start()
            client = ctx.client(daemon)
        (there,) = snapshot(client).canonical().values()
        assert there["last changed"] == reply.last_changed
        for token, copy in enumerate(copies, 1):
            if not restart:
                copy.until_barrier(reader, token)
            assert list(copy.canonical().values()) == [there], copy.last_change


def test_old_rows_come_whatever_their_size(ctx):
    """A change that says little may take away much: old rows have parts of their own (F1)."""
    daemon = ctx.daemon()
    client, reader = ctx.client(daemon), ctx.client(daemon)
    rows = []
    for _ in range(12):
        reply = client.batch(*[insert({"name": "n" * 60_000}) for _ in range(15)])
        rows += [n for run in reply.inserted for n in range(run.first, run.first + run.count)]
    copy = Copy(reader.subscribe(old_rows=True).subscription)
    copy.until_live(reader)
    frame = ClientFrame()
    frame.batch.table.name = "items"
    frame.batch.operations.add().delete_where.filter.SetInParent()
    since = client.hello.epoch, client.table().last_changed
    client.request(frame)
    live = told_old_rows(reader, lambda event: event.change.revision and event.last)
    assert sorted(row.id for row in live) == sorted(rows), f"{len(live)} of {len(rows)}"
    assert all(len(row.cells[0].text) == 60_000 for row in live)
    reader.subscribe(since=since, old_rows=True)
    later = told_old_rows(reader, lambda event: event.WhichOneof("body") == "live")
    assert sorted(row.id for row in later) == sorted(rows), f"{len(later)} of {len(rows)}"


def test_numbers_at_their_limits_are_no_end(ctx):
    """A basis may name any revision; carried to now it is refused, and hpd goes on."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.insert(name="a")
    for revision in (0, 1, (1 << 53) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
        frame = batch_frame(insert({"name": "b"}, (0, 0)), current=False, transition=True)
        frame.batch.basis.at.epoch = client.hello.epoch
        frame.batch.basis.at.revision = revision
        frame.batch.basis.rebase = True
        refused = client.refused(frame)
        assert refused.code in ("STALE", "FUTURE_REVISION"), refused
    assert len(client.rows()) == 1


def told_old_rows(client, is_last):
    """The old rows of a subscription's next events."""
    rows = []
    while True:
        event = client.event()
        rows += event.change.old_rows
        if is_last(event):
            return rows


def test_two_hundred_windows_beside_a_large_upload(ctx):
    """Windows on one connection see 20,000 rows come at once; a deaf one and a half frame beside."""
    daemon = ctx.daemon()
    client, reader, deaf = ctx.client(daemon), ctx.client(daemon), ctx.client(daemon)
    client.batch(insert_section("one"), *[insert({"name": f"n{n}"}) for n in range(300)])
    windows = [
        WindowCopy(reader, position=place, length=50) if place % 2
        else WindowCopy(reader, position=place, length=10)
        for place in range(200)
    ]
    for place in range(50):
        WindowCopy(deaf, position=place, length=100)
    half = ctx.client(daemon)
    half.send_bytes(framed(batch_frame(insert({"name": "half"})))[:-3])
    frames = [ClientFrame() for _ in range(12)]
    frames[0].upload_begin.upload = 1
    for part, frame in enumerate(frames[1:-1]):
        batch = batch_frame(*[insert({"name": f"u{part}.{n}"}) for n in range(2000)]).batch
        if part:
            batch.ClearField("table")
            batch.ClearField("basis")
        frame.upload_part.upload, frame.upload_part.part = 1, part
        frame.upload_part.batch.CopyFrom(batch)
    frames[-1].upload_commit.upload, frames[-1].upload_commit.parts = 1, 10
    for frame in frames:
        client.send(frame)
    replies = [client.reply() for _ in frames]
    assert replies[-1].batch.counts.rows_inserted == 20_000, replies[-1]
    by_number = {window.subscription: window for window in windows}
    reader.barrier(0, 9)
    while True:
        event = reader.event()
        if event.WhichOneof("body") == "barrier":
            break
        by_number[event.subscription].take(event)
    (table,) = snapshot(client).tables.values()
    assert len(table.ids()) == 20_300
    for window in windows:
        window.equals(table)
    half.socket.close()
    assert all(placed.row.cells[0].text != "half" for placed in client.rows())

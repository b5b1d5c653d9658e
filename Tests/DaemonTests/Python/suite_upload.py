"""Batches that are sent in parts (contract K2): whole, once, or not at all; nobody waits for them."""

import os
import random
import sqlite3
import struct
import subprocess
import time

from client import Refused, batch_frame, delete, framed, insert, move, update
from daemon import wait_until
from fold import Copy, runs, snapshot
from run import seeded
from schema import ClientFrame

SIZE = 400


def names(client, table="items"):
    return [cell.text for placed in client.rows(table) for cell in placed.row.cells if cell.column == 1]


def parts_of(frame, size=SIZE):
    """The batch of a frame, cut into pieces of so many operations."""
    whole = list(frame.batch.operations)
    cut = [whole[first : first + size] for first in range(0, len(whole), size)] or [[]]
    head = frame.batch
    del head.operations[:]
    frames = []
    for number, operations in enumerate(cut):
        part = ClientFrame()
        part.upload_part.part = number
        part.upload_part.batch.SetInParent()
        if number == 0:
            part.upload_part.batch.CopyFrom(head)
        part.upload_part.batch.operations.extend(operations)
        frames.append(part)
    return frames


def upload_frames(frame, upload=1, size=SIZE):
    """All frames of an upload of a frame's batch; the commit has its envelope."""
    frames = parts_of(frame, size)
    for part in frames:
        part.upload_part.upload = upload
    begin = ClientFrame()
    begin.upload_begin.upload = upload
    commit = ClientFrame()
    commit.upload_commit.upload = upload
    commit.upload_commit.parts = len(frames)
    if frame.HasField("key"):
        commit.key = frame.key
    if frame.HasField("retry_until"):
        commit.retry_until = frame.retry_until
    if frame.HasField("expect"):
        commit.expect.CopyFrom(frame.expect)
    return [begin] + frames + [commit]


def upload(client, *operations, size=SIZE, number=1, **more):
    """Uploads a batch and returns its outcome."""
    for frame in upload_frames(batch_frame(*operations, **more), number, size):
        reply = client.request(frame)
    return reply.batch


def refused_upload(client, *operations, **more):
    try:
        upload(client, *operations, **more)
    except Refused as refused:
        return refused
    raise AssertionError("not refused")


def live_copy(client, **fields):
    copy = Copy(client.subscribe(**fields).subscription)
    copy.until_live(client)
    return copy


def rows(count, prefix="r"):
    return [insert({"name": f"{prefix}{number}", "value": number}) for number in range(count)]


def test_parts_make_one_revision(ctx):
    client = ctx.client(ctx.daemon())
    before = client.hello.revision
    outcome = upload(client, *rows(1000), size=7)
    assert outcome.cursor.revision == before + 1 and outcome.counts.rows_inserted == 1000
    assert names(client) == [f"r{number}" for number in range(1000)]
    assert len(runs(outcome.inserted)) == 1000
    # Handles reach over parts.
    kept = insert({"name": "kept"}, handle=5)
    change = update(1, name="changed")
    change.update_row.row.handle = 5
    outcome = upload(client, kept, *rows(20, "x"), change, size=3)
    assert outcome.counts.rows_inserted == 21
    assert "changed" in names(client) and "kept" not in names(client)


@seeded
def test_same_as_one_frame(ctx):
    """Random batches, cut anywhere, come to what they come to in one frame."""
    random_ = ctx.random
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for name in ("whole", "cut"):
        frame = ClientFrame()
        frame.create_table.name = name
        frame.create_table.sections.append("one")
        client.request(frame)
    ids = {"whole": [], "cut": []}
    for _ in range(25):
        plan = []
        count = len(ids["whole"])
        for _ in range(random_.randrange(1, 60)):
            what = random_.randrange(5)
            if what < 2 or count == 0:
                plan.append(("insert", random_.randrange(1000)))
            elif what == 2:
                plan.append(("update", random_.randrange(count), random_.randrange(1000)))
            elif what == 3:
                plan.append(("move", random_.randrange(count), random_.randrange(count)))
            else:
                plan.append(("value", random_.randrange(count), random_.randrange(1000)))
        results = {}
        for table in ("whole", "cut"):
            operations = []
            for step in plan:
                if step[0] == "insert":
                    operations.append(insert({"name": f"n{step[1]}"}))
                elif step[0] == "update":
                    operations.append(update(ids[table][step[1]], name=f"u{step[2]}"))
                elif step[0] == "move":
                    operations.append(move(ids[table][step[1]], (0, step[2])))
                else:
                    operations.append(update(ids[table][step[1]], value=step[2]))
            if table == "whole":
                outcome = client.batch(*operations, table=table)
            else:
                outcome = upload(
                    client, *operations, table=table, size=random_.randrange(1, 9))
            ids[table] += runs(outcome.inserted)
            results[table] = (outcome.counts, outcome.unchanged)
        assert results["whole"] == results["cut"]
        assert names(client, "whole") == names(client, "cut")


def test_frames_cut_everywhere(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for number, frame in enumerate(upload_frames(batch_frame(*rows(12)), size=5)):
        frame.id = client.next_id
        client.next_id += 1
        data = framed(frame)
        for index in range(len(data)):
            client.send_bytes(data[index : index + 1])
        assert not client.reply().HasField("error")
    assert len(names(client)) == 12


def test_pipelined(ctx):
    client = ctx.client(ctx.daemon())
    frames = upload_frames(batch_frame(*rows(3000)), size=50)
    sent = [client.send(frame) for frame in frames]
    replies = [client.reply() for _ in frames]
    assert [reply.id for reply in replies] == sent
    assert replies[-1].batch.counts.rows_inserted == 3000
    assert [reply.upload.parts for reply in replies[:-1]] == list(range(len(frames) - 1))


def test_refusals(ctx):
    daemon = ctx.daemon(options=["--max-upload", "65536"])
    client = ctx.client(daemon)
    unknown = ClientFrame()
    unknown.upload_part.upload = 9
    unknown.upload_part.batch.operations.extend(rows(1))
    assert client.refused(unknown).code == "NO_SUCH_UPLOAD"
    commit = ClientFrame()
    commit.upload_commit.upload = 9
    assert client.refused(commit).code == "NO_SUCH_UPLOAD"
    abort = ClientFrame()
    abort.upload_abort.upload = 9
    assert client.refused(abort).code == "NO_SUCH_UPLOAD"
    begin = ClientFrame()
    begin.upload_begin.upload = 0
    assert client.refused(begin).code == "BAD_REQUEST"

    # Twice the same number, and more than there may be.
    begin.upload_begin.upload = 1
    client.request(begin)
    assert client.refused(begin).code == "BAD_REQUEST"
    for number in range(2, 17):
        begin.upload_begin.upload = number
        client.request(begin)
    begin.upload_begin.upload = 17
    assert client.refused(begin).code == "TOO_MANY_REQUESTS"
    for number in range(1, 17):
        abort.upload_abort.upload = number
        client.request(abort)

    # An empty one, and a commit that names other parts.
    begin.upload_begin.upload = 1
    client.request(begin)
    commit.upload_commit.upload = 1
    assert client.refused(commit).code == "BAD_REQUEST"
    assert client.refused(commit).code == "NO_SUCH_UPLOAD"
    frames = upload_frames(batch_frame(*rows(10)), size=2)
    for frame in frames[:-1]:
        client.request(frame)
    frames[-1].upload_commit.parts = 4
    assert client.refused(frames[-1]).code == "BAD_REQUEST"

    # Parts out of order: the upload is gone.
    frames = upload_frames(batch_frame(*rows(10)), size=2)
    client.request(frames[0])
    client.request(frames[1])
    late = client.refused(frames[3])
    assert late.code == "BAD_REQUEST" and late.error.expected == "part 1"
    assert client.refused(frames[2]).code == "NO_SUCH_UPLOAD"

    # A head in a later part.
    frames = upload_frames(batch_frame(*rows(10)), size=2)
    frames[2].upload_part.batch.dry_run = True
    client.request(frames[0])
    client.request(frames[1])
    assert client.refused(frames[2]).code == "BAD_REQUEST"

    # Unknown fields and bad text are told with their place when the part comes.
    frames = upload_frames(batch_frame(*rows(4)), size=2)
    client.request(frames[0])
    bad = bytearray(framed(_numbered(client, frames[1])))
    place = bytes(bad).index(b"r1")
    bad[place] = 0xFF
    client.send_bytes(bytes(bad))
    assert client.reply().error.code == 3  # BAD_TEXT
    client.request(frames[1])
    client.request(frames[2])
    assert client.request(frames[3]).batch.counts.rows_inserted == 4

    # Quota: announced, then by parts; a refused part ends the upload.
    begin.upload_begin.bytes = 70_000
    too_large = client.refused(begin)
    assert too_large.code == "UPLOAD_TOO_LARGE" and "65536" in too_large.error.expected
    frames = upload_frames(batch_frame(*rows(4000)), size=1000)
    client.request(frames[0])
    codes = [client.refused(frame).code if number > 1 else client.request(frame)
             for number, frame in enumerate(frames[1:-1])][2:]
    assert codes == ["UPLOAD_TOO_LARGE", "NO_SUCH_UPLOAD"], codes
    assert client.refused(frames[-1]).code == "NO_SUCH_UPLOAD"
    # All of it was given back.
    upload(client, *rows(1500), size=500)
    assert len(names(client)) == 1504


def _numbered(client, frame):
    frame.id = client.next_id
    client.next_id += 1
    return frame


def test_quota_of_a_user(ctx):
    daemon = ctx.daemon(options=["--max-upload", "65536"])
    clients = [ctx.client(daemon) for _ in range(3)]
    frames = upload_frames(batch_frame(*rows(1500)), size=1500)
    for client in clients[:2]:
        client.request(frames[0])
        client.request(frames[1])
    clients[2].request(frames[0])
    assert clients[2].refused(frames[1]).code == "UPLOAD_TOO_LARGE"
    clients[0].close()
    # A connection that is lost gives its room back.
    def fits():
        try:
            clients[2].request(frames[0])
            clients[2].request(frames[1])
            return True
        except Refused:
            return False
    wait_until("the room of a lost connection", fits)
    assert clients[2].request(frames[2]).batch.counts.rows_inserted == 1500
    limits = clients[2].hello.limits
    assert (limits.upload, limits.upload_uid, limits.upload_total) == (65536, 131072, 262144)
    assert limits.upload_connection == 65536 and limits.upload_seconds == 60


def test_refused_batches_change_nothing(ctx):
    client = ctx.client(ctx.daemon())
    upload(client, *rows(50))
    before = (names(client), client.table().last_changed)
    bad = rows(60, "x") + [update(999_999, name="gone")] + rows(5, "y")
    error = refused_upload(client, *bad, size=7)
    assert error.code == "NO_SUCH_ROW" and error.error.operation == 60
    nameless = rows(30) + [insert({"value": ("text", "x")})]
    error = refused_upload(client, *nameless, size=4)
    assert error.code == "WRONG_KIND" and error.error.operation == 30
    empty = batch_frame(*rows(10)).batch.operations
    empty.add()
    error = refused_upload(client, *empty, size=4)
    assert error.code == "BAD_REQUEST" and error.error.operation == 10
    assert refused_upload(client, *rows(5), table="none").code == "NO_SUCH_TABLE"
    assert (names(client), client.table().last_changed) == before
    assert client.batch(insert({"name": "after"})).cursor.revision == before[1] + 1


def test_expectations_keys_and_dry_runs_are_judged_at_commit(ctx):
    daemon = ctx.daemon()
    client, other = ctx.client(daemon), ctx.client(daemon)
    base = (client.hello.epoch, client.hello.revision)
    frames = upload_frames(batch_frame(*rows(20), expect=base), size=6)
    for frame in frames[:-1]:
        client.request(frame)
    other.insert(name="between")
    assert client.refused(frames[-1]).code == "STALE"
    assert client.refused(frames[-1]).code == "NO_SUCH_UPLOAD"

    dry = upload(client, *rows(20), size=6, dry_run=True, key="k")
    assert dry.dry_run and dry.inserted[0].first == 2**64 - 1 and names(client) == ["between"]

    first = upload(client, *rows(20), size=6, key="k")
    again = upload(client, *rows(20), size=3, key="k")  # cut otherwise
    assert again.replayed and again.cursor == first.cursor and not first.replayed
    assert runs(again.inserted) == runs(first.inserted)
    assert refused_upload(client, *rows(21), size=6, key="k").code == "KEY_REUSED"
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    again = upload(client, *rows(20), size=20, key="k")
    assert again.replayed and again.cursor == first.cursor
    assert len(names(client)) == 21


def test_abort_and_lost_connections_leave_nothing(ctx):
    daemon = ctx.daemon()
    client, watcher = ctx.client(daemon), ctx.client(daemon)
    revision = client.hello.revision
    frames = upload_frames(batch_frame(*rows(1000)), size=100)
    for frame in frames[:-1]:
        client.request(frame)
    abort = ClientFrame()
    abort.upload_abort.upload = 1
    client.request(abort)
    assert client.refused(frames[-1]).code == "NO_SUCH_UPLOAD"
    for frame in frames[:-1]:
        client.request(frame)
    client.close()
    assert names(watcher) == [] and watcher.table().last_changed <= revision


def test_transitions_in_parts(ctx):
    daemon = ctx.daemon()
    client, watcher = ctx.client(daemon), ctx.client(daemon)
    upload(client, *rows(2000), size=500)
    copy = live_copy(watcher)
    # Every second row goes, the others turn round, new ones fill the ends.
    operations = [delete((0, row)) for row in range(0, 2000, 2)]
    stay = list(range(1, 2000, 2))
    operations += [move((0, row), (0, len(stay) - 1 - at)) for at, row in enumerate(stay)]
    operations += [insert({"name": f"n{number}"}, at=(0, 1000 + number)) for number in range(500)]
    expected = [f"r{row}" for row in reversed(stay)] + [f"n{number}" for number in range(500)]
    random.Random(4).shuffle(operations)
    outcome = upload(client, *operations, size=77, transition=True)
    got = names(client)
    assert got[:1000] == expected[:1000] and sorted(got[1000:]) == sorted(expected[1000:])
    assert outcome.counts.rows_deleted == 1000
    copy.until_revision(watcher, outcome.cursor.revision)
    assert copy.canonical() == snapshot(client).canonical()
    clash = [delete((0, 3))] * 2
    error = refused_upload(client, *rows_at(30), *clash, size=9, transition=True)
    assert error.code == "DUPLICATE" and error.error.operation == 31


def rows_at(count):
    return [insert({"name": "t"}, at=(0, number)) for number in range(count)]


def big(count, prefix="b"):
    return [insert({"name": f"{prefix}{number}", "serial": f"{number:06d}"}) for number in range(count)]


def test_others_go_on_meanwhile(ctx):
    """Readers of the table and writers of another one are served in the middle of a long change."""
    others_go_on(ctx, 3000)


def test_others_go_on_between_small_parts(ctx):
    """Where a change makes room between two parts, others see none of it either."""
    others_go_on(ctx, 5)


def others_go_on(ctx, size):
    daemon = ctx.daemon()
    client, reader, writer = ctx.client(daemon), ctx.client(daemon), ctx.client(daemon)
    watcher = ctx.client(daemon)
    frame = ClientFrame()
    frame.create_table.name = "other"
    writer.request(frame)
    first = client.insert(name="first")
    copy = live_copy(watcher)
    operations = big(30_000) + [update(first, name="changed")]
    frames = upload_frames(batch_frame(*operations), size=size)
    for part in frames[:-1]:
        client.request(part)
    number = client.send(frames[-1])
    reads = writes = 0
    slowest = 0
    while not client.replies:
        began = time.monotonic()
        page = reader.get(first)
        text = next(cell.text for cell in page.rows[0].row.cells if cell.column == 1)
        page = ClientFrame()
        page.list_rows.table.name, page.list_rows.count = "items", 5
        found = reader.request(page).rows.rows
        total = _count(reader)
        slowest = max(slowest, time.monotonic() - began)
        # All of it or nothing of it, never something between; reads stand in order.
        seen = [text == "changed", len(found) == 5, total == 30_001]
        what = (text, len(found), total)
        assert text in ("first", "changed") and len(found) in (1, 5) and total in (1, 30_001), what
        assert seen == sorted(seen), seen
        reads += 1
        if writer.insert(table="other", name="w"):
            writes += 1
        try:
            client.pump(0.0001)
        except TimeoutError:
            pass
    reply = client.reply()
    assert reply.id == number and reply.batch.counts.rows_inserted == 30_000
    assert reads > 3 and writes > 3, "nobody had a turn"
    assert slowest < 5
    copy.until_revision(watcher, reply.batch.cursor.revision)
    assert copy.canonical() == snapshot(client).canonical()
    # What the client is told stands behind its own change, and the rows reach the disk.
    client.barrier(sql=True)
    wait_until("the rows on disk", lambda: _is_written(daemon))


def _is_written(daemon):
    connection = sqlite3.connect(f"file:{daemon.store}?mode=ro", uri=True, timeout=10)
    try:
        revision, materialised, partial = connection.execute(
            "SELECT revision, materialised, partial FROM hpd_status").fetchone()
        rows = connection.execute("SELECT count(*) FROM items").fetchone()[0]
        return revision == materialised and not partial and rows == 30_001
    finally:
        connection.close()


def _count(client):
    frame = ClientFrame()
    frame.count_rows.table.name = "items"
    return client.request(frame).count.rows


def test_changes_of_the_same_table_wait(ctx):
    daemon = ctx.daemon()
    client, other = ctx.client(daemon), ctx.client(daemon)
    frames = upload_frames(batch_frame(*big(20_000)), size=5000)
    for part in frames[:-1]:
        client.request(part)
    client.send(frames[-1])
    client.send(batch_frame(insert({"name": "behind"})))
    other.insert(name="beside")
    first, second = client.reply(), client.reply()
    assert first.batch.counts.rows_inserted == 20_000 and second.batch.counts.rows_inserted == 1
    assert sorted(names(client)[20_000:]) == ["behind", "beside"] or names(client)[0] == "beside"
    assert second.batch.cursor.revision > first.batch.cursor.revision


def test_a_client_that_goes_takes_its_change_back(ctx):
    daemon = ctx.daemon()
    client, watcher = ctx.client(daemon), ctx.client(daemon)
    frames = upload_frames(batch_frame(*big(60_000)), size=6000)
    for part in frames[:-1]:
        client.request(part)
    client.send(frames[-1])
    client.close()
    # Whatever it came to: whole or nothing, and the table takes changes again.
    watcher.insert(name="after")
    assert _count(watcher) in (1, 60_001)


@seeded
def test_killed_in_the_middle(ctx):
    """kill -9 at any moment of an upload: wholly there or wholly absent."""
    daemon = ctx.daemon()
    there = 0
    for round in range(6):
        client = ctx.client(daemon)
        frames = upload_frames(batch_frame(*big(12_000, f"k{round}-"), key=f"k{round}"), size=3000)
        for part in frames[:-1]:
            client.request(part)
        client.send(frames[-1])
        time.sleep(ctx.random.random() * 1.5)
        daemon.kill()
        daemon.start()
        client = ctx.client(daemon)
        count = _count(client)
        assert count in (there * 12_000, (there + 1) * 12_000), count
        there = count // 12_000
        # The key says which it was, and the batch can be sent again.
        outcome = None
        for frame in upload_frames(
            batch_frame(*big(12_000, f"k{round}-"), key=f"k{round}"), size=4000
        ):
            outcome = client.request(frame)
        there += 0 if outcome.batch.replayed else 1
        assert _count(client) == there * 12_000 == (round + 1) * 12_000
        client.close()


def test_many_rows_in_slices(ctx):
    """Where, sort and rebase on large tables come to what they come to on small ones."""
    daemon = ctx.daemon()
    client, watcher = ctx.client(daemon), ctx.client(daemon)
    upload(client, *big(25_000), size=5000)
    copy = live_copy(watcher)
    frame = batch_frame()
    operation = frame.batch.operations.add()
    operation.update_where.filter.SetInParent()
    cell = operation.update_where.cells.add()
    cell.column_name, cell.decimal = "value", 7
    operation = frame.batch.operations.add()
    operation.sort_section.section.index = 0
    rule = operation.sort_section.by.add()
    rule.column, rule.descending = "serial", True
    reply = client.request(frame).batch
    assert reply.counts.rows_updated == 25_000
    assert names(client)[0] == "b24999" and names(client)[-1] == "b0"
    copy.until_revision(watcher, reply.cursor.revision)
    assert copy.canonical() == snapshot(client).canonical()
    frame = batch_frame()
    frame.batch.operations.add().delete_where.filter.SetInParent()
    reply = client.request(frame).batch
    assert reply.counts.rows_deleted == 25_000 and _count(client) == 0
    daemon.kill()
    daemon.start()
    assert _count(ctx.client(daemon)) == 0


class Clock:
    """A daemon's monotonic clock, which can be put forward."""

    def __init__(self, ctx):
        library = os.path.join(ctx.folder, "clock.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        self.path = os.path.join(ctx.folder, "ahead")
        self.seconds = 0
        self.add(0)
        self.environment = {**os.environ, "LD_PRELOAD": library, "HPD_TEST_CLOCK": self.path}

    def add(self, seconds):
        self.seconds += seconds
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as file:
            file.write(struct.pack("=q", self.seconds))


def test_an_upload_that_waits_too_long_ends(ctx):
    """60 s without a part (contract K2): it is gone, and its room is given back."""
    clock = Clock(ctx)
    daemon = ctx.daemon(options=["--max-upload", "65536"], environment=clock.environment)
    client, other = ctx.client(daemon), ctx.client(daemon)
    assert client.hello.limits.upload_seconds == 60
    frames = upload_frames(batch_frame(*rows(1200)), size=400)
    client.request(frames[0])
    client.request(frames[1])
    # Each part begins the time anew.
    for frame in frames[2:4]:
        clock.add(58)
        assert client.request(frame).upload.parts > 1
    clock.add(58)
    assert names(other) == []
    # Another one of the same connection ends by its own time.
    late = upload_frames(batch_frame(*rows(10, "l")), upload=2)
    client.request(late[0])
    clock.add(3)
    assert names(other) == []
    wait_until("the end of the upload", lambda: "upload ended" in daemon.log_tail())
    assert client.refused(frames[4]).code == "NO_SUCH_UPLOAD"
    client.request(late[1])
    assert client.request(late[2]).batch.counts.rows_inserted == 10
    # All of the room is there again: what takes nearly all of it fits.
    assert upload(client, *rows(1500), size=500, number=3).counts.rows_inserted == 1500
    assert names(other)[:10] == [f"l{number}" for number in range(10)]
    assert "reason=idle" in daemon.log_tail()

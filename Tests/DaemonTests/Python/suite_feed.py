"""The change feed: state first, then every change once, in order (SPEC 5, contracts K1, K8, F)."""

import json
import os
import subprocess
import sys
import time

from client import Refused, batch_frame, delete_section, insert, insert_section, move, update
from daemon import store_status, wait_until
from fold import Copy, snapshot
from run import seeded
from schema import ClientFrame, code_name


def live_copy(client, **fields):
    copy = Copy(client.subscribe(**fields).subscription)
    copy.until_live(client)
    return copy


def unsubscribe(client, subscription):
    frame = ClientFrame()
    frame.unsubscribe.subscription = subscription
    return client.request(frame)


def test_a_snapshot_and_what_follows(ctx):
    daemon = ctx.daemon()
    writer, watcher = ctx.client(daemon, "writer"), ctx.client(daemon, "watcher")
    writer.batch(insert({"name": "a"}), insert({"name": "b"}))
    reply = watcher.subscribe()
    assert reply.snapshot and reply.foldable
    copy = Copy(reply.subscription)
    copy.until_live(watcher)
    assert copy.cursor == (getattr(reply, "from").epoch, getattr(reply, "from").revision)
    table = next(iter(copy.tables.values()))
    assert len(table.ids()) == 2
    done = writer.batch(insert({"name": "c"}))
    copy.until_revision(watcher, done.cursor.revision)
    change = copy.last_change
    assert change.revision == done.cursor.revision
    assert change.actor == "writer" and change.uid == os.getuid()
    assert change.client == writer.hello.client
    assert change.request == writer.next_id - 1
    assert abs(change.time / 1e6 - time.time()) < 60
    assert len(table.ids()) == 3


def test_the_reply_comes_before_the_event_on_its_connection(ctx):
    client = ctx.client(ctx.daemon())
    copy = live_copy(client)
    for _ in range(50):
        client.send(batch_frame(insert({"name": "x"})))
        seen = []
        while len(seen) < 2:
            frame = client.receive()
            seen.append("reply" if frame.HasField("reply") else "event")
            if frame.HasField("event"):
                copy.take(frame.event)
                if not frame.event.HasField("change"):
                    seen.pop()
        assert seen == ["reply", "event"]


def test_resume_over_a_restart(ctx):
    daemon = ctx.daemon()
    writer, watcher = ctx.client(daemon), ctx.client(daemon)
    row = writer.insert(name="a")
    copy = live_copy(watcher)
    for stop in (daemon.stop, daemon.kill):
        for number in range(5):
            writer.batch(update(row, name=f"{stop.__name__} {number}"))
            writer.insert(name=str(number))
        stop()
        daemon.start()
        writer, watcher = ctx.client(daemon), ctx.client(daemon)
        reply = watcher.subscribe(since=copy.cursor)
        assert not reply.snapshot
        assert (getattr(reply, "from").epoch, getattr(reply, "from").revision) == copy.cursor
        copy.resume(reply.subscription)
        copy.until_live(watcher)
        assert copy.canonical() == snapshot(writer).canonical()


def test_resume_at_the_newest_sends_nothing(ctx):
    client = ctx.client(ctx.daemon())
    client.insert(name="a")
    copy = live_copy(client)
    unsubscribe(client, copy.subscription)
    reply = client.subscribe(since=copy.cursor)
    assert not reply.snapshot
    event = client.event()
    assert event.HasField("live") and event.live.resumed


def test_cursors_that_cannot_be_served(ctx):
    client = ctx.client(ctx.daemon())
    client.insert(name="a")
    epoch, revision = client.hello.epoch, client.table().last_changed

    def asked(since, **fields):
        frame = ClientFrame()
        frame.subscribe.table.name = "items"
        frame.subscribe.since.epoch, frame.subscribe.since.revision = since
        for name, value in fields.items():
            setattr(frame.subscribe, name, value)
        return frame

    assert client.refused(asked((epoch ^ 1, revision))).code == "WRONG_EPOCH"
    assert client.refused(asked((epoch, revision + 1))).code == "FUTURE_REVISION"
    for since in ((epoch ^ 1, revision), (epoch, revision + 1)):
        reply = client.request(asked(since, snapshot_if_lost=True)).subscribed
        assert reply.snapshot
        copy = Copy(reply.subscription)
        copy.until_live(client)
        assert copy.cursor == (epoch, revision)
        unsubscribe(client, reply.subscription)


def test_only_live(ctx):
    client = ctx.client(ctx.daemon())
    client.insert(name="a")
    reply = client.subscribe(only_live=True)
    assert not reply.snapshot
    done = client.batch(insert({"name": "b"}))
    kinds = []
    while True:
        event = client.event()
        kinds.append(event.WhichOneof("body"))
        if event.HasField("change"):
            assert event.change.revision == done.cursor.revision
            break
    assert "snapshot" not in kinds and "rows" not in kinds


def test_barriers(ctx):
    daemon = ctx.daemon()
    writer, watcher = ctx.client(daemon), ctx.client(daemon)
    one, two = live_copy(watcher), live_copy(watcher)
    done = writer.batch(insert({"name": "a"}))
    watcher.barrier(one.subscription, 11)
    one.until(watcher, lambda copy: copy.barriers)
    assert one.barriers[0][0] == 11 and one.barriers[0][1] >= done.cursor.revision
    # 0: all of the connection, an event of subscription 0 when each is there.
    done = writer.batch(insert({"name": "b"}))
    watcher.barrier(0, 12)
    while True:
        event = watcher.event()
        if event.subscription == 0:
            assert event.barrier.token == 12
            assert event.barrier.revision >= done.cursor.revision
            break
        (one if event.subscription == one.subscription else two).take(event)
    assert one.revision >= done.cursor.revision and two.revision >= done.cursor.revision
    # Without any subscription, and for a foreign number.
    lonely = ctx.client(daemon)
    lonely.barrier(0, 13)
    assert lonely.event().barrier.token == 13
    frame = ClientFrame()
    frame.barrier.subscription = 77
    assert lonely.refused(frame).code == "NO_SUCH_SUBSCRIPTION"


def test_nothing_follows_an_unsubscribe(ctx):
    daemon = ctx.daemon()
    writer, watcher = ctx.client(daemon), ctx.client(daemon)
    first = watcher.subscribe().subscription
    unsubscribe(watcher, first)
    watcher.events.clear()
    writer.insert(name="a")
    second = watcher.subscribe().subscription
    assert second != first, "a number was given again"
    copy = Copy(second)
    copy.until_barrier(watcher, 1)
    assert all(event.subscription == second for event in watcher.events)
    frame = ClientFrame()
    frame.unsubscribe.subscription = first
    assert watcher.refused(frame).code == "NO_SUCH_SUBSCRIPTION"


def test_a_big_section_comes_in_parts(ctx):
    """Snapshots and changes larger than a frame (K2), byte for byte."""
    daemon = ctx.daemon()
    writer, watcher = ctx.client(daemon), ctx.client(daemon)
    copy = live_copy(watcher)
    big = "y" * 60_000
    for number in range(0, 240, 12):
        done = writer.batch(*[insert({"name": big, "value": number + n}) for n in range(12)])
        copy.until_revision(watcher, done.cursor.revision)
    rows = [placed.row.id for placed in writer.rows()]
    assert len(rows) == 240
    done = writer.batch(
        *[insert({"name": "a" * 200, "serial": str(n)}, (0, n * 37 % 200)) for n in range(3000)])
    copy.until_revision(watcher, done.cursor.revision)
    assert copy.canonical() == snapshot(writer).canonical()
    # One revision whose event is larger than a frame: rows of 14 MB move into a new section, which
    # is told as deletes and inserts, with the rows.
    old = next(iter(copy.tables.values())).sections[0]
    done = writer.batch(
        insert_section("other", handle=1), *[move(row, ("last_of", {"as": 1})) for row in rows])
    copy.until_revision(watcher, done.cursor.revision)
    assert copy.parts_of_last > 3
    assert copy.moved == set(rows)
    assert copy.canonical() == snapshot(writer).canonical()
    done = writer.batch(delete_section(old))
    copy.until_revision(watcher, done.cursor.revision)
    assert copy.canonical() == snapshot(writer).canonical()


def test_replay_of_all_history_gives_the_table(ctx):
    """From the first revision there is, over a restart, equal to a fresh snapshot."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    start = snapshot(client)
    rows = [client.insert(name=str(n)) for n in range(20)]
    for number in range(100):
        client.batch(
            update(rows[number % 20], name=f"n{number}"), move(rows[(number * 7) % 20], (0, 3)))
    daemon.stop()
    daemon.start()
    client = ctx.client(daemon)
    assert start.revision >= client.hello.oldest_revision - 1
    start.resume(client.subscribe(since=start.cursor).subscription)
    start.until_live(client)
    assert start.canonical() == snapshot(client).canonical()


def test_all_tables(ctx):
    client = ctx.client(ctx.daemon())
    copy = live_copy(client, table=None)
    frame = ClientFrame()
    frame.create_table.name = "books"
    try:
        client.request(frame)
    except Refused as refused:
        assert refused.code == "UNSUPPORTED"
    else:
        client.insert(name="x", table="books")
    client.insert(name="y")
    copy.until_barrier(client, 1)
    assert copy.canonical() == snapshot(client, table=None).canonical()


def test_many_subscriptions_on_one_connection(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    copies = {}
    for _ in range(200):
        number = client.subscribe().subscription
        copies[number] = Copy(number)
    done = client.batch(insert({"name": "a"}))
    client.barrier(0, 5)
    while True:
        event = client.event()
        if event.subscription == 0:
            break
        copies[event.subscription].take(event)
    assert all(copy.revision >= done.cursor.revision for copy in copies.values())
    first = next(iter(copies.values())).canonical()
    assert all(copy.canonical() == first for copy in copies.values())
    limit = client.hello.limits.subscriptions
    frame = ClientFrame()
    frame.subscribe.table.name = "items"
    frame.subscribe.only_live = True
    for _ in range(limit - 200):
        client.request(frame)
    assert client.refused(frame).code == "TOO_MANY_SUBSCRIPTIONS"


def info(client):
    frame = ClientFrame()
    frame.info.SetInParent()
    return client.request(frame).info


def goodbyes(client):
    """How many clients hpd has said goodbye to."""
    return {c.name: c.value for c in info(client).counters}["goodbyes"]


def test_a_slow_reader_is_ended_and_others_go_on(ctx):
    daemon = ctx.daemon()
    writer, good = ctx.client(daemon, "writer"), ctx.client(daemon, "good")
    slow = ctx.client(daemon, "slow")
    copy = live_copy(good)
    number = slow.subscribe(only_live=True).subscription
    row = writer.insert(name="row")
    text = "z" * 60_000
    steps = 0
    slowest = 0.0
    while steps % 10 or goodbyes(writer) == 0:
        assert steps * len(text) < 100 << 20, "100 MB are kept for one reader"
        began = time.monotonic()
        done = writer.batch(update(row, serial=text + str(steps)))
        slowest = max(slowest, time.monotonic() - began)
        copy.until_revision(good, done.cursor.revision)
        steps += 1
    goodbye = slow.read_to_end()
    assert goodbye is not None, "cut without a goodbye"
    assert code_name(goodbye.code) == "TOO_SLOW" and goodbye.message
    reached = {r.subscription: r.revision for r in goodbye.reached}
    whole = [e.change.revision for e in slow.events if e.HasField("change") and e.last]
    assert whole and reached[number] == whole[-1], f"{goodbye}, received up to {whole[-1:]}"
    assert whole[-1] < done.cursor.revision
    again = ctx.client(daemon, "slow")
    reply = again.subscribe(since=(again.hello.epoch, reached[number]))
    assert not reply.snapshot
    resumed = []
    while not resumed or resumed[-1] < done.cursor.revision:
        event = again.event()
        if event.HasField("change") and event.last:
            resumed.append(event.change.revision)
    assert len(whole) + len(resumed) == steps + 1
    assert slowest < 2.0, f"a write took {slowest:.1f} s"
    return f"{steps} writes, slowest {slowest * 1000:.0f} ms"


def test_a_reader_that_never_reads_is_cut_and_told_later(ctx):
    """Memory stays bounded, and the reason is told under the token of its hello (F7)."""
    daemon = ctx.daemon()
    writer, slow = ctx.client(daemon, "writer"), ctx.client(daemon, "slow")
    slow.subscribe(only_live=True)
    row = writer.insert(name="row")
    before = daemon.resident()
    text = "z" * 60_000
    allowed = 4 * writer.hello.limits.output
    for step in range(3 * allowed // 2 // len(text)):
        writer.batch(update(row, serial=text + str(step)))
        if step % 100 == 0:  # rows that wait for being materialised are not what is measured
            wait_until("materialising", lambda: len(set(store_status(daemon.store))) == 1)
    grown = daemon.resident() - before
    assert grown < allowed, f"{grown >> 20} MiB more, {allowed >> 20} allowed"
    wait_until("the end of the connection", lambda: info(writer).clients == 1)
    again = ctx.client(daemon, "slow", hello=False)
    frame = ClientFrame()
    frame.hello.version_min = frame.hello.version_max = 1
    frame.hello.resume_token = slow.hello.resume_token
    hello = again.request(frame).hello
    assert hello.last_goodbye, f"the reason is not told: {hello}"
    assert "TOO_SLOW" in hello.last_goodbye or "unread" in hello.last_goodbye, hello
    return f"{grown >> 20} MiB grown"


def test_progress_marks_move_a_quiet_cursor(ctx):
    """A subscription's barrier moves it past revisions of other tables (F6)."""
    daemon = ctx.daemon()
    writer, watcher = ctx.client(daemon), ctx.client(daemon)
    frame = ClientFrame()
    frame.create_table.name = "books"
    try:
        writer.request(frame)
    except Refused as refused:
        assert refused.code == "UNSUPPORTED"
        return "one table only: nothing to be quiet about"
    copy = live_copy(watcher)
    done = writer.batch(insert({"name": "a"}), table="books")
    copy.until_barrier(watcher, 9)
    assert copy.revision >= done.cursor.revision and copy.last_change is None
    done = writer.batch(insert({"name": "b"}), table="books")
    copy.until_revision(watcher, done.cursor.revision)  # without a barrier, in about a second


@seeded
def test_two_writers_and_a_fold_at_a_thousand_barriers(ctx):
    """Two processes edit while a third folds: equal to fresh snapshots, and by replay."""
    daemon = ctx.daemon()
    folder = ctx.client(daemon, "folder")
    reader = ctx.client(daemon, "reader")
    begin = live_copy(folder)
    start = snapshot(reader)
    stop = os.path.join(ctx.folder, "stop")
    here = os.path.dirname(os.path.abspath(__file__))
    writers = [
        subprocess.Popen(
            [sys.executable, os.path.join(here, "writer.py"), daemon.socket, stop,
             str(ctx.random.randrange(1 << 30))],
            stdout=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]
    try:
        for writer in writers:
            assert writer.stdout.readline() == "ready\n"
        for token in range(1, 1001):
            before = begin.revision  # there is something new at each barrier
            begin.until(folder, lambda copy: copy.revision > before)
            fresh = snapshot(reader, at_least=begin.cursor)
            folder.barrier(begin.subscription, token)
            begin.until_revision(folder, fresh.revision)
            assert begin.revision == fresh.revision, f"{begin.revision} passed {fresh.revision}"
            assert begin.canonical() == fresh.canonical(), f"at revision {fresh.revision}"
            begin.until(folder, lambda copy: copy.barriers and copy.barriers[-1][0] == token)
            assert begin.barriers[-1][1] >= fresh.revision
            assert all(w.poll() is None for w in writers), "a writer has ended"
    finally:
        with open(stop, "w", encoding="ascii"):
            pass
        counts = []
        for writer in writers:
            output, _ = writer.communicate(timeout=30)
            counts.append(json.loads(output or "{}"))
    assert all(writer.returncode == 0 for writer in writers), counts
    final = snapshot(reader)
    begin.until_revision(folder, final.revision)
    assert begin.canonical() == final.canonical()
    again = ctx.client(daemon, "replay")
    start.resume(again.subscribe(since=start.cursor).subscription)
    start.until_revision(again, final.revision)
    assert start.canonical() == final.canonical()
    batches = sum(count["batches"] for count in counts)
    assert batches > 500, f"only {batches} batches were written meanwhile"
    return f"1000 barriers, {batches} batches"


def test_subscriptions_that_contradict_themselves_are_refused(ctx):
    client = ctx.client(ctx.daemon())
    wishes = [ClientFrame() for _ in range(4)]
    wishes[0].subscribe.table.SetInParent()
    wishes[1].subscribe.only_live = True
    wishes[1].subscribe.since.revision = 1
    wishes[2].subscribe.only_live = wishes[2].subscribe.snapshot_if_lost = True
    wishes[3].subscribe.fingerprint = 7
    for wish in wishes:
        assert client.refused(wish).code == "BAD_REQUEST", wish
    assert client.subscribe(only_live=True).subscription == 1

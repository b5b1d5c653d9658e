"""Readers that trickle, stop, come and go: what they must not cost, and what they are told."""

import time

from client import Closed, insert, update
from daemon import wait_until
from fold import Copy, snapshot
from run import seeded
from schema import ClientFrame, code_name, feed as feed_schema
from suite_feed import goodbyes, info, live_copy
from suite_storm import descriptors, fill
from windows import spec_into


def counters(client):
    return {counter.name: counter.value for counter in info(client).counters}


def hello_again(ctx, daemon, old):
    """A new connection of a client that was ended, and its hello."""
    client = ctx.client(daemon, old.name, hello=False)
    frame = ClientFrame()
    frame.hello.version_min = frame.hello.version_max = 1
    frame.hello.client_name = frame.hello.actor = old.name
    frame.hello.resume_token = old.hello.resume_token
    client.hello = client.request(frame).hello
    return client


def fold_to_end(client, copy):
    """Folds all that still comes, up to the end of the connection; returns the goodbye."""
    try:
        while True:
            copy.take(client.event())
    except Closed as closed:
        return closed.goodbye


def test_readers_that_trickle_or_stop_hold_no_memory(ctx):
    """A byte now and then is no reading: the same bound, the same goodbye, nothing lost (F7, F11)."""
    daemon = ctx.daemon(options=["--max-output", str(2 << 20)])
    writer, good = ctx.client(daemon, "writer"), ctx.client(daemon, "good")
    row = writer.insert(name="row")
    kept = live_copy(good)
    trickling = [ctx.client(daemon, f"trickle{number}") for number in range(6)]
    stopped = [ctx.client(daemon, f"stopped{number}") for number in range(6)]
    copies = {client: live_copy(client) for client in trickling + stopped}
    text = "z" * 30_000
    revision = 0

    def write(count):
        nonlocal revision
        for number in range(count):
            done = writer.batch(update(row, serial=text + str(number)))
            revision = done.cursor.revision
            kept.until_revision(good, revision)
        for client in trickling:
            try:
                client.socket.settimeout(0.01)
                client.buffer += client.socket.recv(1)
            except (TimeoutError, ConnectionResetError):
                pass

    for _ in range(4):
        write(10)
    before, sizes, steps = daemon.resident(), [], 0
    while goodbyes(writer) < len(copies):
        write(10)
        steps += 1
        sizes.append(daemon.resident() - before)
        assert steps < 60, f"{goodbyes(writer)} of {len(copies)} ended after {steps * 300} KB"
    # What they hold at most: 256 KiB each beside the socket's own, and rows not written yet.
    assert max(sizes) < 32 << 20, [size >> 20 for size in sizes]
    reasons = 0
    for client, copy in copies.items():
        goodbye = fold_to_end(client, copy)
        if goodbye is not None:
            assert code_name(goodbye.code) == "TOO_SLOW", goodbye
            reached = {r.subscription: r.revision for r in goodbye.reached}
            assert reached[copy.subscription] == copy.revision, goodbye
        again = hello_again(ctx, daemon, client)
        assert "TOO_SLOW" in again.hello.last_goodbye or "unread" in again.hello.last_goodbye
        reasons += 1
        reply = again.subscribe(since=copy.cursor)
        assert not reply.snapshot
        copy.resume(reply.subscription)
        copy.until_revision(again, revision)
        assert copy.canonical() == kept.canonical()
        again.close()
    assert reasons == len(copies)
    return f"{max(sizes) / (1 << 20):.1f} MiB at most for {len(copies)}"


def ask_rows(client, ids):
    """Asks for rows and leaves the reply unread."""
    frame = ClientFrame()
    frame.get_rows.table.name = "items"
    frame.get_rows.ids.extend(ids)
    return client.send(frame)


def test_one_budget_for_the_output_of_all(ctx):
    """Who holds the most is ended when all hold too much; the others get what they asked for."""
    daemon = ctx.daemon(options=["--max-output-total", str(4 << 20)])
    writer = ctx.client(daemon, "writer")
    rows = []
    for _ in range(3):
        done = writer.batch(*[insert({"name": "n" * 60_000}) for _ in range(10)])
        rows += [id for run in done.inserted for id in range(run.first, run.first + run.count)]
    watcher = ctx.client(daemon, "watcher")
    copy = live_copy(watcher)
    modest = [ctx.client(daemon, f"modest{number}") for number in range(4)]
    wanted = {client: ask_rows(client, rows[:10]) for client in modest}
    writer.ping()
    assert goodbyes(writer) == 0
    greedy = [ctx.client(daemon, f"greedy{number}") for number in range(4)]
    for client in greedy:
        ask_rows(client, rows)
    wait_until("the goodbyes", lambda: goodbyes(writer) >= 2)
    assert counters(writer)["output_bytes"] <= 4 << 20, counters(writer)
    for _ in range(5):
        done = writer.batch(insert({"name": "after"}))
    copy.until_revision(watcher, done.cursor.revision)
    for client, number in wanted.items():
        reply = client.reply()
        assert reply.id == number and len(reply.rows.rows) == 10
    ended = 0
    for client in greedy:
        try:
            assert len(client.reply().rows.rows) == len(rows)
        except Closed as closed:
            # In the middle of the reply that was begun: the reason is told at the next connection.
            assert closed.goodbye is None
            told = hello_again(ctx, daemon, client).hello.last_goodbye
            assert "for all" in told, told
            ended += 1
    assert ended == goodbyes(writer) and 2 <= ended <= 3, f"{ended} ended"


@seeded
def test_subscriptions_that_come_and_go_leave_nothing(ctx):
    """Unsubscribed at any moment, in the middle of a snapshot too: all counts come back."""
    daemon = ctx.daemon()
    keeper = ctx.client(daemon, "keeper")
    fill(keeper, 6000, 200)
    random = ctx.random

    def wish(kind):
        frame = ClientFrame()
        body = frame.subscribe
        body.table.name = "items"
        if kind == 0:
            body.live_state = True
        elif kind == 1:
            body.only_live = True
        elif kind == 2:
            spec_into(body.window, position=random.randrange(6000), length=random.choice((1, 50, 900)))
            body.live_state = random.random() < 0.5
        elif kind == 3:
            body.filter.columns.append("name")
        elif kind == 4:
            body.since.epoch = keeper.hello.epoch
            body.since.revision = keeper.hello.oldest_revision
        return frame

    def storm(client, rounds):
        """Requests without waiting; replies and events as they come."""
        open_ones, gone, asked = [], set(), {}
        left = 0

        def take(seconds):
            try:
                received = client.receive(seconds)
            except TimeoutError:
                return False
            if received.HasField("event"):
                number = received.event.subscription
                assert number not in gone, "an event after the reply to unsubscribe"
                return True
            reply = received.reply
            what = asked.pop(reply.id)
            assert not reply.HasField("error"), reply
            if what is None:
                open_ones.append(reply.subscribed.subscription)
            else:
                gone.add(what)
            return True

        for _ in range(rounds):
            if open_ones and (random.random() < 0.5 or len(open_ones) > 40):
                number = open_ones.pop(random.randrange(len(open_ones)))
                frame = ClientFrame()
                frame.unsubscribe.subscription = number
                asked[client.send(frame)] = number
            else:
                asked[client.send(wish(random.randrange(6)))] = None
                left += 1
            while random.random() < 0.7 and take(0.001):
                pass
        while asked:
            assert take(20), "no reply"
        for number in open_ones:
            frame = ClientFrame()
            frame.unsubscribe.subscription = number
            asked[client.send(frame)] = number
        while asked:
            assert take(20), "no reply"
        return left

    def settled():
        now = counters(keeper)
        return now["snapshots_open"] == 0 and now["catching_up"] == 0 and now

    before = None
    total = 0
    clients = [ctx.client(daemon, f"storm{number}") for number in range(4)]
    wait_until("quiet", settled)
    for round_number in range(4 * ctx.scale):
        keeper.insert(name="x")
        for client in clients:
            total += storm(client, 60)
            client.ping()
        assert info(keeper).subscriptions == 0
        wait_until("views to be given back", settled)
        now = (descriptors(daemon), daemon.resident())
        if round_number == 1:
            before = now
    # Cut in the middle instead.
    for client in clients:
        for _ in range(20):
            client.send(wish(random.randrange(6)))
        client.close()
    wait_until("their end", lambda: info(keeper).clients == 1)
    wait_until("views to be given back", settled)
    assert info(keeper).subscriptions == 0 and counters(keeper)["output_bytes"] < 1 << 16
    assert now[0] == before[0], f"{now[0]} descriptors, {before[0]} before"
    assert now[1] - before[1] < 8 << 20, f"{(now[1] - before[1]) >> 10} KiB more"
    return f"{total} subscriptions, {(now[1] - before[1]) >> 10} KiB more"


def test_history_that_goes_ends_who_needs_it(ctx):
    """COMPACTED: as an end in the middle, as an answer to a cursor, or with a snapshot instead."""
    daemon = ctx.daemon(options=["--history-revisions", "40"])
    writer, slow = ctx.client(daemon, "writer"), ctx.client(daemon, "slow")
    row = writer.insert(name="row")
    copy = live_copy(slow)
    text = "z" * 60_000
    for number in range(20):
        writer.batch(update(row, serial=text + str(number)))
    behind = writer.hello.revision

    def gone():
        for _ in range(60):
            writer.batch(update(row, serial=str(time.monotonic())))
        # History goes once its rows are written, and these once no input came for 20 ms (S5).
        time.sleep(0.1)
        return info(writer).oldest_revision > behind + 200

    wait_until("the end of history", gone, 60)
    while copy.ended is None:
        copy.take(slow.event())
    assert copy.ended.reason == feed_schema.END_REASON_COMPACTED
    assert copy.ended.revision == copy.revision, "the last whole revision"
    slow.ping()
    oldest = info(writer).oldest_revision
    frame = ClientFrame()
    frame.subscribe.table.name = "items"
    frame.subscribe.since.epoch, frame.subscribe.since.revision = copy.cursor
    refused = slow.refused(frame)
    assert refused.code == "COMPACTED" and str(oldest) in refused.error.expected, refused
    frame.subscribe.snapshot_if_lost = True
    reply = slow.request(frame).subscribed
    assert reply.snapshot
    copy.resume(reply.subscription)
    copy.until_live(slow)
    assert copy.canonical() == snapshot(writer).canonical()


def test_what_takes_half_a_minute(ctx):
    """A heartbeat for who asked for it alone (F6), and the end of a snapshot that stands still (F4)."""
    daemon = ctx.daemon()
    client, still = ctx.client(daemon), ctx.client(daemon, "still")
    fill(client, 4000, 500)
    copy = live_copy(client, heartbeat=True)
    plain = client.subscribe(only_live=True).subscription
    client.barrier(plain)
    while client.event().WhichOneof("body") != "barrier":
        pass
    stuck = Copy(still.subscribe().subscription)
    began = time.monotonic()
    client.events.clear()
    beats = []
    while time.monotonic() - began < 39:
        try:
            event = client.event(39 - (time.monotonic() - began))
        except TimeoutError:
            break
        beats.append((event.subscription, event.WhichOneof("body"), time.monotonic() - began))
        assert event.subscription == copy.subscription, f"{event}: {plain} asked for none"
        copy.take(event)
    assert [beat[:2] for beat in beats] == [(copy.subscription, "progress")], beats
    assert beats[0][2] > 25, beats
    while stuck.ended is None:
        stuck.take(still.event())
    assert stuck.ended.reason == feed_schema.END_REASON_EXPIRED and stuck.revision is None
    again = live_copy(still)
    assert len(next(iter(again.tables.values())).ids()) == 4000


def test_a_snapshot_that_is_being_sent_keeps_the_history_behind_it(ctx):
    """History is short, the reader slow: what came while its snapshot was sent is there (F4)."""
    daemon = ctx.daemon(options=["--history-revisions", "20"])
    writer, slow = ctx.client(daemon, "writer"), ctx.client(daemon, "slow")
    fill(writer, 6000, 500)
    row = writer.insert(name="row")
    first = writer.hello.revision
    for number in range(50):
        writer.batch(update(row, name=f"before {number}"))
    reply = slow.subscribe()
    copy = Copy(reply.subscription)
    begin = getattr(reply, "from").revision
    for number in range(300):
        writer.batch(update(row, name=f"n{number}"))

    def pruned():
        time.sleep(0.3)  # in quiet
        return info(writer).oldest_revision > first + 20

    wait_until("the history before it to go", pruned, 25)
    oldest = info(writer).oldest_revision
    assert oldest <= begin, f"{oldest}, the snapshot is of {begin}"
    copy.until_live(slow)
    copy.until_barrier(slow, 1)
    assert copy.ended is None and copy.canonical() == snapshot(writer).canonical()

    def gone():
        writer.batch(update(row, name=str(time.monotonic())))
        return info(writer).oldest_revision > begin

    wait_until("the end of what was kept for it", gone)

"""Clients that misbehave and a store that fails: what they must not cost (SPEC 9, 12)."""

import os
import resource
import shutil
import socket
import sqlite3
import time

from client import (
    Refused, batch_frame, delete, delete_section, framed, insert, insert_section, update, varint)
from daemon import wait_until
from fold import Copy, bare, snapshot
from live import editing, leases, select, select_frame, state, step, step_frame, take_lease
from run import seeded
from schema import ClientFrame, code_name, model
from suite_editing import Watcher, set_policy
from suite_store import sql


def processor(daemon):
    """Seconds of processor time that the daemon has used."""
    with open(f"/proc/{daemon.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors(daemon):
    return len(os.listdir(f"/proc/{daemon.pid}/fd"))


def check_idle(daemon, seconds=1.0):
    """Nothing is asked, so nothing is done."""
    before = processor(daemon)
    time.sleep(seconds)
    used = processor(daemon) - before
    assert used < seconds / 4, f"{used:.2f} s of {seconds} s although nobody asks for anything"


def ask(client, frame):
    """Sends a request and leaves its reply for later."""
    return client.send(frame)


def waiting_read(client):
    """A read that waits for a revision far ahead."""
    frame = ClientFrame()
    frame.count_rows.table.name = "items"
    frame.at_least.epoch = client.hello.epoch
    frame.at_least.revision = client.hello.revision + 1_000_000
    return frame


def list_frame():
    frame = ClientFrame()
    frame.list_rows.table.name = "items"
    return frame


def fill(client, rows, size=100):
    """Rows of about `size` bytes."""
    for first in range(0, rows, 1000):
        count = min(1000, rows - first)
        client.batch(*[insert({"name": "n" * size}) for _ in range(count)])


def send_without_reading(client, data):
    """Sends as much as the daemon and the socket take."""
    client.socket.settimeout(0.5)
    try:
        client.socket.sendall(data)
    except TimeoutError:
        pass


def test_clients_that_wait_and_hang_up_leave_nothing(ctx):
    """A request that waits holds neither the processor nor a descriptor for who has gone."""
    daemon = ctx.daemon()
    keeper = ctx.client(daemon)
    before = descriptors(daemon)
    half_closed = [ctx.client(daemon) for _ in range(3)]
    for client in half_closed:
        ask(client, waiting_read(client))
        keeper.ping()
        client.socket.shutdown(socket.SHUT_WR)
    check_idle(daemon)
    stuffed = [ctx.client(daemon) for _ in range(3)]
    for client in stuffed:
        ask(client, waiting_read(client))
        frame = ClientFrame(id=7)
        frame.ping.payload = b"x" * 1000
        payload = frame.SerializeToString()
        send_without_reading(client, (varint(len(payload)) + payload) * 2000)
    check_idle(daemon)
    for client in half_closed + stuffed:
        client.close()
    wait_until("their descriptors", lambda: descriptors(daemon) <= before, 5)
    check_idle(daemon, 0.5)
    keeper.ping()


def test_a_client_that_asks_and_never_reads_costs_no_processor(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    fill(client, 12_000)
    greedy = ctx.client(daemon)
    for _ in range(40):
        ask(greedy, list_frame())
    client.ping()
    check_idle(daemon)
    greedy.socket.shutdown(socket.SHUT_WR)
    check_idle(daemon)
    # Whatever it asked is there when it reads at last.
    replies = 0
    while replies < 40:
        reply = greedy.reply()
        assert reply.HasField("rows"), reply
        replies += 1


def test_a_half_closed_subscriber_that_never_reads_holds_no_memory(ctx):
    """No goodbye can be told to it, and nothing more is queued for it."""
    daemon = ctx.daemon()
    writer, deaf = ctx.client(daemon), ctx.client(daemon)
    frame = ClientFrame()
    frame.subscribe.table.name = "items"
    frame.subscribe.only_live = True
    ask(deaf, frame)
    for _ in range(20):
        frame = ClientFrame()
        frame.ping.payload = b"x" * 60_000
        ask(deaf, frame)
    writer.ping()
    deaf.socket.shutdown(socket.SHUT_WR)
    for _ in range(100):
        writer.batch(*[insert({"name": "k" * 50_000}) for _ in range(3)])
    frame = ClientFrame()
    frame.list_clients.SetInParent()
    queued = {c.client: c.queued for c in writer.request(frame).clients.clients}
    assert queued[deaf.hello.client] < 2 << 20, queued


def test_no_descriptor_left_at_all_is_survived(ctx):
    """Even the spare descriptor is refused: no spinning, no log without end, and it comes back."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for _ in range(20):
        ctx.client(daemon)
    hard = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)[1]
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (3, hard))
    extra = [socket.socket(socket.AF_UNIX) for _ in range(10)]
    for link in extra:
        link.connect(daemon.socket)
    check_idle(daemon, 1.5)
    client.ping()
    client.insert(name="still")
    assert os.path.getsize(daemon.log) < 4096, daemon.log_tail()
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (256, hard))
    ctx.client(daemon).ping()
    for link in extra:
        link.close()


def test_a_snapshot_is_never_older_than_asked_or_than_own_changes(ctx):
    """Four old views are open; a reader who needs a newer one waits for it (contract F4)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    fill(client, 4000, 500)
    holders = []
    for number in range(4):
        holder = ctx.client(daemon)
        assert holder.request(list_frame()).rows.HasField("snapshot")
        holders.append(holder)
        revision = client.batch(insert({"name": f"later {number}"})).cursor.revision
    # Another client may join an old view, and is told of what revision it is.
    other = ctx.client(daemon)
    assert other.request(list_frame()).rows.cursor.revision < revision
    # The writer's own list, and a subscription that asks for the revision, wait.
    ask(client, list_frame())
    reply = other.subscribe(at_least=(client.hello.epoch, revision))
    copy = Copy(reply.subscription)
    client.socket.setblocking(False)
    try:
        raise AssertionError(f"not waited: {len(client.socket.recv(1))}")
    except BlockingIOError:
        pass
    for holder in holders:
        holder.close()
    assert client.reply().rows.cursor.revision >= revision
    copy.until_live(other)
    assert copy.revision >= revision


def test_many_long_titles_never_make_a_frame_too_long(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    followed = Copy(client.subscribe().subscription)
    for first in range(0, 1200, 200):
        client.batch(*[insert_section(f"{first + n} " + "t" * 4000) for n in range(200)])
    followed.until_barrier(client, 1)
    reader = ctx.client(daemon)
    longest = 0
    whole_frame = reader._whole_frame

    def measured():
        nonlocal longest
        payload = whole_frame()
        longest = max(longest, len(payload or b""))
        return payload

    reader._whole_frame = measured
    fresh = snapshot(reader)
    assert fresh.canonical() == followed.canonical()
    assert longest <= 4 << 20, longest
    # The description comes in parts, which together are of one revision; what stands behind it waits.
    frame = ClientFrame()
    frame.describe_table.table.name = "items"
    number = reader.send(frame)
    ping = ClientFrame()
    ping.ping.payload = b"behind"
    reader.send(ping)
    whole, parts = model.Table(), 0
    while True:
        reply = reader.reply()
        assert reply.id == number, "another reply between the parts"
        parts += 1
        assert len(reply.table.sections) > 0 and reply.table.HasField("id") == (parts == 1)
        whole.MergeFrom(reply.table)
        if parts == 1:
            client.batch(insert_section("later"), delete_section(whole.sections[0].id))
        if not reply.more:
            break
    assert reader.reply().pong.payload == b"behind"
    assert parts > 1 and longest <= 4 << 20, (parts, longest)
    (copy,) = fresh.tables.values()
    assert [section.id for section in whole.sections] == copy.sections
    assert [section.index for section in whole.sections] == list(range(len(copy.sections)))
    assert {section.id: bare(section) for section in whole.sections} == copy.records
    assert whole.last_changed == copy.last_changed and len(whole.columns) == len(copy.columns)
    # One who does not read holds no more than its share of memory, and no other up.
    sloth = ctx.client(daemon)
    for _ in range(8):
        sloth.send(frame)
    assert client.table_parts("items") > 1
    before = daemon.resident()
    for _ in range(20):
        client.ping()
    assert daemon.resident() < before + (8 << 20)
    for _ in range(8):
        while sloth.reply().more:
            pass
    sloth.ping()


def limit_files(daemon, size=resource.RLIM_INFINITY):
    """No file of the daemon may grow beyond `size`: its disk is full."""
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def log_size(daemon):
    """Up to where the write-ahead log is used, which is longer than that from its start.

    The log's index has to have room, too: without one nothing can be read.
    """
    with open(daemon.store + "-wal", "rb") as file:
        log = file.read()
    frame, end = 4096 + 24, 32
    while log[end + 8 : end + 16] == log[16:24]:
        end += frame
    return max(end, 1 << 16)


def writes_are_back(client):
    def attempt():
        try:
            return client.insert(name="back")
        except Refused as refused:
            assert refused.code != "OUTCOME_UNKNOWN", refused
            return None

    return wait_until("writes after the disk has room", attempt, 10)


def test_writes_come_back_when_the_disk_has_room(ctx):
    """Whatever it was that failed: a commit, rows behind the journal, a block of ids (S1, S2)."""
    daemon = ctx.daemon()
    writer, reader = ctx.client(daemon), ctx.client(daemon)
    copy = Copy(reader.subscribe().subscription)
    copy.until_live(reader)
    kept = {}
    for step, (size, rest) in enumerate(((10, 0.1), (3000, 0), (3000, 0.1), (10, 0))):
        for number in range(5):
            kept[writer.insert(name=f"{step}.{number}")] = f"{step}.{number}"
        limit_files(daemon, log_size(daemon) + step * 1500)
        codes, perhaps = set(), set()
        for number in range(60):
            name = f"full {step}.{number}"
            try:
                kept[writer.insert(name=name, serial="s" * size)] = name
            except Refused as refused:
                codes.add(refused.code)
                # What was written of it may be all there was to write: the rest stood there already.
                if refused.code == "OUTCOME_UNKNOWN":
                    perhaps.add(name)
            shown = {p.row.id: p.row.cells[0].text for p in reader.rows()}
            assert {row: name for row, name in shown.items() if name not in perhaps} == kept
            time.sleep(rest if number % 20 == 0 else 0)  # quiet: rows are written
        # In quiet, so that rows behind the journal meet the full disk as well.
        time.sleep(0.1)
        assert codes <= {"STORE_FAILED", "STORE_FULL", "OUTCOME_UNKNOWN"}, codes
        limit_files(daemon)
        kept[writes_are_back(writer)] = "back"
        found = {p.row.id: p.row.cells[0].text for p in reader.rows()}
        assert set(found) >= set(kept)
        for row in set(found) - set(kept):
            assert found[row] in perhaps, "a refused change"
            kept[row] = found[row]
        copy.until_barrier(reader, step + 1)
        assert snapshot(writer).canonical() == copy.canonical()
    assert len(daemon.log_tail(1000)) < 20_000, "a log without end"
    before = copy.canonical()
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    assert snapshot(client).canonical() == before
    assert {p.row.id: p.row.cells[0].text for p in client.rows()} == kept


def test_reads_and_history_go_on_with_a_full_disk(ctx):
    """Neither upkeep nor the index of steps stands before a read: they fail, and it goes on (E9)."""
    daemon = ctx.daemon(options=["--history-revisions", "40"])
    writer, reader = ctx.client(daemon), ctx.client(daemon)
    rows, made = {}, []
    for number in range(120):
        reply = writer.batch(insert({"name": str(number)}))
        rows[reply.inserted[0].first] = str(number)
        made.append(reply.cursor.revision)
        if number % 40 == 0:
            time.sleep(0.1)  # quiet: rows are written, history beyond the bound goes
    # No quiet since: the index lacks the newest, and history is over its bound.
    limit_files(daemon, 1 << 16)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        assert writer.refused(batch_frame(insert({"name": "full"}))).code in (
            "STORE_FAILED", "STORE_FULL")
        assert {p.row.id: p.row.cells[0].text for p in reader.rows()} == rows
        frame = ClientFrame()
        frame.history.table.name, frame.history.limit = "items", 30
        told = reader.request(frame).history.entries
        assert [entry.revision for entry in told] == made[:-31:-1]
        frame = ClientFrame()
        frame.row_history.table.name, frame.row_history.row = "items", max(rows)
        (entry,) = reader.request(frame).history.entries
        assert entry.inserted and entry.revision == made[-1]
        time.sleep(0.05)
    # A dry run writes nothing either (S2), whatever it is of.
    planned = batch_frame(insert({"name": "planned"}), dry_run=True)
    assert writer.request(planned).batch.counts.rows_inserted == 1
    undo = ClientFrame()
    undo.undo.dry_run = True
    reply = writer.request(undo).batch
    assert reply.dry_run and reply.step == made[-1] and reply.counts.rows_deleted == 1
    gone = ClientFrame()
    gone.restore_row.table.name, gone.restore_row.row = "items", max(rows)
    gone.restore_row.dry_run = True
    assert writer.refused(gone).code == "ROW_EXISTS"
    undo.undo.dry_run = False
    refused = writer.refused(undo)
    assert refused.code in ("STORE_FAILED", "STORE_FULL"), refused
    assert {p.row.id: p.row.cells[0].text for p in reader.rows()} == rows
    assert len(daemon.log_tail(1000)) < 20_000, "a log without end"
    limit_files(daemon)
    rows[writes_are_back(writer)] = "back"
    assert {p.row.id: p.row.cells[0].text for p in reader.rows()} == rows
    assert writer.request(undo).batch.counts.rows_deleted == 1


def test_a_subscription_of_a_failed_turn_is_none(ctx):
    """Its reply was an error, so no event may come of it (contract S1)."""
    daemon = ctx.daemon()
    client, other = ctx.client(daemon), ctx.client(daemon)
    client.insert(name="a")
    since = client.table().last_changed
    client.insert(name="b")
    client.barrier(0, 1, sql=True)
    client.event()
    limit_files(daemon, log_size(daemon))
    subscribe = ClientFrame(id=101)
    subscribe.subscribe.table.name = "items"
    subscribe.subscribe.since.epoch = client.hello.epoch
    subscribe.subscribe.since.revision = since
    change = batch_frame(insert({"name": "c", "serial": "s" * 60_000}))
    change.id = 100
    data = b""
    for frame in (change, subscribe):
        payload = frame.SerializeToString()
        data += varint(len(payload)) + payload
    client.send_bytes(data)
    assert client.reply().HasField("error")
    refused = client.reply().HasField("error")
    limit_files(daemon)
    writes_are_back(other)
    client.ping()
    client.barrier(0, 2)
    bodies = []
    while True:
        event = client.event()
        if event.HasField("barrier"):
            break
        bodies.append(event.WhichOneof("body"))
    assert not refused or not bodies, bodies


def test_rows_behind_the_journal_wait_for_no_other_program(ctx):
    """Only a change waits for an outside transaction; what can be done later does not (S11)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.insert(name="first")
    client.barrier(0, 1, sql=True)
    client.event()
    outside = sqlite3.connect(daemon.store, timeout=10, isolation_level=None)
    client.insert(name="second")  # its row is not written yet
    outside.execute("BEGIN IMMEDIATE")
    longest, end = 0, time.monotonic() + 1.5
    while time.monotonic() < end:
        began = time.monotonic()
        client.ping()
        longest = max(longest, time.monotonic() - began)
        time.sleep(0.03)
    outside.execute("ROLLBACK")
    outside.close()
    assert longest < 1, f"a ping took {longest:.1f} s"
    wait_until("the row", lambda: sql(daemon, "SELECT count(*) FROM items")[0][0] == 2, 10)


def test_a_store_that_was_taken_away_takes_no_changes(ctx):
    """What is written to a file without a name would be lost; reads go on."""
    for take_away in (os.remove, lambda path: shutil.move(path, path + ".moved")):
        daemon = ctx.daemon("taken")
        client = ctx.client(daemon)
        client.insert(name="a")
        take_away(daemon.store)
        assert client.refused(batch_frame(insert({"name": "b"}))).code == "STORE_CHANGED_OUTSIDE"
        assert len(client.rows()) == 1
        client.close()
        daemon.stop()
        for name in os.listdir(ctx.folder):
            if name.startswith("taken.db"):
                os.remove(os.path.join(ctx.folder, name))


def test_a_dropped_table_goes_in_one_round_of_upkeep(ctx):
    """A round of upkeep goes on until nothing is left, slice by slice."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    frame = ClientFrame()
    frame.create_table.name = "gone"
    client.request(frame)
    for _ in range(3):
        client.batch(*[insert({"name": "x"}) for _ in range(1500)], table="gone")
    frame = ClientFrame()
    frame.drop_table.table.name = "gone"
    client.request(frame)
    client.barrier(0, 1, sql=True)
    client.event()
    daemon.stop()
    daemon.start()
    ctx.client(daemon).insert(name="a")  # then it is quiet
    wait_until(
        "the rows' end",
        lambda: sql(daemon, "SELECT count(*) FROM hpd_tables WHERE dropped = 1")[0][0] == 0, 10)


@seeded
def test_connections_closed_at_any_moment(ctx):
    """Clients that come, ask and go at random leave nothing behind."""
    daemon = ctx.daemon()
    keeper = ctx.client(daemon)
    fill(keeper, 3000, 500)
    before = descriptors(daemon)

    def frame_bytes(number, frame):
        frame.id = number
        payload = frame.SerializeToString()
        return varint(len(payload)) + payload

    hello = ClientFrame()
    hello.hello.version_min = hello.hello.version_max = 1
    hello.hello.client_name = "guest"
    subscribe, barrier = ClientFrame(), ClientFrame()
    subscribe.subscribe.table.name = "items"
    barrier.barrier.sql = True
    kinds = [
        frame_bytes(2, subscribe), frame_bytes(3, list_frame()), frame_bytes(4, barrier),
        frame_bytes(5, batch_frame(*[insert({"name": "b" * 50}) for _ in range(20)])),
        frame_bytes(6, waiting_read(keeper)),
    ]
    guests = 0
    for guests in range(400 * ctx.scale):
        data = frame_bytes(1, hello)
        data += b"".join(ctx.random.choice(kinds) for _ in range(ctx.random.randrange(1, 8)))
        link = socket.socket(socket.AF_UNIX)
        link.connect(daemon.socket)
        try:
            link.settimeout(5)
            link.sendall(data[: ctx.random.randrange(len(data) + 1)])
            link.setblocking(False)
            for _ in range(ctx.random.randrange(4)):
                try:
                    link.recv(ctx.random.randrange(1, 100_000))
                except BlockingIOError:
                    time.sleep(ctx.random.random() * 0.002)
            if ctx.random.random() < 0.3:
                link.shutdown(ctx.random.choice((socket.SHUT_WR, socket.SHUT_RD)))
        except OSError:
            pass
        link.close()
    wait_until("the guests' descriptors", lambda: descriptors(daemon) <= before, 5)
    check_idle(daemon)
    frame = ClientFrame()
    frame.info.SetInParent()
    info = keeper.request(frame).info
    assert (info.clients, info.subscriptions) == (1, 0), info
    followed = snapshot(keeper).canonical()
    daemon.kill()
    daemon.start()
    assert snapshot(ctx.client(daemon)).canonical() == followed
    return f"{guests + 1} guests"


def test_a_failed_commit_puts_the_live_state_back(ctx):
    """Drafts, leases, selections, a drag, a swipe: as before the turn, and told to nobody (S1)."""
    daemon = ctx.daemon()
    client, other = ctx.client(daemon, "person"), ctx.client(daemon, "other")
    rows = [client.insert(name=f"n{number}", serial="s" * 3000) for number in range(40)]
    client.batch(update(rows[2], name="n" * 60_000, serial="s" * 60_000))
    table = client.table().id
    client.batch(set_policy(
        allows_multiple_selection=True, allows_selection_during_editing=True))
    lease = take_lease(client, "kept").id
    step(client, "draft", "BEGIN", rows[0], column="name")
    step(client, "draft", "TEXT", text="typed")
    select(client, rows[10:14])
    editing(client, True)
    step(client, "drag", "BEGIN", rows[5])
    step(client, "drag", "HOVER", target=(0, 9))
    editing(client, True, lease=lease)
    watcher = Watcher(ctx.client(daemon, "watcher"))
    before, held = state(other), [one.id for one in leases(other)]
    assert before["drag"] and before["drafts"] and before["selections"] and before["holders"]

    def failed_turn(*frames):
        """Sends them at once to a daemon whose disk is full; all of it must fail."""
        client.barrier(0, 9, sql=True)
        while client.event().barrier.token != 9:
            pass
        limit_files(daemon, log_size(daemon))
        data = b""
        for number, frame in enumerate(frames):
            frame.id = 500 + number
            data += framed(frame)
        client.send_bytes(data)
        codes = [code_name(client.reply().error.code) for _ in frames]
        now = state(other)
        limit_files(daemon)
        writes_are_back(other)
        assert now == before, f"{now}\n  before: {before}"
        assert state(other) == before and [one.id for one in leases(other)] == held
        told = watcher.told()
        assert set(told) <= {"change", "state"}, told
        assert watcher.live.state(table) == before
        assert watcher.copy.canonical() == snapshot(other).canonical()
        return codes

    big = batch_frame(insert({"name": "big", "serial": "b" * 60_000}))
    lease_frame, end_frame = ClientFrame(), ClientFrame()
    lease_frame.take_lease.name = "more"
    end_frame.end_lease.lease = lease
    codes = failed_turn(
        big, step_frame("draft", "END", force=True), step_frame("drag", "DROP", target=(0, 9)),
        select_frame(rows[20:22], on=True, clear_others=True), step_frame("set_editing", on=False),
        lease_frame, end_frame, batch_frame(delete(rows[5]), delete(rows[10])))
    assert set(codes) <= {"STORE_FAILED", "STORE_FULL"}, codes
    # A commit by the delete control of a swipe: the button stands open as before.
    editing(client, False)
    step(client, "swipe", "OPEN", rows[2])
    watcher.catch_up()
    before, held = state(other), [one.id for one in leases(other)]
    assert before["swipe"]
    codes = failed_turn(step_frame("swipe", "CONFIRM"))
    assert set(codes) <= {"STORE_FAILED", "STORE_FULL"}, codes
    # And all goes on from there.
    assert step(client, "swipe", "CONFIRM").counts.rows_deleted == 1
    assert not state(other)["swipe"] and rows[2] not in [p.row.id for p in other.rows()]
    step(client, "draft", "TEXT", text="written")
    step(client, "draft", "END")
    assert other.get(rows[0]).rows[0].row.cells[0].text == "written"

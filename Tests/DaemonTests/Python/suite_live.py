"""The live table of the C library against a real daemon, held against folding in Python."""

import os
import random
import re
import subprocess
import threading
import time

import transitions
from client import (
    Client, Closed, Refused, batch_frame, delete, insert, insert_section, move, update)
from daemon import wait_until
from fold import Copy, snapshot
from live import step
from livetable import LiveTable, check_equal, check_filtered, program
from naive import Editor, NaiveTable
from run import seeded
from schema import ClientFrame, batch as batch_schema, code_name
from suite_columns import Model, TEXT, create
from suite_transition import cases, layout_of, make_table, operation, rebased
from writer import Writer

# Batches of the long form, and kills; more of them with HPD_ROUNDS and HPD_KILLS.
ROUNDS = int(os.environ.get("HPD_ROUNDS", "1000"))
KILLS = int(os.environ.get("HPD_KILLS", "12"))
REQUESTS = 2 * ROUNDS


def test_every_case_is_folded(ctx):
    """Each case of batch updates, told to a live table in C as one event."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    folded = 0
    all_cases = cases()
    for case in all_cases:
        name = f"case {case['id']}"
        make_table(client, name, case["start"])
        frame = batch_frame(
            *(operation(*parts(op)) for op in case["ops"]), table=name, transition=True)
        with LiveTable(daemon, name) as live:
            before = live.sync()
            check_equal(before, snapshot(client, name))
            if "reject" in case:
                assert client.refused(frame).code == case["reject"]
                # A refusal takes no revision: the copy is the same, at the same one.
                assert live.sync() == before
                continue
            reply = client.request(frame).batch
            check_equal(live.sync(), snapshot(client, name))
            state = live.state()
            assert state["changes"] == (0 if reply.unchanged else 1) and state["resets"] == 1, state
            folded += state["changes"]
    assert folded > 25
    return f"{len(all_cases)} cases, {folded} changes"


def parts(op):
    """An operation of a case, as `operation` takes it."""
    kind = op["op"]
    if kind == "insert_row":
        return kind, tuple(op["path"]), op["row"]
    if kind == "delete_row":
        return kind, tuple(op["path"])
    if kind == "reload_row":
        return kind, tuple(op["path"]), op.get("row")
    if kind == "move_row":
        return kind, tuple(op["from"]), tuple(op["to"])
    if kind == "insert_section":
        return kind, op["section"], op["id"], op["rows"]
    if kind == "delete_section":
        return kind, op["section"]
    if kind == "reload_section":
        return kind, op["section"], op.get("rows")
    return kind, op["from"], op["to"]


@seeded
def test_two_clients_that_only_fold_are_equal(ctx):
    """Mixed batches; one client folds in Python, one in C, and neither reads anything else."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    copy = Copy(client.subscribe().subscription)
    copy.until_live(client)
    editor = Editor(random.Random(ctx.random.random()))
    kept = None
    counts = {"sequence": 0, "transition": 0, "rebased": 0, "stale": 0}
    with LiveTable(daemon) as live:
        for step in range(ROUNDS):
            layout = layout_of(copy)
            kind = ctx.random.choice(["sequence", "transition", "rebased"])
            if kind == "sequence":
                plan = editor.plan(NaiveTable.of(copy), operations=ctx.random.randrange(1, 9))
                frame = batch_frame(*plan.operations)
            else:
                base, cursor = kept if kind == "rebased" and kept else (layout, copy.cursor)
                rows = sum(len(rows) for _, rows in base)
                busy = 0.04 if kind == "rebased" else 0.3 if rows > 40 else 0.15
                plan = transitions.Plan(ctx.random, base, step, busy=busy)
                made = [operation(*op) for op in plan.operations]
                frame = rebased(cursor, *made) if kind == "rebased" else (
                    batch_frame(*made, transition=True))
            if not frame.batch.operations:
                continue
            try:
                revision = client.request(frame).batch.cursor.revision
                counts[kind] += 1
                copy.until_revision(client, revision)
            except Refused as refused:
                assert kind == "rebased" and refused.code == "STALE", refused
                counts["stale"] += 1
            if kept is None or ctx.random.random() < 0.3:
                kept = (layout_of(copy), copy.cursor)
            if step % 50 == 49:
                copy.until_barrier(client, step)
                check_equal(live.sync(), copy)
        copy.until_barrier(client, 1)
        check_equal(live.sync(), copy)
        state = live.state()
    assert snapshot(client).canonical() == copy.canonical()
    assert state["gaps"] == 0 and state["resets"] == 1, state
    return f"{counts}, {state['changes']} changes folded"


@seeded
def test_columns_are_folded(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.request(create("wild", ("name", TEXT, {}), sections=["s"]))
    writer = Model(ctx.random)
    with LiveTable(daemon, "wild") as live:
        for step in range(120):
            rows = [placed.row.id for placed in client.rows("wild")][:50]
            client.request(batch_frame(*writer.operations(rows), table="wild"))
            if step % 10 == 9:
                check_equal(live.sync(), snapshot(client, "wild"))
        assert live.state()["resets"] == 1


def set_headers(section, title):
    frame = batch_frame()
    op = frame.batch.operations.add().set_header_footer
    op.SetInParent()
    if section is not None:
        op.section.id = section
    if title is not None:
        op.value.title = title
    return frame


def test_headers_names_and_drops_are_folded(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    live = LiveTable(daemon)
    section = client.table().sections[0].id
    for target, title in ((None, "Mine"), (section, "Kitchen"), (None, None), (section, "")):
        client.request(set_headers(target, title))
        check_equal(live.sync(), snapshot(client))
    frame = ClientFrame()
    frame.rename_table.table.name, frame.rename_table.name = "items", "things"
    client.request(frame)
    check_equal(live.sync(), snapshot(client, "things"))
    frame = ClientFrame()
    frame.drop_table.table.name = "things"
    client.request(frame)
    wait_until("the end", lambda: live.state()["phase"] == "ended")
    assert "gap table_dropped" in live.told()
    assert live.state()["rows"] == 0
    live.close()


def test_a_large_revision_comes_in_parts(ctx):
    """It is folded as it comes and takes effect at its last part (contract K2)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    with LiveTable(daemon) as live:
        live.sync()
        client.batch(*[insert({"name": f"{n}" * 8}, (0, 0)) for n in range(5000)])
        rows = [placed.row.id for placed in client.rows()]
        every = batch_schema.Operation()
        every.update_where.filter.SetInParent()
        every.update_where.cells.add(column_name="serial", text="s" * 3000)
        client.batch(every)
        client.batch(*[move(row, (0, 0)) for row in rows[::2]])
        check_equal(live.sync(), snapshot(client))
        state = live.state()
        assert state["changes"] == 3 and state["resets"] == 1, state


class Writers:
    """Threads that edit at random until the daemon is gone."""

    def __init__(self, daemon, random, count=2):
        self.done = 0
        self.faults = []
        self.threads = [
            threading.Thread(target=self._run, args=(daemon.socket, random.randrange(1 << 30)))
            for _ in range(count)
        ]
        for thread in self.threads:
            thread.start()

    def _run(self, path, seed):
        try:
            writer = Writer(path, seed)
            while True:
                writer.step()
                self.done += 1
        except (OSError, Closed):
            pass
        except Exception as fault:  # noqa: BLE001  # told by the test
            self.faults.append(repr(fault))

    def join(self):
        for thread in self.threads:
            thread.join()


@seeded
def test_a_daemon_killed_under_writes(ctx):
    """The live table is equal after the barrier of each round, and was never reset but once."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.batch(*[insert_section(f"s{n}") for n in range(3)])
    batches = 0
    with LiveTable(daemon) as live:
        check_equal(live.sync(), snapshot(client))
        for _ in range(KILLS):
            writers = Writers(daemon, ctx.random)
            goal = ctx.random.randrange(2, 60)
            wait_until("some batches", lambda: writers.done >= goal or writers.faults)
            daemon.kill()
            writers.join()
            assert not writers.faults, writers.faults
            batches += writers.done
            time.sleep(ctx.random.random() * 0.05)  # it may try again while nobody answers
            daemon.start()
            check_equal(live.sync(), snapshot(ctx.client(daemon)))
        state = live.state()
    assert state["gaps"] == 0 and state["resets"] == 1, state
    assert state["waits"] >= KILLS, state
    return f"{KILLS} kills, {batches} batches, {state['changes']} changes folded"


@seeded
def test_allocations_that_fail_end_in_a_fresh_copy(ctx):
    """Each time memory runs out the copy starts anew, and it comes out equal."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    writer = Writer(daemon.socket, ctx.seed)
    for _ in range(100):
        writer.step()
    # A snapshot has to fit between two failures: it takes one for each of some 150 rows, and more.
    with LiveTable(daemon, fail_every=ctx.random.randrange(350, 600)) as live:
        for step in range(400):
            writer.step()
            if step % 40 == 39:
                check_equal(live.sync(), snapshot(client))
        live.resync()
        check_equal(live.sync(), snapshot(client))
        state = live.state()
        failed = live.told().count("memory")
    assert failed > 0, state
    return f"{state}"


@seeded
def test_some_sections_and_columns(ctx):
    """View filters (contract F1): each copy is what is left of the table, over a kill too."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.batch(*[insert_section(f"s{n}") for n in range(4)])
    writer = Writer(daemon.socket, ctx.seed)
    for _ in range(60):
        writer.step()
    seen = [section.id for section in client.table().sections][1:4]
    ids = {column.name: column.id for column in client.table().columns}
    filters = [(seen, ()), ((), ("name",)), (seen[:2], ("value", "name"))]
    lives = [LiveTable(daemon, sections=s, columns=c) for s, c in filters]
    for live in lives:
        live.sync()
    for step in range(240):
        writer.step()
        if step == 120:
            daemon.kill()
            daemon.start()
            client, writer = ctx.client(daemon), Writer(daemon.socket, ctx.seed + 1)
        if step % 20 == 19:
            whole = snapshot(client)
            for live, (sections, columns) in zip(lives, filters):
                check_filtered(
                    live.sync(), whole, set(sections) or None,
                    {ids[name] for name in columns} or None)
    for live in lives:
        state = live.state()
        assert state["gaps"] == 0 and state["resets"] == 1 and state["waits"] > 0, live.told()
        live.close()


@seeded
def test_a_window_is_what_the_table_shows_there(ctx):
    """Windows (contract F3), one wider than a part, through writes, moves and a kill."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.batch(*[insert_section(f"s{n}") for n in range(3)])
    client.batch(*[insert({"name": "x" * 60}, (0, 0)) for _ in range(1500)])
    writer = Writer(daemon.socket, ctx.seed)
    places = [(0, 10), (25, 40), (0, 1200)]
    lives = [LiveTable(daemon, window=place) for place in places]

    def check():
        whole = snapshot(client)
        table = next(iter(whole.tables.values()))
        flat = [(row, section) for section in table.sections for row in table.order[section]]
        for live, (position, length) in zip(lives, places):
            (first, before, after), rows = live.window()
            assert rows == flat[position:position + length], (position, length)
            assert (first, before, after) == (position, position, len(flat) - position - len(rows))

    check()
    for step in range(200):
        writer.step()
        if step == 100:
            daemon.kill()
            daemon.start()
            client, writer = ctx.client(daemon), Writer(daemon.socket, ctx.seed + 1)
        if step % 20 == 10:
            places[0] = (ctx.random.randrange(100), ctx.random.randrange(1, 50))
            assert lives[0].look(*places[0]) == "moved"
        if step % 20 == 19:
            check()
    for live in lives:
        state = live.state()
        assert state["gaps"] == 0 and state["waits"] > 0, live.told()
        live.close()


@seeded
def test_frames_are_well_formed(ctx):
    """64 requests in flight, subscriptions that come and go: contracts K1, K2, K8, F6 hold."""
    # A client that is behind is no matter here: it has room for all.
    daemon = ctx.daemon(
        options=["--max-output", str(1 << 30), "--max-output-total", str(1 << 31)])
    client = ctx.client(daemon)
    frame = ClientFrame()
    frame.create_table.name = "quiet"
    client.request(frame)
    checker = program(name="grammar")
    running = [
        subprocess.Popen(
            [checker, daemon.socket, str(ctx.random.randrange(1 << 30)), str(REQUESTS)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(2)
    ]
    told = [process.communicate(timeout=200)[0] for process in running]
    for process, text in zip(running, told):
        assert process.returncode == 0 and "well formed" in text, text
    # What one of them happens not to meet the other does.
    for kind in ("marks", "snapshots", "parts"):
        assert any(re.search(rf"\b[1-9]\d* {kind}", text) for text in told), told
    return told[0].strip()


def test_a_restored_store_is_told_as_a_gap(ctx):
    """Another epoch behind the same socket: the gap is told, the copy is the new store's."""
    daemon = ctx.daemon()
    ctx.client(daemon).insert(name="Kettle")
    live = LiveTable(daemon)
    live.sync()
    daemon.stop()
    other = ctx.daemon("other", socket_path=daemon.socket)
    client = ctx.client(other)
    client.insert(name="Fan")
    check_equal(live.sync(), snapshot(client))
    assert "gap epoch" in live.told() and live.state()["resets"] == 2
    live.close()


def test_an_administrator_ends_the_connection(ctx):
    """The live table comes back by itself and has missed nothing."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    with LiveTable(daemon) as live:
        live.sync()
        for round_number in range(5):
            frame = ClientFrame()
            frame.list_clients.SetInParent()
            found = [c.client for c in client.request(frame).clients.clients
                     if c.name == "live test"]
            frame = ClientFrame()
            frame.kill_client.client = found[0]
            client.request(frame)
            client.insert(name=f"{round_number}")
            check_equal(live.sync(), snapshot(client))
        assert live.state()["gaps"] == 0


def live_window(daemon, **more):
    live = LiveTable(daemon, **more)
    live.window()
    return live


def test_a_window_comes_back_where_it_was(ctx):
    """Over a restart: of a renamed table, from the row on that took over from its own (F3, K9)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    done = client.batch(*[insert({"name": str(n)}) for n in range(30)])
    rows = [row for run in done.inserted for row in range(run.first, run.first + run.count)]
    live = live_window(daemon, window=(f"row:{rows[10]}", 4))
    client.batch(delete(rows[10]))
    assert [row for row, _ in live.window()[1]] == rows[11:15]
    # Drawn again: a stage of its own.
    client.batch(update(rows[12], name="new"))
    live.window()
    assert live.state()["reloads"] == 1
    frame = ClientFrame()
    frame.rename_table.table.name, frame.rename_table.name = "items", "things"
    client.request(frame)
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    client.batch(insert({"name": "x"}, (0, 0)), table="things")
    place, shown = live.window()
    assert [row for row, _ in shown] == rows[11:15] and place[0] == 11, live.told()
    state = live.state()
    assert state["gaps"] == 0 and state["table"] == client.table("things").id, live.told()
    live.close()


def test_a_window_whose_place_is_gone_says_so(ctx):
    """Over a restart: its row, its table's end or its table; elsewhere, or an end with a reason."""
    for what, code in (("row", "NO_SUCH_ROW"), ("end", "OUT_OF_RANGE"), ("table", "NO_SUCH_TABLE")):
        daemon = ctx.daemon(what)
        client = ctx.client(daemon)
        done = client.batch(*[insert({"name": str(n)}) for n in range(30)])
        rows = [row for run in done.inserted for row in range(run.first, run.first + run.count)]
        place = (f"row:{rows[20]}", 4) if what == "row" else ("20", 4)
        lives = [live_window(daemon, window=place) for _ in range(2)]
        lives[1].otherwise(2, 3)
        # Nobody sees the rows go: the daemon that does this listens elsewhere.
        daemon.kill()
        apart = ctx.daemon(
            what + "2", socket_path=daemon.socket + "2", store=daemon.store)
        client = ctx.client(apart)
        if what == "table":
            frame = ClientFrame()
            frame.drop_table.table.name = "items"
            client.request(frame)
        else:
            client.batch(*[delete(row) for row in rows[10:]])
        client.close()
        apart.stop()
        daemon.start()
        wait_until("the end", lambda: lives[0].state()["phase"] == "ended")
        state = lives[0].state()
        assert code_name(state["code"]) == code, state
        assert state["gaps"] == 1 and state["rows"] == 4, "the copy can be read as it was"
        assert ("gap table_dropped" if what == "table" else "gap window") in lives[0].told()
        lives[0].close()
        if what == "table":
            wait_until("the end", lambda: lives[1].state()["phase"] == "ended")
        else:
            place, shown = lives[1].window()
            assert [row for row, _ in shown] == rows[2:5] and place == [2, 2, 5], lives[1].told()
            assert lives[1].state()["gaps"] == 1, lives[1].told()
        lives[1].close()


def test_a_window_has_the_live_state_of_its_rows(ctx):
    """The flag of the table, and what hangs on the rows inside, over a restart too."""
    daemon = ctx.daemon()
    client, person = ctx.client(daemon), ctx.client(daemon, "person")
    done = client.batch(*[insert({"name": str(n)}) for n in range(30)])
    rows = [row for run in done.inserted for row in range(run.first, run.first + run.count)]
    live = live_window(daemon, window=("5", 5))
    idle = "0 swipe 0 confirm 0 drag 0 selected drafts"
    assert live.editing() == idle
    step(person, "draft", "BEGIN", rows[6], column="name")
    step(person, "swipe", "OPEN", rows[20])
    assert live.editing() == f"1 swipe 0 confirm 0 drag 0 selected drafts {rows[6]}"
    assert live.look(18, 5) == "moved"
    assert live.editing() == f"1 swipe {rows[20]} confirm 0 drag 0 selected drafts"
    client.batch(delete(rows[20]))
    assert live.editing() == idle
    daemon.kill()
    daemon.start()
    person = ctx.client(daemon)
    step(person, "draft", "BEGIN", rows[19], column="name")
    assert live.editing() == f"0 swipe 0 confirm 0 drag 0 selected drafts {rows[19]}"
    assert live.state()["gaps"] == 0
    live.close()

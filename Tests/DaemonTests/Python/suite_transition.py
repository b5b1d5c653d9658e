"""Transition batches: the cases of batch updates, contradictions, random ones (contract E12)."""

import json
import os
import random
import subprocess

import transitions
from client import Refused, batch_frame, delete, fill_cells, insert, insert_section, move, reload
from daemon import BINARY
from fold import Copy, runs, snapshot
from naive import Editor, NaiveTable, moved_in
from run import seeded
from schema import ROOT, ClientFrame, batch as batch_schema

# Rounds of the random tests; more of them with HPD_ROUNDS.
ROUNDS = int(os.environ.get("HPD_ROUNDS", "2000"))
HPCTL = os.environ.get("HPCTL") or os.path.join(os.path.dirname(BINARY), "hpctl")


def operation(kind, *parts):
    """An abstract operation of `transitions`, or of a case, as the wire has it."""
    op = batch_schema.Operation()
    if kind == "insert_row":
        return insert({"name": parts[1]}, parts[0])
    if kind == "delete_row":
        return delete(parts[0])
    if kind == "move_row":
        return move(parts[0], parts[1])
    if kind == "reload_row":
        return reload(parts[0], **({} if parts[1] is None else {"name": parts[1]}))
    if kind == "insert_section":
        return insert_section(parts[1], parts[0], [{"name": name} for name in parts[2]])
    if kind == "delete_section":
        op.delete_section.section.index = parts[0]
    elif kind == "move_section":
        op.move_section.section.index, op.move_section.to.index = parts
    elif kind == "reload_section":
        op.reload_section.section.index = parts[0]
        if parts[1] is not None:
            op.reload_section.with_rows = True
            for name in parts[1]:
                fill_cells(op.reload_section.rows.add().cells, {"name": name})
    else:
        raise AssertionError(kind)
    return op


def make_table(client, name, start):
    """A table with these sections and rows."""
    frame = ClientFrame()
    frame.create_table.name = name
    client.request(frame)
    made = [insert_section(s["section"], None, [{"name": r} for r in s["rows"]]) for s in start]
    if made:
        client.batch(*made, table=name)


def content(client, name):
    """What a case calls a table: sections and the names of their rows."""
    found = [
        {"section": section.title, "rows": []}
        for section in client.table(name).sections
    ]
    for placed in client.rows(table=name):
        text = next(cell.text for cell in placed.row.cells if cell.column_name in ("", "name"))
        found[placed.path.section]["rows"].append(text)
    return found


def cases():
    with open(os.path.join(ROOT, "Tests", "Cases", "batch.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def hpctl(daemon, table, text):
    done = subprocess.run(
        [HPCTL, "--socket", daemon.socket, "--table", table, "--json", "batch", "-"],
        input=text, capture_output=True, text=True, timeout=20, check=False,
    )
    return done


def run_case(daemon, client, case, text):
    name = f"case {case['id']} {len(text)}"
    make_table(client, name, case["start"])
    watcher = Copy(client.subscribe(name).subscription)
    watcher.until_live(client)
    before = watcher.canonical()
    done = hpctl(daemon, name, text)
    if "reject" in case:
        assert done.returncode != 0 and not done.stdout, done
        error = json.loads(done.stderr)["error"]
        assert error["code"] == case["reject"], error
        assert "operation" in error, error
        if error["code"] != "OUT_OF_RANGE":
            assert error["operation"] == len(case["ops"]) - 1, error
            assert "path" in error and "other_path" in error, error
        assert content(client, name) == case["start"]
        watcher.until_barrier(client, 1)
        assert watcher.canonical() == before
        return
    assert done.returncode == 0, done
    reply = json.loads(done.stdout)
    assert len(reply["stages"]) == case["stages"], reply
    assert reply["unchanged"] == (case["stages"] == 0)
    reloads = [pair for stage in reply["stages"] for pair in stage.get("reloads", [])]
    assert reloads == case.get("reloads", []), reply
    assert content(client, name) == case["final"], (content(client, name), case["final"])
    watcher.until_barrier(client, 1)
    assert watcher.canonical() == snapshot(client, name).canonical()


def test_the_cases_through_hpctl(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    all_cases = cases()
    for case in all_cases:
        try:
            run_case(daemon, client, case, json.dumps({"ops": case["ops"]}))
            run_case(daemon, client, case, "".join(json.dumps(op) + "\n" for op in case["ops"]))
        except Exception:
            print(f"  case {case}")
            raise
    return f"{len(all_cases)} cases"


def final_of(plan, reply):
    """The final layout with the ids that the reply gave, in the order of the operations."""
    rows, sections = iter(runs(reply.inserted)), iter(runs(reply.inserted_sections))
    names = {}
    for op in plan.operations:
        if op[0] == "insert_row" and op[2] != "absorbed":
            names[op[2]] = next(rows)
        elif op[0] == "insert_section":
            names[op[2]] = next(sections)
            names.update((key, next(rows)) for key in op[3])
        elif op[0] == "reload_section" and op[2] is not None:
            names.update((key, next(rows)) for key in op[2])
    assert next(rows, None) is None and next(sections, None) is None
    return [
        (names.get(section, section), [names.get(row, row) for row in content])
        for section, content in plan.final
    ]


def naive(layout):
    table = NaiveTable()
    table.sections = [section for section, _ in layout]
    table.rows = {section: list(rows) for section, rows in layout}
    return table


def check_told(plan, layout, copy, table):
    """Moves by E10 among those asked for, reloads as (old, final)."""
    old, new = naive(plan.old), naive(layout)
    assert copy.moved == old.moved_rows(new, plan.named_rows)
    assert table.moved_sections == moved_in(old.sections, new.sections, plan.named_sections)
    assert len(copy.moved) <= len(plan.named_rows)
    told = [r for s in copy.last_change.tables[0].stages for r in s.reloads]
    assert {r.id for r in told} == set(plan.reloaded)
    for r in told:
        assert plan.old[r.old_section][1][r.old_row] == r.id
        assert layout[r.section][1][r.row] == r.id
        assert bool(r.columns) == (plan.reloaded[r.id] is not None)
    told = {r.old_section for s in copy.last_change.tables[0].stages for r in s.reload_sections}
    assert told == set(plan.reloaded_sections)


def layout_of(copy):
    table = next(iter(copy.tables.values()))
    return [(section, list(table.order[section])) for section in table.sections]


def attempt(ctx, client, watcher, copy, step):
    layout = layout_of(copy)
    rows = sum(len(rows) for _, rows in layout)
    plan = transitions.Plan(ctx.random, layout, step, busy=0.5 if rows > 40 else 0.25)
    codes = []
    if ctx.random.random() < 0.4:
        faults = transitions.Faults(plan)
        names = ctx.random.choices(transitions.Faults.names(), k=1 + (ctx.random.random() < 0.3))
        codes = [code for code in map(faults.add, names) if code]
    frame = batch_frame(*(operation(*op) for op in plan.operations), transition=True)
    if ctx.random.random() < 0.3:
        frame.batch.section_counts.extend(plan.counts())
    try:
        if codes:
            before = copy.canonical()
            refused = client.refused(frame)
            assert refused.code in codes, f"{refused.code}, not one of {codes}: {refused}"
            assert refused.error.HasField("operation")
            if step % 10 == 0:
                copy.until_barrier(watcher, step + 1)
                assert snapshot(client).canonical() == before
            return "refused"
        reply = client.request(frame).batch
        final = final_of(plan, reply)
        if final == layout and not plan.reloaded and not plan.reloaded_sections:
            assert reply.unchanged
            return "unchanged"
        assert not reply.unchanged
        copy.until_revision(watcher, reply.cursor.revision)
        assert layout_of(copy) == final, f"{layout_of(copy)}\n{final}"
        check_told(plan, final, copy, next(iter(copy.tables.values())))
        return "applied"
    except Exception:
        print(f"  at step {step}: {layout}\n  {plan.operations}\n  {plan.final}")
        raise


@seeded
def test_random_transitions(ctx):
    daemon = ctx.daemon()
    client, watcher = ctx.client(daemon), ctx.client(daemon, "watcher")
    copy = Copy(watcher.subscribe().subscription)
    copy.until_live(watcher)
    counts = {"applied": 0, "refused": 0, "unchanged": 0}
    for step in range(ROUNDS):
        counts[attempt(ctx, client, watcher, copy, step)] += 1
    assert snapshot(client).canonical() == copy.canonical()
    daemon.stop()
    assert snapshot(ctx.client(daemon.start())).canonical() == copy.canonical()
    assert counts["applied"] > 800 and counts["refused"] > 400, counts
    return f"{counts}"


def rebased(cursor, *operations):
    frame = batch_frame(*operations, transition=True, current=False)
    frame.batch.basis.at.epoch, frame.batch.basis.at.revision = cursor
    frame.batch.basis.rebase = True
    return frame


def names(client):
    return [placed.row.cells[0].text for placed in client.rows()]


def test_paths_of_an_earlier_revision_are_carried_to_now(ctx):
    """Contract E3, from the journal, from the turn in hand, and after a restart."""
    daemon = ctx.daemon()
    client, other = ctx.client(daemon), ctx.client(daemon, "other")
    reply = client.batch(*(insert({"name": name}) for name in "abcd"))
    cursor = (reply.cursor.epoch, reply.cursor.revision)
    a, b, c, d = runs(reply.inserted)
    other.batch(insert({"name": "x"}, (0, 0)), insert({"name": "y"}, ("after", b)))
    reply = client.request(rebased(cursor, insert({"name": "n"}, (0, 2)), delete((0, 3)))).batch
    assert names(client) == ["x", "a", "b", "n", "y", "c"]
    assert reply.counts.rows_inserted == 1 and reply.counts.rows_deleted == 1
    assert client.refused(rebased(cursor, delete((0, 3)))).code == "STALE"
    assert client.refused(rebased(cursor, delete((0, 4)))).code == "OUT_OF_RANGE"
    # Several in one turn: the later ones see the earlier ones, durable or not.
    frames = [
        batch_frame(move(c, (0, 0))),
        rebased(cursor, insert({"name": "m"}, (0, 3)), move((0, 1), (0, 0))),
        rebased(cursor, delete((0, 2)), reload((0, 0), name="A")),
    ]
    for frame in frames:
        client.send(frame)
    for _ in frames:
        reply = client.reply()
        assert not reply.HasField("error"), reply
    # m was to stand behind c, which moved; so behind a, the next one before it that did not.
    assert names(client) == ["b", "x", "A", "m", "n", "y"]
    daemon.stop()
    client = ctx.client(daemon.start())
    if client.hello.epoch == cursor[0]:
        client.request(rebased(cursor, insert({"name": "last"}, (0, 1))))
        assert names(client) == ["b", "x", "A", "last", "m", "n", "y"]
    wrong = (cursor[0] + 1, cursor[1])
    assert client.refused(rebased(wrong, delete((0, 0)))).code == "WRONG_EPOCH"
    assert client.refused(rebased((cursor[0], 1), delete((0, 0)))).code == "STALE"
    later = (cursor[0], client.hello.revision + 1000)
    assert client.refused(rebased(later, delete((0, 0)))).code == "FUTURE_REVISION"
    sequence = rebased(cursor, delete((0, 0)))
    sequence.batch.mode = batch_schema.BATCH_MODE_SEQUENCE
    assert client.refused(sequence).code == "UNSUPPORTED"


@seeded
def test_two_clients_that_only_fold_stay_equal(ctx):
    """Sequences, transitions and rebased ones mixed, from both; nobody reads anything else."""
    daemon = ctx.daemon()
    clients = [ctx.client(daemon), ctx.client(daemon, "second")]
    copies = [Copy(client.subscribe().subscription) for client in clients]
    for copy, client in zip(copies, clients):
        copy.until_live(client)
    editor = Editor(random.Random(ctx.random.random()))
    kept = None  # an earlier layout and its cursor
    counts = {"sequence": 0, "transition": 0, "rebased": 0, "stale": 0}
    for step in range(ROUNDS):
        client, copy = ctx.random.choice(list(zip(clients, copies)))
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
            operations = [operation(*op) for op in plan.operations]
            frame = rebased(cursor, *operations) if kind == "rebased" else (
                batch_frame(*operations, transition=True))
        if not frame.batch.operations:
            continue
        revision = copy.revision
        try:
            revision = client.request(frame).batch.cursor.revision
            counts[kind] += 1
        except Refused as refused:
            assert kind == "rebased" and refused.code == "STALE", refused
            counts["stale"] += 1
        for other, sender in zip(copies, clients):
            other.until_revision(sender, revision)
        if kept is None or ctx.random.random() < 0.3:
            kept = (layout_of(copy), copy.cursor)
    assert copies[0].canonical() == copies[1].canonical() == snapshot(clients[0]).canonical()
    assert min(counts.values()) > 50, counts
    return f"{counts}"

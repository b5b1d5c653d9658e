"""Steps: undo, redo, restore and history, rule by rule and against what the feed told (E9, K10)."""

import threading
import time

from client import Refused, batch_frame, delete, delete_section, insert, insert_section, move, \
    reload, update
from daemon import wait_until
from fold import Copy, runs, snapshot
from run import seeded
from schema import ClientFrame, change as change_schema, model
from suite_batch import names
from suite_editing import set_policy


def steps_frame(what, table="items", **fields):
    frame = ClientFrame()
    body = getattr(frame, what)
    body.SetInParent()
    if table is not None:
        body.table.name = table
    for name, value in fields.items():
        setattr(body, name, value)
    return frame


def undo(client, **fields):
    return client.request(steps_frame("undo", **fields)).batch


def redo(client, **fields):
    return client.request(steps_frame("redo", **fields)).batch


def restore(client, row, **fields):
    return client.request(steps_frame("restore_row", row=row, **fields)).batch


def revision(reply):
    return reply.cursor.revision


def whole_history(client, limit=500, **fields):
    """All pages of the history of a table, or of a row of it."""
    what = "row_history" if "row" in fields else "history"
    entries, before = [], None
    while True:
        page = client.request(steps_frame(
            what, limit=limit, **fields, **({} if before is None else {"before": before}))).history
        assert len(page.entries) <= limit
        entries.extend(page.entries)
        if not page.HasField("next"):
            return entries
        assert page.entries, "an empty page that is not the last"
        before = page.next


def content(client):
    """All that the table shows but for revisions: an undo gives its rows new ones."""
    (table,) = snapshot(client).canonical().values()
    rows = {}
    for number, image in table["rows"].items():
        row = model.Row.FromString(image)
        row.ClearField("revision")
        rows[number] = row.SerializeToString()
    return {**table, "rows": rows, "schema": None, "last changed": None}


def conflicts(refused):
    assert refused.code == "CONFLICT", refused
    return [(c.revision, c.actor, c.row) for c in refused.error.conflicts]


def people(ctx, daemon, *actors):
    return [ctx.client(daemon, actor) for actor in actors]


def test_each_undoes_its_own(ctx):
    """A edits r1, B edits r2, A undoes r1 alone; nothing of B is touched."""
    daemon = ctx.daemon()
    anna, bert = people(ctx, daemon, "anna", "bert")
    r1, r2 = anna.insert(name="one"), bert.insert(name="two")
    edit = revision(anna.batch(update(r1, name="ONE")))
    other = revision(bert.batch(update(r2, name="TWO")))
    reply = undo(anna)
    assert reply.step == edit and reply.counts.rows_updated == 1
    assert names(anna) == ["one", "TWO"]
    assert revision(reply) > other
    # The step before is Anna's too; then there is none. Bert's are never hers.
    undo(anna)
    assert names(anna) == ["TWO"]
    assert anna.refused(steps_frame("undo")).code == "NOTHING_TO_UNDO"
    refused = anna.refused(steps_frame("undo", step=other))
    assert refused.code == "NOT_OWN_STEP", refused
    assert names(anna) == ["TWO"]
    # The same name is the same actor, on whatever connection.
    twin = ctx.client(daemon, "program", actor="bert")
    assert undo(twin).step == other
    assert names(anna) == ["two"]


def test_nothing_to_undo_and_what_is_no_step(ctx):
    daemon = ctx.daemon()
    (anna,) = people(ctx, daemon, "anna")
    for what, code in (("undo", "NOTHING_TO_UNDO"), ("redo", "NOTHING_TO_REDO")):
        assert anna.refused(steps_frame(what)).code == code
        assert anna.refused(steps_frame(what, table=None)).code == code
        assert anna.refused(steps_frame(what, step=(1 << 53) - 1)).code == code
        assert anna.refused(steps_frame(what, table="nowhere")).code == "NO_SUCH_TABLE"
    row = anna.insert(name="a")
    undone = revision(undo(anna))
    assert anna.refused(steps_frame("undo", step=undone)).code == "NOTHING_TO_UNDO"
    redone = revision(redo(anna))
    assert anna.refused(steps_frame("undo", step=redone)).code == "NOTHING_TO_UNDO"
    assert anna.refused(steps_frame("redo")).code == "NOTHING_TO_REDO"
    # A reload that changes nothing is no step (E6); a table made is none either (E13).
    anna.batch(reload(row))
    frame = ClientFrame()
    frame.create_table.name = "more"
    anna.request(frame)
    undo(anna, table=None)
    assert names(anna) == []
    assert anna.refused(steps_frame("undo", table=None)).code == "NOTHING_TO_UNDO"


def test_conflicts_of_two_actors(ctx):
    daemon = ctx.daemon()
    anna, bert = people(ctx, daemon, "anna", "bert")
    row, other = anna.insert(name="a"), anna.insert(name="b")
    step = revision(anna.batch(update(row, name="A", serial="1")))
    theirs = revision(bert.batch(update(row, name="Bert's")))
    before = content(anna)
    assert conflicts(anna.refused(steps_frame("undo"))) == [(theirs, "bert", row)]
    assert content(anna) == before, "all or nothing"
    # Values count: once the cell is what the step left, it is no conflict, whoever wrote it.
    back = revision(bert.batch(update(row, name="A")))
    assert undo(anna).step == step
    redo(anna)
    # A row it would remove, changed by another.
    made = anna.batch(insert({"name": "new"}))
    (new,) = runs(made.inserted)
    touched = revision(bert.batch(update(new, serial="x")))
    assert conflicts(anna.refused(steps_frame("undo"))) == [(touched, "bert", new)]
    undo(bert)
    assert undo(anna).step == revision(made), "an undone revision counts as nothing"
    # A row that is gone.
    edit = revision(anna.batch(update(other, name="B")))
    gone = revision(bert.batch(delete(other)))
    assert conflicts(anna.refused(steps_frame("undo", step=edit))) == [(gone, "bert", other)]
    # A section that is gone.
    section = runs(bert.batch(insert_section("s", rows=[{"name": "in"}])).inserted_sections)[0]
    (inside,) = [p.row.id for p in bert.rows(section=section)]
    anna.batch(delete(inside))
    left = revision(bert.batch(delete_section(section)))
    refused = anna.refused(steps_frame("undo"))
    assert [(c.revision, c.section) for c in refused.error.conflicts] == [(left, section)]
    assert back < touched


def test_others_steps_need_any(ctx):
    daemon = ctx.daemon()
    anna, bert = people(ctx, daemon, "anna", "bert")
    anna.insert(name="a")
    theirs = revision(bert.batch(insert({"name": "b"})))
    assert anna.refused(steps_frame("undo", step=theirs)).code == "NOT_OWN_STEP"
    assert undo(anna, any=True).step == theirs
    assert names(anna) == ["a"]
    # Redo belongs to who undid, and the step's owner may name it.
    assert bert.refused(steps_frame("redo")).code == "NOTHING_TO_REDO"
    assert redo(bert, step=theirs).step == theirs
    assert names(anna) == ["a", "b"]


def test_a_new_step_ends_that_actors_redo(ctx):
    daemon = ctx.daemon()
    anna, bert = people(ctx, daemon, "anna", "bert")
    a, b = anna.insert(name="a"), bert.insert(name="b")
    anna.batch(update(a, name="A"))
    bert.batch(update(b, name="B"))
    undo(anna), undo(bert)
    anna.insert(name="c")
    assert anna.refused(steps_frame("redo")).code == "NOTHING_TO_REDO"
    redo(bert)
    assert names(anna) == ["a", "B", "c"]


def test_expectations(ctx):
    daemon = ctx.daemon()
    (anna,) = people(ctx, daemon, "anna")
    first = revision(anna.batch(insert({"name": "a"})))
    second = revision(anna.batch(insert({"name": "b"})))
    assert anna.refused(steps_frame("undo", expect_step=first)).code == "STALE"
    frame = steps_frame("undo", expect_step=second)
    frame.expect.epoch, frame.expect.revision = anna.hello.epoch, first
    assert anna.refused(frame).code == "STALE"
    frame.expect.revision = second
    assert anna.request(frame).batch.step == second
    assert anna.refused(steps_frame("redo", expect_step=first)).code == "STALE"
    assert redo(anna, expect_step=second).step == second


def test_a_dry_run_is_the_real_run(ctx):
    daemon = ctx.daemon()
    anna, bert = people(ctx, daemon, "anna", "bert")
    (section,) = [s.id for s in anna.table().sections]
    rows = [anna.insert(name=f"n{n}") for n in range(6)]
    anna.batch(delete(rows[1]), delete(rows[4]), update(rows[0], name="x"),
               move(rows[5], ("first_of", section)), insert({"name": "new"}))
    bert.batch(move(rows[3], ("first_of", section)))
    for what in ("undo", "redo"):
        before, at = content(anna), anna.table().last_changed
        planned = anna.request(steps_frame(what, dry_run=True)).batch
        assert planned.dry_run and revision(planned) == at
        assert content(anna) == before and anna.table().last_changed == at
        done = anna.request(steps_frame(what)).batch
        for reply in (planned, done):
            for field in ("cursor", "dry_run", "last_changed"):
                reply.ClearField(field)
        assert planned == done, f"{planned}\n{done}"
        assert done.counts.rows_moved and done.counts.rows_updated
    # One that would be refused is refused.
    bert.batch(update(rows[0], name="y"))
    assert anna.refused(steps_frame("undo", dry_run=True)).code == "CONFLICT"


def test_two_undos_at_once_with_a_key_each(ctx):
    """Each of them takes back one step; the same key twice takes back no second one (E5)."""
    daemon = ctx.daemon()
    maker = ctx.client(daemon, "anna")
    steps = [revision(maker.batch(insert({"name": str(n)}))) for n in range(40)]
    undone, faults = [], []

    def work(number):
        client = ctx.client(daemon, f"program {number}", actor="anna")
        try:
            for turn in range(10):
                frame = steps_frame("undo")
                frame.key = f"{number}.{turn}"
                first = client.request(frame).batch
                again = client.request(frame).batch
                assert again.replayed and again.step == first.step
                assert revision(again) == revision(first)
                undone.append(first.step)
        except Exception as fault:  # noqa: BLE001: told by the test
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults
    assert sorted(undone) == steps[20:], "the newest twenty, each once"
    assert names(maker) == [str(n) for n in range(20)]


def test_beyond_the_bound(ctx):
    """A step that history has no more is COMPACTED, and so is a row's return."""
    daemon = ctx.daemon(options=["--history-revisions", "50"])
    anna, bert = people(ctx, daemon, "anna", "bert")
    old = anna.batch(insert({"name": "old"}))
    (row,) = runs(old.inserted)
    anna.batch(delete(row))
    anna.insert(name="newer")
    for number in range(120):
        bert.insert(name=str(number))

    def is_compacted():
        time.sleep(0.05)  # quiet: rows are written, and then history can go
        bert.insert(name="more")
        return anna.refused(steps_frame("undo", step=revision(old))).code == "COMPACTED"

    wait_until("the end of old history", is_compacted)
    assert anna.refused(steps_frame("restore_row", row=row)).code == "COMPACTED"


def test_restored_rows_stand_where_they_stood(ctx):
    daemon = ctx.daemon()
    anna, bert = people(ctx, daemon, "anna", "bert")
    rows = [anna.insert(name=f"n{n}") for n in range(5)]
    before = content(anna)
    anna.batch(delete(rows[1]), delete(rows[2]), delete(rows[3]))
    planned = restore(bert, rows[2], dry_run=True)
    assert planned.dry_run and runs(planned.inserted) == [rows[2]]
    assert names(anna) == ["n0", "n4"]
    for row in (rows[2], rows[3], rows[1]):
        reply = restore(bert, row)
        assert runs(reply.inserted) == [row] and reply.undoable
    assert content(anna) == before
    assert bert.refused(steps_frame("restore_row", row=rows[1])).code == "ROW_EXISTS"
    assert bert.refused(steps_frame("restore_row", row=rows[4] + 99)).code == "NO_SUCH_ROW"
    undo(bert)
    assert names(anna) == ["n0", "n2", "n3", "n4"]
    # What was restored stands in the way of undoing the removal.
    assert anna.refused(steps_frame("undo")).code == "CONFLICT"


def test_steps_survive_a_restart_and_kill(ctx):
    daemon = ctx.daemon()
    (anna,) = people(ctx, daemon, "anna")
    rows = [anna.insert(name=f"n{n}") for n in range(50)]
    states = [content(anna)]
    anna.batch(*[update(row, name="x") for row in rows])
    states.append(content(anna))
    anna.batch(*[delete(row) for row in rows[::3]])
    states.append(content(anna))
    for end in (daemon.kill, daemon.stop):
        for state in (states[1], states[0]):
            undo(anna)
            assert content(anna) == state
            end()
            daemon.start()
            (anna,) = people(ctx, daemon, "anna")
            assert content(anna) == state
        for state in (states[1], states[2]):
            redo(anna)
            end()
            daemon.start()
            (anna,) = people(ctx, daemon, "anna")
            assert content(anna) == state
    assert anna.refused(steps_frame("redo")).code == "NOTHING_TO_REDO"


class Diary:
    """What the feed told of each revision, to be held against history."""

    def __init__(self, ctx, daemon):
        self.client = ctx.client(daemon, "diarist")
        self.copy = Copy(self.client.subscribe().subscription)
        self.copy.until_live(self.client)
        (self.table,) = self.copy.tables.values()
        self.tables = []
        self.rows = {}
        self.undone = {}

    def note(self):
        """Takes in the one revision that came, if one came."""
        old, last = dict(self.table.images), self.copy.revision
        self.copy.until_barrier(self.client, self.client.next_id)
        change = self.copy.last_change
        if self.copy.revision == last or change.revision <= last:
            return
        (told,) = change.tables
        if change.undoes:
            self.undone[change.undoes] = change.revision
        elif change.redoes:
            del self.undone[change.redoes]
        head = (change.revision, change.actor, change.undoes, change.redoes)
        self.tables.append(head)
        new = self.table.images
        columns = {
            one.id: list(one.columns) for stage in told.stages for one in stage.reloads
            if stage.kind == change_schema.STAGE_KIND_RELOAD and one.columns}
        policies = {entry.row for entry in told.row_policies}
        for row in set(old) ^ set(new) | self.copy.moved | set(columns) | policies:
            before, after = cells(old.get(row)), cells(new.get(row))
            named = columns.get(row, [])
            if row not in new:
                lists = (before, {})
            elif row not in old:
                lists = ({}, after)
            else:
                lists = tuple(
                    {c: image.get(c, model.Cell(column=c).SerializeToString()) for c in named}
                    for image in (before, after))
            self.rows.setdefault(row, []).append((
                *head, row in new and row not in old, row not in new,
                row in self.copy.moved and row in new and row in old,
                row in policies and row in old, *lists))

    def check(self, client, random):
        told = [(e.revision, e.actor, e.undoes, e.redoes)
                for e in whole_history(client, limit=random.randrange(3, 60))]
        # The table's creation stands before the first that the feed told.
        assert told[:len(self.tables)] == self.tables[::-1]
        for entry in whole_history(client):
            assert entry.undone == (entry.revision in self.undone)
            assert entry.undone_by == self.undone.get(entry.revision, 0)
        for row, entries in self.rows.items():
            found = whole_history(client, limit=random.randrange(1, 9), row=row)
            assert [line(entry) for entry in found] == entries[::-1], row


def cells(image):
    if image is None:
        return {}
    return {cell.column: cell.SerializeToString() for cell in model.Row.FromString(image).cells}


def line(entry):
    return (
        entry.revision, entry.actor, entry.undoes, entry.redoes, entry.inserted, entry.deleted,
        entry.moved, entry.policy_changed, {c.column: c.SerializeToString() for c in entry.old_cells},
        {c.column: c.SerializeToString() for c in entry.new_cells})


@seeded
def test_history_is_what_the_feed_told(ctx):
    daemon = ctx.daemon()
    clients = people(ctx, daemon, "anna", "bert", "cleo")
    diary = Diary(ctx, daemon)
    random, rows, gone = ctx.random, [], []
    sections = [s.id for s in clients[0].table().sections]
    sections.append(runs(clients[0].batch(insert_section("two")).inserted_sections)[0])
    diary.note()

    def some():
        return random.choice(rows)

    def operation():
        kind = random.randrange(12)
        if kind < 4 or len(rows) < 4:
            return insert({"name": f"n{random.randrange(99)}", "value": random.randrange(9)},
                          ("last_of", random.choice(sections)))
        if kind < 7:
            return update(some(), **random.choice(
                [{"name": str(random.randrange(99))}, {"serial": None}, {"serial": "s", "name": "x"}]))
        if kind < 9:
            return move(some(), (random.choice(["first_of", "last_of"]), random.choice(sections)))
        if kind < 10:
            return reload(some())
        if kind < 11:
            return set_policy(row=some(), can_move=bool(random.randrange(2)))
        return delete(some())

    done = {"undo": 0, "redo": 0, "restore": 0}
    for _ in range(240):
        client = random.choice(clients)
        kind = random.randrange(10)
        try:
            if kind < 3:
                undo(client, any=random.random() < 0.2)
                done["undo"] += 1
            elif kind < 5:
                redo(client)
                done["redo"] += 1
            elif kind < 6 and gone:
                restore(client, random.choice(gone))
                done["restore"] += 1
            else:
                client.batch(*[operation() for _ in range(random.randrange(1, 4))])
        except Refused as refused:
            assert refused.code in (
                "NOTHING_TO_UNDO", "NOTHING_TO_REDO", "CONFLICT", "ROW_EXISTS", "NO_SUCH_ROW",
            ), refused
            continue
        diary.note()
        rows = list(diary.table.images)
        gone = [row for row in diary.rows if row not in diary.table.images]
    assert min(done.values()) > 2, done
    diary.check(clients[0], random)
    daemon.kill()
    daemon.start()
    (anna,) = people(ctx, daemon, "anna")
    diary.check(anna, random)
    assert content(anna)["rows"].keys() == diary.table.images.keys()


def test_pages_and_filters_of_history(ctx):
    daemon = ctx.daemon()
    anna, bert = people(ctx, daemon, "anna", "bert")
    made = {"anna": [], "bert": []}
    for number in range(30):
        for client in (anna, bert)[: 1 + number % 2]:
            made[client.actor].append(revision(client.batch(insert({"name": str(number)}))))
    everything = sorted(made["anna"] + made["bert"], reverse=True)
    for limit in (1, 7, 44, 45, 46, 500):
        told = [e.revision for e in whole_history(anna, limit=limit)]
        assert told[:len(everything)] == everything and len(told) == len(everything) + 1
    for actor, revisions in made.items():
        told = whole_history(anna, limit=4, actor=actor)
        assert [e.revision for e in told] == revisions[::-1]
        assert {(e.actor, e.counts.rows_inserted, e.undoable) for e in told} == {(actor, 1, True)}
    assert whole_history(anna, actor="nobody") == []
    assert whole_history(anna, actor="anna", uid=4_000_000) == []
    first = made["anna"][0]
    frame = steps_frame("history", before=first + 1, limit=1)
    assert [e.revision for e in anna.request(frame).history.entries] == [first]
    assert anna.refused(steps_frame("row_history", row=1 << 50)).code == "NO_SUCH_ROW"


def test_a_rows_policy_is_told_in_its_history(ctx):
    daemon = ctx.daemon()
    (anna,) = people(ctx, daemon, "anna")
    row = anna.insert(name="a")
    anna.batch(set_policy(row=row, can_move=False))
    anna.batch(reload(row))
    anna.batch(set_policy(row=row, clear=True), update(row, name="b"))
    undo(anna)
    told = [(e.policy_changed, len(e.new_cells), e.undoes > 0)
            for e in whole_history(anna, row=row)]
    assert told == [
        (True, 1, True), (True, 1, False), (True, 0, False), (False, 2, False),
    ], "a reload gives a row nothing, so it is not among them"

"""Sequence batches: operations, refusals, expectations, keys, dry runs (contract E)."""

import random

from client import (
    batch_frame, delete, delete_section, insert, insert_section, move, move_section, reload,
    retitle, update,
)
from fold import Copy, runs, snapshot
from naive import Editor, NaiveTable, moved_in
from run import seeded
from schema import ClientFrame, batch as batch_schema, model


def names(client, section=None):
    """The names of all rows, by position."""
    return [cell_text(placed.row) for placed in client.rows(section=section)]


def cell_text(row, column=1):
    for cell in row.cells:
        if cell.column == column:
            return cell.text
    return None


def sections(client):
    return [(s.id, s.title if s.HasField("title") else None) for s in client.table().sections]


def cursor(reply):
    return (reply.cursor.epoch, reply.cursor.revision)


def test_insert_get_list(ctx):
    client = ctx.client(ctx.daemon())
    reply = client.batch(insert({"name": "a"}), insert({"name": "b", "value": 5}))
    assert reply.cursor.revision > client.hello.revision
    assert reply.counts.rows_inserted == 2
    ids = runs(reply.inserted)
    assert len(ids) == 2 and not reply.unchanged
    page = client.get(ids[1], 999_999, ids[0])
    assert [p.row.id for p in page.rows] == [ids[1], ids[0]]
    assert list(page.missing) == [999_999]
    assert [(p.path.section, p.path.row) for p in page.rows] == [(0, 1), (0, 0)]
    assert all(p.row.revision == reply.cursor.revision for p in page.rows)
    assert names(client) == ["a", "b"]


def test_places(ctx):
    client = ctx.client(ctx.daemon())
    section = sections(client)[0][0]
    a = client.insert(name="a")
    client.insert(name="b", at=("before", a))
    client.insert(name="c", at=("after", a))
    client.insert(name="d", at=("first_of", section))
    client.insert(name="e", at=("last_of", section))
    client.insert(name="f", at=(0, 2))
    assert names(client) == ["d", "b", "f", "a", "c", "e"]
    client.batch(move(a, (0, 0)))
    assert names(client) == ["a", "d", "b", "f", "c", "e"]
    client.batch(move(a, (0, 5)))
    assert names(client) == ["d", "b", "f", "c", "e", "a"]
    client.batch(move(a, ("before", runs(client.batch(insert({"name": "g"})).inserted)[0])))
    assert names(client) == ["d", "b", "f", "c", "e", "a", "g"]


def test_each_operation_sees_the_one_before(ctx):
    client = ctx.client(ctx.daemon())
    reply = client.batch(
        insert({"name": "a"}, handle=1),
        insert({"name": "b"}, (0, 0), handle=2),
        update({"as": 1}, serial="7"),
        move({"as": 2}, (0, 1)),
        insert({"name": "c"}, (0, 1)),
        delete((0, 0)),
    )
    assert names(client) == ["c", "b"]
    assert reply.counts.rows_inserted == 2 and reply.counts.rows_deleted == 0
    assert len(runs(reply.inserted)) == 2


def test_sections(ctx):
    client = ctx.client(ctx.daemon())
    first = sections(client)[0][0]
    reply = client.batch(
        insert_section("Kitchen", rows=[{"name": "pan"}, {"name": "pot"}]),
        insert_section("Hall", 0),
        insert_section(None, 1),
    )
    kitchen = [s for s in sections(client) if s[1] == "Kitchen"][0][0]
    hall = [s for s in sections(client) if s[1] == "Hall"][0][0]
    assert [t for _, t in sections(client)] == ["Hall", None, None, "Kitchen"]
    assert sections(client)[2][0] == first
    assert sorted(runs(reply.inserted_sections)) == sorted(
        s for s, _ in sections(client) if s != first)
    assert reply.counts.sections_inserted == 3 and reply.counts.rows_inserted == 2
    assert names(client) == ["pan", "pot"]
    client.batch(move_section(kitchen, 0), retitle(hall, "Entrance"), retitle(kitchen, None))
    assert [t for _, t in sections(client)] == [None, "Entrance", None, None]
    reply = client.batch(delete_section(kitchen))
    assert reply.counts.sections_deleted == 1 and reply.counts.rows_deleted == 2
    assert names(client) == []
    for section, _ in sections(client):
        client.batch(delete_section(section))
    assert sections(client) == []
    row = client.insert(name="alone")  # makes an untitled section in the same revision
    assert names(client) == ["alone"] and len(sections(client)) == 1
    assert client.get(row).rows[0].row.id == row


def test_update_and_null(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="a", serial="1", value=100)
    reply = client.batch(update(row, name="b", value=None))
    found = client.get(row).rows[0].row
    assert found.revision == reply.cursor.revision
    assert [c.column for c in found.cells][:2] == [1, 2]
    assert {c.WhichOneof("value") for c in found.cells} == {"text", "timestamp"}
    assert cell_text(found) == "b"
    assert reply.counts.rows_updated == 1


def test_no_change_no_revision(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="a")
    other = client.insert(name="b")
    copy = Copy(client.subscribe().subscription)
    copy.until_live(client)
    for operations in (
        [update(row, name="a")],
        [update(row, name="x"), update(row, name="a")],
        [move(row, (0, 0))],
        [move(row, ("before", other))],
        [move(row, (0, 1)), move(row, (0, 0))],
        [move(row, (0, 1)), move(other, (0, 1))],
        [insert({"name": "c"}, handle=1), delete({"as": 1})],
        [retitle(sections(client)[0][0], None)],
        [insert_section("s", handle=1), batch_schema.Operation()],
    ):
        if not operations[-1].WhichOneof("operation"):
            operations[-1].delete_section.section.handle = 1
        before = client.table().last_changed
        reply = client.batch(*operations)
        assert reply.unchanged, f"{operations}: {reply}"
        assert not reply.inserted and not reply.stages
        assert client.table().last_changed == before
    copy.until_barrier(client, 1)
    assert copy.last_change is None


def test_a_plain_reload_is_a_change(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="a")
    before = client.get(row).rows[0].row
    copy = Copy(client.subscribe().subscription)
    copy.until_live(client)
    reply = client.batch(reload(row))
    assert not reply.unchanged
    assert client.get(row).rows[0].row == before
    copy.until_revision(client, reply.cursor.revision)
    stage = copy.last_change.tables[0].stages[0]
    assert [r.id for r in stage.reloads] == [row] and not stage.reloads[0].columns
    reply = client.batch(reload(row, name="b"))
    assert client.get(row).rows[0].row.revision == reply.cursor.revision
    copy.until_revision(client, reply.cursor.revision)


def test_row_revisions_follow_cells_only(ctx):
    client = ctx.client(ctx.daemon())
    rows = [client.insert(name=str(n)) for n in range(4)]
    before = {p.row.id: p.row.revision for p in client.rows()}
    client.batch(move(rows[0], (0, 3)), insert_section("s", 0), insert({"name": "z"}, (0, 0)))
    after = {p.row.id: p.row.revision for p in client.rows()}
    assert all(after[row] == before[row] for row in rows)


def test_headers_and_footers(ctx):
    """Of the table and of a section; absent, empty and height 0 are three things."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    copy = Copy(client.subscribe().subscription)
    copy.until_live(client)
    section = sections(client)[0][0]

    def set_it(value, footer=False, of=None):
        op = batch_schema.Operation()
        op.set_header_footer.footer = footer
        if of is not None:
            op.set_header_footer.section.id = of
        if value is not None:
            op.set_header_footer.value.CopyFrom(model.HeaderFooter(**value))
        return client.batch(op)

    for value in ({"title": "Things"}, {"title": ""}, {"height": 0.0}, {"height": 44.5}, None):
        for footer in (False, True):
            for of in (None, section):
                done = set_it(value, footer, of)
                assert not done.unchanged
                assert set_it(value, footer, of).unchanged
                copy.until_revision(client, done.cursor.revision)
                assert copy.canonical() == snapshot(client).canonical()
                table = client.table()
                holder = table.sections[0] if of else table
                kind = "footer" if footer else "header"
                assert holder.HasField(kind) == (value is not None)
                if value is not None:
                    assert getattr(holder, kind) == model.HeaderFooter(**value)
    done = set_it({"title": "Kept"}, of=section)
    daemon.kill()
    daemon.start()
    assert ctx.client(daemon).table().sections[0].header.title == "Kept"


def test_reloading_a_section_without_rows(ctx):
    client = ctx.client(ctx.daemon())
    client.insert(name="a")
    copy = Copy(client.subscribe().subscription)
    copy.until_live(client)
    op = batch_schema.Operation()
    op.reload_section.section.index = 0
    done = client.batch(op)
    assert not done.unchanged
    copy.until_revision(client, done.cursor.revision)
    stages = copy.last_change.tables[0].stages
    assert [r.section for r in stages[0].reload_sections] == [0]
    assert copy.canonical() == snapshot(client).canonical()


def refusals(row, section):
    """What is refused, with the code, and what the error must name."""
    text_65k = "a" * 65_537
    cell = insert({"name": "x"})
    cell.insert_row.row.cells.add(column=1, text="twice")
    unnamed = batch_schema.Operation()
    unnamed.insert_row.row.cells.add(text="x")
    absent = 999_999
    return [
        ([delete(absent)], {"NO_SUCH_ROW"}, {"row": absent}),
        ([update(absent, name="x")], {"NO_SUCH_ROW"}, {"row": absent}),
        ([move(absent, (0, 0))], {"NO_SUCH_ROW"}, {"row": absent}),
        ([insert({"name": "x"}, ("before", absent))], {"NO_SUCH_ROW"}, {"row": absent}),
        ([insert({"name": "x"}, ("last_of", absent))], {"NO_SUCH_SECTION"}, {}),
        ([delete_section(absent)], {"NO_SUCH_SECTION"}, {}),
        ([insert({"name": "x"}, (5, 0))], {"OUT_OF_RANGE", "NO_SUCH_SECTION"}, {}),
        ([insert({"name": "x"}, (0, 77))], {"OUT_OF_RANGE"}, {}),
        ([delete((0, 77))], {"OUT_OF_RANGE", "NO_SUCH_ROW"}, {}),
        ([move(row, (0, 77))], {"OUT_OF_RANGE"}, {}),
        ([move_section(section, 9)], {"OUT_OF_RANGE"}, {}),
        ([insert_section("x", 9)], {"OUT_OF_RANGE"}, {}),
        ([insert({"colour": "x"})], {"NO_SUCH_COLUMN"}, {"column": "colour"}),
        ([update(row, colour="x")], {"NO_SUCH_COLUMN"}, {"column": "colour"}),
        ([insert({"name": ("integer", 5)})], {"WRONG_KIND"}, {"column": "name"}),
        ([update(row, value=("text", "5"))], {"WRONG_KIND"}, {"column": "value"}),
        ([update(row, value=("integer", 5))], {"WRONG_KIND"}, {"column": "value"}),
        ([update(row, created=5)], {"READ_ONLY"}, {"column": "created"}),
        ([update(row, name=text_65k)], {"TEXT_TOO_LONG"}, {}),
        ([cell], {"DUPLICATE_COLUMN"}, {"column": "name"}),
        ([unnamed], {"NO_SUCH_COLUMN", "BAD_REQUEST"}, {}),
        ([delete({"as": 9})], {"NO_SUCH_HANDLE"}, {}),
        ([insert({"name": "x"}, handle=1), insert({"name": "y"}, handle=1)],
         {"BAD_REQUEST", "DUPLICATE"}, {}),
        ([retitle(section, "t" * 4097)], {"TEXT_TOO_LONG"}, {}),
        ([delete(row), delete(row)], {"NO_SUCH_ROW"}, {"row": row}),
    ]


def test_each_refusal_names_its_place_and_changes_nothing(ctx):
    client = ctx.client(ctx.daemon())
    section = sections(client)[0][0]
    row = client.insert(name="a", value=1)
    before = snapshot(client).canonical()
    wrong = []
    for operations, codes, details in refusals(row, section):
        good = insert({"name": "good"})
        try:
            refused = client.refused(batch_frame(good, *operations))
        except AssertionError as fault:
            wrong.append(f"{operations}: {fault}")
            continue
        error = refused.error
        failing = len(operations)
        if refused.code not in codes:
            wrong.append(f"{refused.code}, expected {codes}: {operations}: {error}")
        elif not error.message:
            wrong.append(f"{refused.code} without a message")
        elif error.operation != failing and not (error.offset and error.field):
            # What is found before the frame is unpacked has a place in the frame instead.
            wrong.append(f"{refused.code} names operation {error.operation}, not {failing}")
        for name, value in details.items():
            if getattr(error, name) != value:
                wrong.append(f"{refused.code} names {name} {getattr(error, name)!r}, not {value!r}")
    assert snapshot(client).canonical() == before, "a refused batch changed something"
    assert not wrong, "\n".join(str(w)[:600] for w in wrong)


def test_paths_need_a_basis(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="a")
    refused = client.refused(batch_frame(insert({"name": "x"}, (0, 0)), current=False))
    assert refused.code == "PATHS_NEED_BASIS"
    assert client.refused(batch_frame(delete((0, 0)), current=False)).code == "PATHS_NEED_BASIS"
    client.batch(update(row, name="b"), current=False)  # ids need none
    client.batch(insert({"name": "x"}, ("after", row)), current=False)


def test_a_basis_at_a_cursor(ctx):
    client = ctx.client(ctx.daemon())
    old = client.batch(insert({"name": "a"}))
    frame = batch_frame(insert({"name": "b"}, (0, 0)), current=False)
    frame.batch.basis.at.CopyFrom(old.cursor)
    client.request(frame)
    assert names(client) == ["b", "a"]
    assert client.refused(frame).code == "STALE"
    frame.batch.basis.at.epoch = 5
    assert client.refused(frame).code == "WRONG_EPOCH"


def test_unknown_tables(ctx):
    client = ctx.client(ctx.daemon())
    assert client.refused(batch_frame(insert({}), table="none")).code == "NO_SUCH_TABLE"
    frame = ClientFrame()
    frame.list_rows.table.name = "none"
    assert client.refused(frame).code == "NO_SUCH_TABLE"
    frame = ClientFrame()
    frame.subscribe.table.id = 999
    assert client.refused(frame).code == "NO_SUCH_TABLE"


def condition(kind, **fields):
    made = batch_schema.Condition()
    if kind in ("row_exists", "row_absent"):
        getattr(made, kind).id = fields["row"]
    elif kind == "row_revision":
        made.row_revision.row.id = fields["row"]
        made.row_revision.revision = fields["revision"]
    elif kind == "cell_equals":
        made.cell_equals.row.id = fields["row"]
        made.cell_equals.cell.column_name = "name"
        if fields["text"] is not None:
            made.cell_equals.cell.text = fields["text"]
    elif kind == "section_count":
        made.section_count.section.index = 0
        made.section_count.rows = fields["rows"]
    else:
        made.section_total = fields["total"]
    return made


def test_conditions(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="a")
    revision = client.get(row).rows[0].row.revision
    holds = [
        condition("row_exists", row=row),
        condition("row_absent", row=999_999),
        condition("row_revision", row=row, revision=revision),
        condition("cell_equals", row=row, text="a"),
        condition("section_count", rows=1),
        condition("section_total", total=1),
    ]
    fails = [
        (condition("row_exists", row=999_999), {"NO_SUCH_ROW"}),
        (condition("row_absent", row=row), {"ROW_EXISTS"}),
        (condition("row_revision", row=row, revision=revision + 1), {"STALE", "CONFLICT"}),
        (condition("cell_equals", row=row, text="b"), {"CONFLICT", "STALE"}),
        (condition("cell_equals", row=row, text=None), {"CONFLICT", "STALE"}),
        (condition("section_count", rows=2), {"COUNT_ROWS"}),
        (condition("section_total", total=2), {"COUNT_SECTIONS"}),
    ]
    for good in holds:
        reply = client.batch(update(row, serial="x"), conditions=[good], dry_run=True)
        assert reply.dry_run and not reply.unchanged
    for bad, codes in fails:
        refused = client.refused(batch_frame(update(row, serial="x"), conditions=[bad]))
        assert refused.code in codes, f"{bad}: {refused}"
    # At an operation: judged when its turn comes.
    second = update(row, serial="x")
    second.conditions.append(condition("cell_equals", row=row, text="b"))
    client.batch(update(row, name="b"), second, dry_run=True)
    refused = client.refused(batch_frame(second))
    assert refused.error.operation == 0
    # In front of the batch: before the first operation.
    refused = client.refused(batch_frame(
        update(row, name="b"), conditions=[condition("cell_equals", row=row, text="b")]))
    assert refused.code in ("CONFLICT", "STALE")
    assert names(client) == ["a"]


def test_expectations(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="a")
    reply = client.batch(update(row, name="b"))
    old = cursor(reply)
    client.batch(update(row, name="c"), expect=old)
    refused = client.refused(batch_frame(update(row, name="d"), expect=old))
    assert refused.code == "STALE" and refused.error.revision > old[1]
    assert client.refused(
        batch_frame(update(row, name="d"), expect=(old[0] ^ 1, old[1]))).code == "WRONG_EPOCH"
    assert client.refused(
        batch_frame(update(row, name="d"), expect=(old[0], old[1] + 1000))).code in (
            "FUTURE_REVISION", "STALE")
    # A revision that did not touch the table does not make it stale: there is none here, but the
    # table's own last revision is stated and can be expected.
    table = client.table()
    client.batch(update(row, name="e"), expect=(old[0], table.last_changed))


def test_dry_run(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="a")
    before = snapshot(client).canonical()
    reply = client.batch(
        insert({"name": "b"}), insert_section("s"), move(row, (0, 1)), dry_run=True, key="dry")
    assert reply.dry_run and not reply.unchanged
    assert reply.counts.rows_inserted == 1 and reply.counts.sections_inserted == 1
    assert reply.stages
    assert reply.cursor.revision == client.table().last_changed
    assert snapshot(client).canonical() == before
    reply = client.batch(insert({"name": "c"}), key="dry")  # the key was ignored
    assert not reply.replayed
    refused = client.refused(batch_frame(delete(999_999), dry_run=True))
    assert refused.code == "NO_SUCH_ROW"


def test_keys(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    frame = batch_frame(insert({"name": "a"}), key="k1")
    first = client.request(frame).batch
    assert not first.replayed
    again = client.request(frame).batch
    assert again.replayed
    assert again.cursor == first.cursor and again.inserted == first.inserted
    assert names(client) == ["a"]
    # The same key from another connection of the same user: the same outcome.
    other = ctx.client(daemon, "other")
    assert other.request(frame).batch.replayed
    # Other bytes: refused.
    refused = client.refused(batch_frame(insert({"name": "b"}), key="k1"))
    assert refused.code == "KEY_REUSED"
    # retry_until and at_least are not part of the bytes.
    frame.retry_until = client.hello.running_clock + 3_600_000_000
    assert client.request(frame).batch.replayed
    # A refusal keeps no key.
    client.refused(batch_frame(delete(999_999), key="k2"))
    assert not client.batch(insert({"name": "b"}), key="k2").replayed
    # Unchanged outcomes are kept.
    row = runs(first.inserted)[0]
    same = batch_frame(update(row, name="a"), key="k3")
    assert client.request(same).batch.unchanged
    client.batch(update(row, name="z"))
    replay = client.request(same).batch
    assert replay.replayed and replay.unchanged
    # A key that is past its time: nothing is applied.
    refused = client.refused(batch_frame(insert({"name": "late"}), key="k4", retry_until=1))
    assert refused.code == "KEY_EXPIRED"
    assert "late" not in names(client)


def test_a_duplicate_key_in_flight_waits_for_the_first(ctx):
    daemon = ctx.daemon()
    clients = [ctx.client(daemon) for _ in range(8)]
    frame = batch_frame(insert({"name": "once"}), key="flight")
    for client in clients:
        client.send(frame)
    replies = [client.reply().batch for client in clients]
    assert sum(not reply.replayed for reply in replies) == 1
    assert len({(r.cursor.revision, r.inserted[0].first) for r in replies}) == 1
    assert names(clients[0]) == ["once"]


def test_keys_survive_kill_and_stop(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    frame = batch_frame(insert({"name": "a"}), key="k1")
    first = client.request(frame).batch
    for stop in (daemon.kill, daemon.stop):
        stop()
        daemon.start()
        client = ctx.client(daemon)
        again = client.request(frame).batch
        assert again.replayed and again.cursor == first.cursor
        assert again.inserted == first.inserted
        assert client.refused(batch_frame(insert({"name": "b"}), key="k1")).code == "KEY_REUSED"
    assert names(client) == ["a"]


def test_a_replay_of_a_long_reply(ctx):
    """What is not kept of it is told; step, counts and ids are there (E5)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.batch(*[insert({"name": f"{n:05}"}) for n in range(5_000)])
    section = client.table().sections[0].id
    sort = ClientFrame()
    operation = sort.batch.operations.add()
    operation.sort_section.section.id = section
    by = operation.sort_section.by.add()
    by.column, by.descending = "name", True
    mixed = batch_frame(insert({"name": "new"}), sort.batch.operations[0], key="mixed")
    undo, redo = ClientFrame(key="undo"), ClientFrame(key="redo")
    undo.undo.SetInParent()
    redo.redo.SetInParent()
    for frame in (mixed, undo, redo):
        first = client.request(frame).batch
        assert first.ByteSize() > 4_096 and not first.truncated, first.ByteSize()
        for restarts in range(2):
            if restarts:
                daemon.kill()
                daemon.start()
                client = ctx.client(daemon)
            again = client.request(frame).batch
            assert again.replayed and again.truncated and not again.stages
            for field in ("cursor", "counts", "inserted", "undoable", "table", "step"):
                assert getattr(again, field) == getattr(first, field), (field, again)


def test_a_read_waits_for_its_cursor(ctx):
    daemon = ctx.daemon()
    reader, writer = ctx.client(daemon), ctx.client(daemon)
    epoch, revision = reader.hello.epoch, writer.hello.revision
    frame = ClientFrame()
    frame.count_rows.table.name = "items"
    frame.at_least.epoch, frame.at_least.revision = epoch, revision + 1
    reader.send(frame)
    ping = ClientFrame()
    ping.ping.payload = b"behind"
    reader.send(ping)
    writer.ping()
    writer.insert(name="a")
    reply = reader.reply()
    assert reply.count.rows == 1, reply
    assert reader.reply().pong.payload == b"behind"
    frame.at_least.epoch = epoch ^ 1
    assert reader.refused(frame).code == "WRONG_EPOCH"


def test_pages_are_of_one_snapshot(ctx):
    daemon = ctx.daemon()
    client, writer = ctx.client(daemon), ctx.client(daemon)
    big = "x" * 60_000
    for start in range(0, 300, 10):
        numbers = range(start, start + 10)
        client.batch(*[insert({"name": f"{n:04}", "serial": big}) for n in numbers])
    frame = ClientFrame()
    frame.list_rows.table.name = "items"
    page = client.request(frame).rows
    assert page.HasField("next") and page.ByteSize() <= 4 << 20
    found = [cell_text(p.row) for p in page.rows]
    while page.HasField("next"):
        writer.batch(delete((0, 0)), insert({"name": "new"}, (0, 0)))
        frame.list_rows.first = page.next
        frame.list_rows.snapshot = page.snapshot
        page = client.request(frame).rows
        found += [cell_text(p.row) for p in page.rows]
    assert found == [f"{n:04}" for n in range(300)]


def test_list_count_locate(ctx):
    client = ctx.client(ctx.daemon())
    client.batch(*[insert({"name": str(n)}) for n in range(10)])
    client.batch(insert_section("two", rows=[{"name": "x"}, {"name": "y"}]))
    two = sections(client)[1][0]
    frame = ClientFrame()
    frame.list_rows.table.name = "items"
    frame.list_rows.section.title = "two"
    frame.list_rows.first, frame.list_rows.count = 1, 5
    page = client.request(frame).rows
    assert [cell_text(p.row) for p in page.rows] == ["y"]
    assert (page.rows[0].path.section, page.rows[0].path.row) == (1, 1)
    assert page.rows[0].section == two
    frame = ClientFrame()
    frame.list_rows.table.name = "items"
    frame.list_rows.first, frame.list_rows.count = 8, 3
    assert [cell_text(p.row) for p in client.request(frame).rows.rows] == ["8", "9", "x"]
    for section, count in ((None, 12), (two, 2)):
        frame = ClientFrame()
        frame.count_rows.table.name = "items"
        if section is not None:
            frame.count_rows.section.id = section
        assert client.request(frame).count.rows == count
    row = page.rows[0].row.id
    frame = ClientFrame()
    frame.locate_row.table.name = "items"
    frame.locate_row.row = row
    location = client.request(frame).location
    assert (location.path.section, location.path.row) == (1, 1)
    assert location.section == two and location.position == 11
    frame.locate_row.row = 999_999
    assert client.refused(frame).code == "NO_SUCH_ROW"


def test_ambiguous_titles(ctx):
    client = ctx.client(ctx.daemon())
    client.batch(insert_section("same"), insert_section("same"), insert_section("one"))
    frame = batch_frame(insert({"name": "x"}))
    frame.batch.operations[0].insert_row.at.last_of.title = "same"
    assert client.refused(frame).code == "AMBIGUOUS"
    frame.batch.operations[0].insert_row.at.last_of.title = "one"
    client.request(frame)
    frame.batch.operations[0].insert_row.at.last_of.title = "none"
    assert client.refused(frame).code == "NO_SUCH_SECTION"


def test_a_batch_of_many_rows_is_one_revision(ctx):
    client = ctx.client(ctx.daemon())
    copy = Copy(client.subscribe().subscription)
    copy.until_live(client)
    reply = client.batch(*[insert({"name": f"row {n}", "value": n}) for n in range(20_000)])
    assert reply.counts.rows_inserted == 20_000
    copy.until_revision(client, reply.cursor.revision)
    assert copy.revision == reply.cursor.revision
    fresh = snapshot(client)
    assert fresh.canonical() == copy.canonical()
    assert len(client.rows()) == 20_000
    section = sections(client)[0][0]
    reply = client.batch(delete_section(section), insert_section("new", handle=3))
    assert reply.counts.rows_deleted == 20_000
    copy.until_revision(client, reply.cursor.revision)
    assert snapshot(client).canonical() == copy.canonical()


@seeded
def test_random_batches_against_a_naive_table(ctx):
    """Batches of every operation; the table, the events and what counts as moved (E10)."""
    daemon = ctx.daemon()
    client, watcher = ctx.client(daemon), ctx.client(daemon, "watcher")
    naive = NaiveTable.of(snapshot(client))
    copy = Copy(watcher.subscribe().subscription)
    copy.until_live(watcher)
    editor = Editor(random.Random(ctx.random.random()))
    batches = 1500
    for step in range(batches):
        before = naive.copy()
        plan = editor.plan(naive, operations=ctx.random.randrange(1, 9))
        try:
            reply = client.batch(*plan.operations)
            naive = plan.settle(reply)
            if naive.same_as(before) and not plan.reloaded:
                assert reply.unchanged, f"not unchanged: {reply}"
            else:
                assert not reply.unchanged, "said unchanged"
                copy.until_revision(watcher, reply.cursor.revision)
                table = next(iter(copy.tables.values()))
                assert naive.layout() == [(s, table.order[s]) for s in table.sections]
                expected = before.moved_rows(naive, plan.named)
                assert copy.moved == expected, f"moved {copy.moved}, expected {expected}"
                expected = moved_in(before.sections, naive.sections, plan.named_sections)
                assert table.moved_sections == expected, (
                    f"moved sections {table.moved_sections}, expected {expected}"
                )
        except Exception:
            print(f"  at step {step}: {plan.operations}\n  before: {before.layout()}")
            raise
    assert snapshot(client).canonical() == copy.canonical()
    return f"{batches} batches"

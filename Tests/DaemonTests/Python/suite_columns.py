"""Columns that change while rows are there, unique values (contracts E6, E7, E14, E15, F8, S5)."""

import sqlite3
import threading

from client import Closed, batch_frame, delete, insert, update
from daemon import store_status, wait_until
from fold import Copy, snapshot
from run import seeded
from schema import ClientFrame, batch as batch_schema, model
from suite_tables import create

TEXT, INTEGER, DECIMAL = (
    model.COLUMN_KIND_TEXT, model.COLUMN_KIND_INTEGER, model.COLUMN_KIND_DECIMAL)


def add_column(name, kind=TEXT, before=None, **fields):
    operation = batch_schema.Operation()
    column = operation.add_column.column
    column.name, column.kind = name, kind
    for field, value in fields.items():
        if isinstance(value, model.Cell):
            getattr(column, field).CopyFrom(value)
        else:
            setattr(column, field, value)
    if before is not None:
        operation.add_column.before = before
    return operation


def rename_column(column, name):
    operation = batch_schema.Operation()
    operation.rename_column.column, operation.rename_column.name = column, name
    return operation


def move_column(column, index):
    operation = batch_schema.Operation()
    operation.move_column.column, operation.move_column.index = column, index
    return operation


def drop_column(column):
    operation = batch_schema.Operation()
    operation.drop_column.column = column
    return operation


def upsert(column, **cells):
    operation = batch_schema.Operation()
    operation.upsert.column = column
    operation.upsert.row.CopyFrom(insert(cells).insert_row.row)
    return operation


def watch(ctx, daemon, table="items"):
    client = ctx.client(daemon, "watcher")
    copy = Copy(client.subscribe(table=table).subscription)
    copy.until_live(client)
    return client, copy


def agree(client, watcher, copy, table="items"):
    """The copy that folded every event is what a new subscriber gets, row for row."""
    copy.until_barrier(watcher, client.next_id)
    fresh = snapshot(client, table)
    assert copy.canonical() == fresh.canonical(), f"{copy.canonical()}\n{fresh.canonical()}"
    (held,) = fresh.tables.values()
    listed = {placed.row.id: placed.row.SerializeToString() for placed in client.rows(table)}
    assert listed == held.images
    if listed:
        got = client.get(*listed, table=table).rows
        assert {placed.row.id: placed.row.SerializeToString() for placed in got} == listed


def view(client, daemon, table="items"):
    """The SQL view of a table once it shows all: its columns, and its rows."""
    client.barrier(sql=True)
    while client.event().WhichOneof("body") != "barrier":
        pass
    connection = sqlite3.connect(f"file:{daemon.store}?mode=ro", uri=True)
    try:
        cursor = connection.execute(f'SELECT * FROM "{table}"')
        return [column[0] for column in cursor.description], cursor.fetchall()
    finally:
        connection.close()


def text_of(value, column):
    """A cell as the view shows it."""
    if value is None:
        return None
    which = value.WhichOneof("value")
    number = getattr(value, which)
    if which == "decimal":
        digits = str(abs(number)).rjust(column.scale + 1, "0")
        split = len(digits) - column.scale
        return ("-" if number < 0 else "") + digits[:split] + "." + digits[split:]
    return number


def check_view(client, daemon, table="items"):
    columns = client.table(table).columns
    names, rows = view(client, daemon, table)
    assert names == ["_id", "_section", "_order"] + [column.name for column in columns]
    expected = []
    for placed in client.rows(table):
        cells = {cell.column: cell for cell in placed.row.cells}
        expected.append([placed.row.id] + [text_of(cells.get(c.id), c) for c in columns])
    assert [[row[0]] + list(row[3:]) for row in rows] == expected


def test_every_column_change_in_feed_list_and_view(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.request(create(
        "things", ("name", TEXT, {}), ("price", DECIMAL, {"scale": 2}), sections=["a", "b"]))
    watcher, copy = watch(ctx, daemon, "things")
    first = client.insert(table="things", at=(0, 0), name="x", price=("decimal", 150))
    second = client.insert(table="things", at=(1, 0), name="y")
    before = {r.row.id: r.row.revision for r in client.rows("things")}

    def run(*operations):
        reply = client.request(batch_frame(*operations, table="things")).batch
        agree(client, watcher, copy, "things")
        check_view(client, daemon, "things")
        return reply

    run(add_column("place", required=True, fill=model.Cell(text="it's \"?\""),
                   default_value=model.Cell(text="hall")))
    change_told = copy.last_change.tables[0]
    assert change_told.columns_changed and len(change_told.columns) == 3
    assert not change_told.rows, "no row is resent for a new column (contract E14)"
    assert change_told.schema_revision == copy.last_change.revision
    cells = {c.column: c for c in client.get(first, table="things").rows[0].row.cells}
    assert cells[3].text == "it's \"?\""
    run(add_column("count", INTEGER, before="name", default_value=model.Cell(integer=3)))
    assert [c.name for c in client.table("things").columns] == ["count", "name", "price", "place"]
    third = client.insert(table="things", at=(0, 0), name="z")
    cells = {c.column: c for c in client.get(third, table="things").rows[0].row.cells}
    assert cells[3].text == "hall" and cells[4].integer == 3
    run(rename_column("price", "Cost"))
    run(move_column("Cost", 0))
    assert before == {
        r.row.id: r.row.revision for r in client.rows("things") if r.row.id in before
    }, "column changes leave the revisions of rows (contract E7)"
    # Schema and rows in one revision: columns come first (contract F8).
    run(add_column("note"), update(second, note="n", name="Y"), drop_column("count"))
    run(drop_column("Cost"))
    run(update(first, name="X"))
    run(add_column("Cost", DECIMAL, scale=3, fill=model.Cell(decimal=-5), required=True))
    run(delete(second), insert({"name": "w", "Cost": ("decimal", 1)}))
    ids = [c.id for c in client.table("things").columns]
    assert len(set(ids)) == len(ids) and max(ids) == 6, f"ids are used again: {ids}"
    unchanged = run(rename_column("note", "n2"), rename_column("N2", "note"))
    assert unchanged.unchanged
    for restart in (daemon.kill, daemon.terminate):
        rows = {r.row.id: r.row.SerializeToString() for r in client.rows("things")}
        table = client.table("things")
        restart()
        daemon.wait()
        daemon.start()
        client = ctx.client(daemon)
        assert rows == {r.row.id: r.row.SerializeToString() for r in client.rows("things")}
        assert client.table("things").columns == table.columns
        check_view(client, daemon, "things")


def test_refused_columns_change_nothing(ctx):
    client = ctx.client(ctx.daemon())
    client.insert(name="x")
    before = client.table().SerializeToString()
    cases = [
        ("NAME_IN_USE", add_column("NAME")),
        ("BAD_NAME", add_column("_id")),
        ("BAD_NAME", add_column("a=b")),
        ("BAD_NAME", add_column("a-")),
        ("BAD_NAME", add_column("x" * 65)),
        ("REQUIRED", add_column("must", required=True)),
        ("REQUIRED", add_column("must", required=True, unique=True)),
        ("BAD_VALUE", add_column("f", fill=model.Cell(text="x"))),
        ("BAD_VALUE", add_column(
            "f", required=True, unique=True, fill=model.Cell(text="x"))),
        ("WRONG_KIND", add_column("f", required=True, fill=model.Cell(integer=1))),
        ("WRONG_KIND", add_column("u", model.COLUMN_KIND_BOOLEAN, unique=True)),
        ("WRONG_KIND", add_column("u", model.COLUMN_KIND_TIMESTAMP, unique=True)),
        ("WRONG_KIND", add_column("n", INTEGER, scale=2)),
        ("BAD_VALUE", add_column("n", DECIMAL, scale=10)),
        ("NO_SUCH_COLUMN", add_column("n", before="nowhere")),
        ("NO_SUCH_COLUMN", drop_column("nowhere")),
        ("NO_SUCH_COLUMN", rename_column("nowhere", "n")),
        ("NAME_IN_USE", rename_column("name", "Serial")),
        ("BAD_NAME", rename_column("name", "")),
        ("BAD_NAME", rename_column("name", "sqlite_x")),
        ("OUT_OF_RANGE", move_column("name", 4)),
        ("OUT_OF_RANGE", move_column("name", (1 << 64) - 1)),
    ]
    for code, operation in cases:
        refused = client.refused(batch_frame(insert({"name": "y"}), operation))
        assert refused.code == code, f"{operation}: {refused}"
        assert refused.error.operation == 1
    assert client.table().SerializeToString() == before
    assert client.refused(batch_frame(batch_schema.Operation(
        add_column=batch_schema.AddColumn()))).code == "BAD_REQUEST"
    many = [add_column(f"c{n}") for n in range(252)]
    client.request(batch_frame(*many))
    assert client.refused(batch_frame(add_column("more"))).code == "TOO_MANY_COLUMNS"
    kindless = batch_schema.Operation()
    kindless.add_column.column.name = "k"
    refused = client.refused(batch_frame(insert({"name": "y"}), kindless))
    assert refused.code == "BAD_REQUEST" and refused.error.operation == 1
    longest = model.Cell(text="x" * 40_000)
    refused = client.refused(create("long", *[
        (f"c{n}", TEXT, {"default_value": longest}) for n in range(2)]))
    assert refused.code == "TEXT_TOO_LONG", "each row could show all defaults and fills"
    back_and_forth = [
        rename_column(*(("name", "nome") if n % 2 == 0 else ("nome", "name")))
        for n in range(1025)]
    refused = client.refused(batch_frame(*back_and_forth))
    assert refused.code == "BAD_REQUEST" and refused.error.operation == 1024
    assert client.request(batch_frame(*back_and_forth[:1024])).batch.unchanged
    dry = client.request(batch_frame(drop_column("c1"), dry_run=True)).batch
    assert dry.dry_run and len(client.table().columns) == 256


def test_unique_columns(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.request(create(
        "keyed", ("code", TEXT, {"unique": True}), ("n", INTEGER, {"unique": True}),
        ("d", DECIMAL, {"unique": True, "scale": 2}),
        ("day", model.COLUMN_KIND_DATE, {"unique": True}), sections=["s"]))
    first = client.insert(
        table="keyed", code="a", n=("integer", 1), d=("decimal", 1), day=("date", 1))
    empty = [client.insert(table="keyed") for _ in range(3)]
    assert len(empty) == 3, "null is not a value"
    for column, value in [
            ("code", "a"), ("n", ("integer", 1)), ("d", ("decimal", 1)), ("day", ("date", 1))]:
        refused = client.refused(batch_frame(insert({column: value}), table="keyed"))
        assert refused.code == "DUPLICATE_KEY" and refused.error.column == column
        assert f"row {first} has it" in refused.error.expected, refused
        assert refused.error.value == (value if column == "code" else "1")
        refused = client.refused(batch_frame(
            update(empty[0], **{column: value}), table="keyed"))
        assert refused.error.row == empty[0] and refused.error.operation == 0
    second = client.insert(table="keyed", code="b")
    client.request(batch_frame(update(first, code="b"), update(second, code="a"), table="keyed"))
    reply = client.request(batch_frame(
        upsert("code", code="a", n=("integer", 2)), upsert("code", code="c", n=("integer", 3)),
        table="keyed")).batch
    assert reply.counts.rows_inserted == 1 and reply.counts.rows_updated == 1
    cells = {c.column: c for c in client.get(second, table="keyed").rows[0].row.cells}
    assert cells[1].text == "a" and cells[2].integer == 2
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    for code in "abc":
        refused = client.refused(batch_frame(insert({"code": code}), table="keyed"))
        assert refused.code == "DUPLICATE_KEY", "the index is there after a restart"
    client.request(batch_frame(drop_column("code"), table="keyed"))
    client.request(batch_frame(add_column("code", unique=True), table="keyed"))
    client.insert(table="keyed", code="a")
    refused = client.refused(batch_frame(insert({"code": "a"}), table="keyed"))
    assert refused.code == "DUPLICATE_KEY"


class Model:
    """Columns and rows as the writer believes them to be."""

    def __init__(self, random):
        self.random = random
        self.names = 0
        self.columns = []  # (name, kind)

    def operations(self, rows):
        made = []
        for _ in range(self.random.randint(1, 4)):
            choice = self.random.random()
            if choice < 0.25 or not self.columns:
                self.names += 1
                kind = self.random.choice([TEXT, INTEGER])
                fields = {}
                if self.random.random() < 0.4:
                    fill = (
                        model.Cell(text=f"f{self.names}") if kind == TEXT
                        else model.Cell(integer=self.names))
                    fields = {"required": True, "fill": fill, "default_value": fill}
                self.columns.append((f"x{self.names}", kind))
                made.append(add_column(f"x{self.names}", kind, **fields))
            elif choice < 0.35:
                column = self.columns.pop(self.random.randrange(len(self.columns)))
                made.append(drop_column(column[0]))
            elif choice < 0.45:
                index = self.random.randrange(len(self.columns))
                self.names += 1
                name, kind = self.columns[index]
                self.columns[index] = (f"x{self.names}", kind)
                made.append(rename_column(name, f"x{self.names}"))
            else:
                chosen = self.random.sample(
                    self.columns, self.random.randint(1, len(self.columns)))
                cells = {
                    name: f"v{self.random.randrange(9)}" if kind == TEXT
                    else ("integer", self.random.randrange(9))
                    for name, kind in chosen
                }
                if rows and self.random.random() < 0.6:
                    made.append(update(self.random.choice(rows), **cells))
                else:
                    made.append(insert(cells))
        return made


@seeded
def test_random_column_changes_are_folded(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.request(create("wild", ("name", TEXT, {}), sections=["s"]))
    watcher, copy = watch(ctx, daemon, "wild")
    writer = Model(ctx.random)
    for step in range(150 * ctx.scale):
        rows = [placed.row.id for placed in client.rows("wild")][:50]
        client.request(batch_frame(*writer.operations(rows), table="wild"))
        if step % 10 == 0:
            agree(client, watcher, copy, "wild")
        if step % 25 == 0:
            check_view(client, daemon, "wild")
        if step % 60 == 59:
            daemon.kill()
            daemon.start()
            client = ctx.client(daemon)
            watcher = ctx.client(daemon, "watcher")
            copy.resume(watcher.subscribe(table="wild", since=copy.cursor).subscription)
            copy.until_live(watcher)
    agree(client, watcher, copy, "wild")
    check_view(client, daemon, "wild")


@seeded
def test_kills_with_column_changes_not_yet_materialised(ctx):
    """Batches with columns and rows are wholly there or not, and the view comes to show them."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.request(create("wild", ("name", TEXT, {}), sections=["s"]))
    writer = Model(ctx.random)
    behind = 0
    for _ in range(12):
        acknowledged = []
        faults = []
        planned = list(writer.columns)

        def write():
            try:
                rows = [placed.row.id for placed in client.rows("wild")][:50]
                while True:
                    operations = writer.operations(rows)
                    client.send(batch_frame(*operations, table="wild"))
                    reply = client.reply()
                    if not reply.HasField("batch"):
                        raise AssertionError(f"refused: {reply}")
                    acknowledged.append(reply.batch.cursor.revision)
                    planned[:] = writer.columns
            except (OSError, Closed):
                pass
            except Exception as fault:  # noqa: BLE001  # told by the test
                faults.append(repr(fault))

        thread = threading.Thread(target=write)
        thread.start()
        goal = ctx.random.randint(3, 40)
        wait_until("some batches", lambda: len(acknowledged) >= goal or faults)
        revision, materialised = store_status(daemon.store)
        behind += materialised < revision
        daemon.kill()
        thread.join()
        assert not faults, faults
        daemon.start()
        client = ctx.client(daemon)
        assert client.hello.revision >= acknowledged[-1]
        held = [column.name for column in client.table("wild").columns]
        known = {name for name, _ in planned}
        latest = {name for name, _ in writer.columns}
        # The batch in flight may be there or not, as a whole.
        assert set(held) - {"name"} in (known, latest), (held, known, latest)
        if set(held) - {"name"} != latest:
            writer.columns = planned
        check_view(client, daemon, "wild")
    assert behind, "no kill came while something waited to be materialised"


def test_pages_of_an_older_revision_keep_their_columns(ctx):
    """A list in pages shows rows and schema of one revision (contracts F4, F8)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    wide = "x" * 60_000
    for _ in range(40):
        client.insert(name=wide, serial="s")

    def page(first, snapshot_number=None):
        frame = ClientFrame()
        frame.list_rows.table.name = "items"
        frame.list_rows.first = first
        if snapshot_number is not None:
            frame.list_rows.snapshot = snapshot_number
        return client.request(frame).rows

    one = page(0)
    assert one.HasField("next")
    client.request(batch_frame(drop_column("serial"), add_column(
        "place", required=True, fill=model.Cell(text="here"))))
    two = page(one.next, one.snapshot)
    assert two.schema_revision == one.schema_revision and two.cursor == one.cursor
    for placed in list(one.rows) + list(two.rows):
        assert [c.text for c in placed.row.cells if c.column != 4][1:] == ["s"]
    fresh = page(0)
    assert fresh.schema_revision > one.schema_revision
    assert [c.column for c in fresh.rows[0].row.cells] == [1, 4, 5]


def test_check_finds_a_value_that_stands_twice(ctx):
    """What no change may make is found where it was made from outside (contract E15)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.request(create("things", ("name", TEXT, {}), ("code", INTEGER, {"unique": True}), sections=["a"]))
    client.request(batch_frame(add_column("mark", unique=True), table="things"))
    for number in range(3):
        client.insert(table="things", name="x", code=("integer", number), mark=f"m{number}")
    columns = {column.name: column.id for column in client.table("things").columns}
    table = client.table("things").id
    check_view(client, daemon, "things")
    daemon.stop()
    sound = daemon.check()
    assert sound.returncode == 0 and "no fault found" in sound.stdout, sound

    def write(statement):
        with sqlite3.connect(daemon.store) as connection:
            connection.execute(statement)
        connection.close()

    # Nulls and columns that are not unique may repeat.
    write(f"UPDATE hpd_rows_{table} SET c{columns['mark']} = NULL")
    assert daemon.check().returncode == 0
    write(f"UPDATE hpd_rows_{table} SET c{columns['mark']} = 'twice' WHERE _id IN "
          f"(SELECT _id FROM hpd_rows_{table} LIMIT 2)")
    found = daemon.check()
    assert found.returncode == 1 and found.stderr == "", found
    mark = f"valueTwice(table: {table}, column: {columns['mark']})"
    assert found.stdout.splitlines() == [mark], found.stdout
    write(f"UPDATE hpd_rows_{table} SET c{columns['code']} = 0")
    code = f"valueTwice(table: {table}, column: {columns['code']})"
    assert daemon.check().stdout.splitlines() == [code, mark]

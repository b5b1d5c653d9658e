"""Tables and their columns: making, naming, dropping, kinds of cells (SPEC 2, contracts E13, S10)."""

import time

from client import batch_frame, insert, update
from fold import Copy, snapshot
from schema import ClientFrame, change, code_name, model

KINDS = [
    ("text", model.COLUMN_KIND_TEXT, ["", "x", "Ünïcödé \U0001f600", "a\nb\t\u202e"]),
    ("integer", model.COLUMN_KIND_INTEGER, [0, 1, -1, (1 << 63) - 1, -(1 << 63)]),
    ("decimal", model.COLUMN_KIND_DECIMAL, [0, -5, 3995, (1 << 63) - 1]),
    ("date", model.COLUMN_KIND_DATE, [0, -719_162, 20_000]),
    ("timestamp", model.COLUMN_KIND_TIMESTAMP, [0, -1, 1_900_000_000_000_000]),
    ("boolean", model.COLUMN_KIND_BOOLEAN, [True, False]),
]


def create(name, *columns, sections=()):
    """columns: (name, kind, {field: value})."""
    frame = ClientFrame()
    frame.create_table.name = name
    frame.create_table.sections.extend(sections)
    for column, kind, fields in columns:
        frame.create_table.columns.add(name=column, kind=kind, **fields)
    return frame


def every_kind():
    return create("all", *[
        (name, kind, {"scale": 3} if name == "decimal" else {}) for name, kind, _ in KINDS
    ], sections=["one", "two"])


def test_every_kind_of_cell(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.request(every_kind())
    table = client.table("all")
    assert [s.title for s in table.sections] == ["one", "two"]
    assert [c.name for c in table.columns] == [name for name, _, _ in KINDS]
    numbers = {c.name: c.id for c in table.columns}
    rows = {}
    for name, _, values in KINDS:
        for value in values:
            row = client.insert(table="all", **{name: (name, value)})
            rows[row] = (name, value)
    empty = client.insert(table="all")
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    for row, (name, value) in rows.items():
        (cell,) = client.get(row, table="all").rows[0].row.cells
        assert cell.column == numbers[name]
        assert cell.WhichOneof("value") == name and getattr(cell, name) == value
    assert not client.get(empty, table="all").rows[0].row.cells


def test_every_wrong_kind_is_named(ctx):
    client = ctx.client(ctx.daemon())
    client.request(every_kind())
    sample = {"text": "1", "boolean": True}
    for column, _, _ in KINDS:
        for kind, _, _ in KINDS:
            if kind == column:
                continue
            cells = {column: (kind, sample.get(kind, 1))}
            refused = client.refused(batch_frame(insert(cells), table="all"))
            assert refused.code == "WRONG_KIND", f"{kind} into {column}: {refused}"
            assert refused.error.column == column and refused.error.expected
            assert refused.error.HasField("operation") and refused.error.operation == 0
    assert client.rows("all") == []


def test_required_and_default(ctx):
    client = ctx.client(ctx.daemon())
    default = model.Cell(integer=7)
    client.request(create(
        "rules",
        ("must", model.COLUMN_KIND_TEXT, {"required": True}),
        ("count", model.COLUMN_KIND_INTEGER, {"default_value": default}),
    ))
    refused = client.refused(batch_frame(insert({"count": ("integer", 1)}), table="rules"))
    assert refused.code == "REQUIRED" and refused.error.column == "must"
    row = client.insert(table="rules", must="x")
    cells = client.get(row, table="rules").rows[0].row.cells
    assert [c.WhichOneof("value") for c in cells] == ["text", "integer"] and cells[1].integer == 7
    refused = client.refused(batch_frame(update(row, must=None), table="rules"))
    assert refused.code == "REQUIRED"
    explicit = client.insert(table="rules", must="y", count=None)
    assert len(client.get(explicit, table="rules").rows[0].row.cells) == 1, "null is not absent"


def test_bad_names(ctx):
    client = ctx.client(ctx.daemon())
    text = model.COLUMN_KIND_TEXT
    for name in ("", "x" * 65, "hpd_x", "sqlite_x", "a\x01b", "a\x7f"):
        refused = client.refused(create(name, ("c", text, {})))
        assert refused.code in ("BAD_NAME", "BAD_TEXT", "TEXT_TOO_LONG"), f"{name!r}: {refused}"
    for name in ("", "y" * 65, "hpd_c", "sqlite_c", "_id", "_section", "_order", "a=b", "a+", "a-"):
        refused = client.refused(create("fine", (name, text, {})))
        assert refused.code in ("BAD_NAME", "TEXT_TOO_LONG"), f"{name!r}: {refused}"
    refused = client.refused(create("fine", ("c", text, {}), ("C", text, {})))
    assert refused.code in ("NAME_IN_USE", "DUPLICATE_COLUMN"), refused
    refused = client.refused(create("ITEMS"))
    assert refused.code == "NAME_IN_USE", refused
    refused = client.refused(create("fine", ("c", 0, {})))
    assert refused.code in ("BAD_VALUE", "BAD_REQUEST"), refused
    decimal = ("c", model.COLUMN_KIND_DECIMAL, {"scale": 10})
    assert client.refused(create("fine", decimal)).code in ("BAD_VALUE", "BAD_REQUEST")
    many = [(f"c{n}", text, {}) for n in range(257)]
    assert client.refused(create("fine", *many)).code == "TOO_MANY_COLUMNS"
    client.request(create("fine", *many[:256]))


def test_create_rename_drop_in_the_feed(ctx):
    daemon = ctx.daemon()
    client, watcher = ctx.client(daemon), ctx.client(daemon)
    everything = Copy(watcher.subscribe(table=None).subscription)
    everything.until_live(watcher)
    client.request(create("books"))
    books = client.table("books")
    assert [c.name for c in books.columns] == ["name", "serial", "value", "created"]
    assert not books.sections
    row = client.insert(table="books", name="a")  # makes its first section
    only = Copy(watcher.subscribe(table="books").subscription)
    only.until_live(watcher)
    frame = ClientFrame()
    frame.rename_table.table.name = "books"
    frame.rename_table.name = "novels"
    client.request(frame)
    assert client.refused(batch_frame(insert({}), table="books")).code == "NO_SUCH_TABLE"
    assert client.get(row, table="novels").rows[0].row.id == row
    client.insert(table="novels", name="b")
    everything.until_barrier(watcher, 1)
    only.until_barrier(watcher, 2)
    fresh = snapshot(client, table=None)
    assert everything.canonical() == fresh.canonical()
    assert only.canonical()[books.id] == fresh.canonical()[books.id]
    frame = ClientFrame()
    frame.drop_table.table.name = "novels"
    client.request(frame)
    only.until(watcher, lambda copy: copy.ended is not None)
    everything.until_barrier(watcher, 3)
    assert everything.canonical() == snapshot(client, table=None).canonical()
    assert books.id not in everything.tables
    tables = everything.last_change.tables
    assert tables[0].event == change.TABLE_EVENT_DROPPED
    client.request(create("novels"))
    assert client.table("novels").id != books.id
    daemon.stop()
    daemon.start()
    client = ctx.client(daemon)
    assert not client.rows("novels")
    assert snapshot(client, table=None).canonical().keys() >= {client.table("novels").id}


def test_one_batch_changes_one_table_and_expectations_are_of_it(ctx):
    """A change of another table makes nothing stale (E1)."""
    client = ctx.client(ctx.daemon())
    client.request(create("other"))
    row = client.insert(name="a")
    seen = (client.hello.epoch, client.table().last_changed)
    client.insert(table="other", name="x")
    client.batch(update(row, name="b"), expect=seen)
    refused = client.refused(batch_frame(update(row, name="c"), table="other"))
    assert refused.code == "NO_SUCH_ROW"


def test_new_item(ctx):
    client = ctx.client(ctx.daemon())
    found = set()
    for _ in range(20):
        frame = ClientFrame()
        frame.new_item.table.name = "items"
        reply = client.request(frame).batch
        row = client.get(reply.inserted[0].first).rows[0].row
        name, serial, value, _ = row.cells
        adjective, noun = name.text.split(" ")
        assert adjective in ("Fluffy", "Rusty", "Shiny") and noun in ("Bear", "Spork", "Mac")
        assert 0 <= value.decimal <= 9900 and value.decimal % 100 == 0
        digits = serial.text
        assert len(digits) == 5 and digits[::2].isdigit() and digits[1::2].isalpha(), digits
        found.add(name.text)
    assert len(found) > 1
    assert len(client.rows()) == 20


def test_kill_client_and_log_level(ctx):
    daemon = ctx.daemon()
    admin, victim = ctx.client(daemon), ctx.client(daemon, "victim")
    frame = ClientFrame()
    frame.kill_client.client = victim.hello.client
    admin.request(frame)
    goodbye = victim.read_to_end()
    assert goodbye is not None and goodbye.message
    assert code_name(goodbye.code) == "NOT_PERMITTED"
    frame.kill_client.client = 999_999_999
    assert admin.refused(frame).code == "NOT_FOUND"
    frame = ClientFrame()
    frame.set_log_level.level = "debug"
    admin.request(frame)
    frame.set_log_level.level = "loud"
    assert admin.refused(frame).code in ("BAD_VALUE", "BAD_REQUEST")


def test_created_is_one_time_for_a_batch(ctx):
    client = ctx.client(ctx.daemon())
    client.batch(*[insert({"name": str(n)}) for n in range(50)])
    times = {p.row.cells[-1].timestamp for p in client.rows()}
    assert len(times) == 1 and abs(times.pop() / 1e6 - time.time()) < 60
    given = client.insert(name="old", created=86_400_000_000)
    assert client.get(given).rows[0].row.cells[-1].timestamp == 86_400_000_000


def test_actors_and_codes_are_named(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon, "program", actor="somebody")
    frame = ClientFrame()
    frame.list_clients.SetInParent()
    (only,) = client.request(frame).clients.clients
    assert only.name == "program" and only.actor == "somebody"
    assert code_name(70) == "STALE"

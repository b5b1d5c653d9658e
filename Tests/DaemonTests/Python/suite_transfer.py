"""Rows copied and moved between tables (contracts E13, E1, E4, E5, E8, K1, K2)."""

import sqlite3

from client import batch_frame, delete, fill_cells, fill_place, insert, insert_section, update
from fold import Copy, runs, snapshot
from run import seeded
from schema import ClientFrame, change as change_schema, model
from suite_filter import Op, fill_filter
from suite_tables import create

TEXT, INTEGER = model.COLUMN_KIND_TEXT, model.COLUMN_KIND_INTEGER
DECIMAL, BOOLEAN = model.COLUMN_KIND_DECIMAL, model.COLUMN_KIND_BOOLEAN


def transfer(ids=(), source="items", target="books", at=None, remove=False, nodes=None, dry_run=False,
             expect=None, expect_to=None, matched=None, without=(), current=True, key=None):
    frame = ClientFrame()
    wish = frame.transfer_rows
    wish.to.name = target
    getattr(wish, "from").name = source
    wish.ids.extend(ids)
    if nodes is not None:
        fill_filter(wish.filter, nodes)
    if at is not None:
        fill_place(wish.at, at)
    wish.without.extend(without)
    if remove:
        wish.remove = True
    if dry_run:
        wish.dry_run = True
    if current:
        wish.basis.current = True
    if expect is not None:
        frame.expect.epoch, frame.expect.revision = expect
    if expect_to is not None:
        wish.expect_to.epoch, wish.expect_to.revision = expect_to
    if matched is not None:
        wish.matched = matched
    if key is not None:
        frame.key = key
    return frame


def values(client, table, *ids):
    """Cells by column name and kind."""
    names = {c.id: c.name for c in client.table(table).columns}
    page = client.get(*ids, table=table)
    assert not page.missing, f"missing: {list(page.missing)}"
    return [
        {names[c.column]: getattr(c, c.WhichOneof("value")) for c in placed.row.cells}
        for placed in page.rows
    ]


def ids_of(client, table):
    return [placed.row.id for placed in client.rows(table)]


def library(ctx, *more):
    """items with three rows, and books with columns in another order and form."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    rows = [client.insert(name=f"n{n}", serial=f"s{n}", value=100 * n) for n in range(3)]
    client.request(create(
        "books", ("created", model.COLUMN_KIND_TIMESTAMP, {}),
        ("VALUE", DECIMAL, {"scale": 3, "currency": "USD"}),
        ("Serial", TEXT, {"unique": True}), ("Name", TEXT, {}),
        ("lent", BOOLEAN, {"default_value": model.Cell(boolean=False)}), *more,
        sections=["A", "B"],
    ))
    return daemon, client, rows


def followers(ctx, daemon):
    """Copies of items, of books, and of all tables, each of a client of its own."""
    found = []
    for table in ("items", "books", None):
        client = ctx.client(daemon)
        copy = Copy(client.subscribe(table=table).subscription)
        copy.until_live(client)
        found.append((table, client, copy))
    return found


def check_followers(client, copies):
    for table, watcher, copy in copies:
        copy.until_barrier(watcher, 9)
        copy.barriers.clear()
        assert copy.canonical() == snapshot(client, table=table).canonical(), f"copy of {table}"


def test_copy(ctx):
    daemon, client, rows = library(ctx)
    copies = followers(ctx, daemon)
    before = client.table("items").last_changed
    sections = [s.id for s in client.table("books").sections]
    reply = client.request(transfer([rows[2], rows[0]], at=("first_of", sections[0]))).batch
    new = runs(reply.inserted)
    assert len(new) == 2 and not set(new) & set(rows), "a copy has new ids"
    assert reply.counts.rows_inserted == 2 and reply.counts.matched == 2
    assert not reply.HasField("source") and not reply.source_stages
    assert reply.table == client.table("books").id
    assert [p.row.id for p in client.rows("books", sections[0])] == new, "in the order named"
    shown = values(client, "books", *new)
    old = values(client, "items", rows[2], rows[0])
    for copied, row, number in zip(shown, old, (2, 0)):
        assert copied["Name"] == row["name"] and copied["Serial"] == f"s{number}"
        assert copied["VALUE"] == 1000 * number, "exact at another scale"
        assert copied["created"] == row["created"] and copied["lent"] is False
    assert ids_of(client, "items") == rows
    assert client.table("items").last_changed == before, "the source does not change"
    check_followers(client, copies)
    items, books, everything = (copy for _, _, copy in copies)
    assert items.last_change is None, "not the source's business"
    assert books.last_change.revision == everything.last_change.revision == reply.cursor.revision


def test_copy_within_a_table(ctx):
    _, client, rows = library(ctx)
    reply = client.request(transfer(rows, target="items", at=("after", rows[0]))).batch
    new = runs(reply.inserted)
    assert ids_of(client, "items") == [rows[0], *new, *rows[1:]]
    assert values(client, "items", *new) == values(client, "items", *rows)
    refused = client.refused(transfer(rows, target="ITEMS", remove=True))
    assert refused.code == "BAD_REQUEST" and refused.error.expected


def test_move(ctx):
    daemon, client, rows = library(ctx)
    copies = followers(ctx, daemon)
    there = client.insert(table="books", Name="old", Serial="x", at=(0, 0))
    reply = client.request(transfer([rows[1], rows[2]], at=("before", there), remove=True)).batch
    assert runs(reply.inserted) == [rows[1], rows[2]], "rows keep their ids"
    assert ids_of(client, "items") == [rows[0]]
    assert ids_of(client, "books") == [rows[1], rows[2], there]
    assert list(client.get(rows[1]).missing) == [rows[1]]
    counts = reply.counts
    assert (counts.rows_inserted, counts.rows_deleted, counts.matched) == (2, 2, 2)
    revision = reply.cursor.revision
    items, books = client.table("items"), client.table("books")
    assert reply.source == items.id and reply.table == books.id
    assert items.last_changed == books.last_changed == revision
    assert reply.source_last_changed == reply.last_changed == revision
    (out,), (into,) = reply.source_stages, reply.stages
    assert [(r.section, r.row, r.count, r.id) for r in out.deletes] == [(0, 1, 2, rows[1])]
    assert [(r.section, r.row, r.count, r.id) for r in into.inserts] == [(0, 0, 2, rows[1])]
    assert all(p.row.revision == revision for p in client.get(rows[1], rows[2], table="books").rows)
    check_followers(client, copies)
    for (_, _, copy), tables in zip(copies, ([items.id], [books.id], [items.id, books.id])):
        change = copy.last_change
        assert change.revision == revision
        assert [part.table for part in change.tables] == tables, "each sees its own tables"
        assert copy.parts_of_last == len(tables)
    # And back: the row is the same one still.
    client.request(transfer([rows[2]], "books", "items", remove=True, without=["lent"]))
    assert ids_of(client, "items") == [rows[0], rows[2]]
    check_followers(client, copies)
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    assert ids_of(client, "items") == [rows[0], rows[2]]
    assert ids_of(client, "books") == [rows[1], there]
    fresh = client.insert(name="later")
    assert fresh > max(rows + [there])
    for table, _, copy in copies:
        again = ctx.client(daemon)
        copy.resume(again.subscribe(table=table, since=copy.cursor).subscription)
        copy.until_barrier(again, 3)
        assert copy.canonical() == snapshot(client, table=table).canonical()


def test_move_by_a_filter(ctx):
    _, client, rows = library(ctx)
    nodes = [(Op.GREATER_OR_EQUAL, "value", ("decimal", 100), False)]
    assert client.refused(transfer(nodes=nodes, matched=3)).code == "COUNT_MATCHED"
    reply = client.request(transfer(nodes=nodes, matched=2, remove=True)).batch
    assert runs(reply.inserted) == rows[1:], "in the order of the source"
    before = client.table("books").last_changed
    reply = client.request(transfer(nodes=nodes, remove=True)).batch
    assert reply.unchanged and not reply.inserted and reply.counts.matched == 0
    assert client.table("books").last_changed == before == client.table("items").last_changed
    frame = transfer([rows[0]], nodes=nodes)
    assert client.refused(frame).code == "BAD_REQUEST", "rows named in two ways"
    assert client.refused(transfer()).code == "BAD_REQUEST", "no rows named"
    bad = [(Op.EQUAL, "colour", ("text", "x"), False)]
    assert client.refused(transfer(nodes=bad)).code == "NO_SUCH_COLUMN"
    everything = client.request(transfer(nodes=[], source="books", target="items", remove=True,
                                         without=["lent"])).batch
    assert runs(everything.inserted) == rows[1:]


def test_what_cannot_be_carried(ctx):
    """Each refusal names row, column, value and what was expected; nothing is changed."""
    _, client, rows = library(ctx, ("count", INTEGER, {}))
    whole = client.insert(table="books", Name="b", Serial="s9", VALUE=("decimal", 2505), lent=("boolean", True),
                          count=("integer", 7))
    before = snapshot(client, table=None).canonical()
    revision = client.table("books").last_changed

    def refusal(frame, code, row, column, value=None):
        refused = client.refused(frame)
        error = refused.error
        assert refused.code == code, refused
        assert error.row == row and error.column == column and error.expected, refused
        if value is not None:
            assert error.value == value, refused
        assert snapshot(client, table=None).canonical() == before

    back = dict(source="books", target="items")
    refusal(transfer([whole], **back), "BAD_VALUE", whole, "VALUE", "2505")
    refusal(transfer([whole], without=["value"], **back), "NO_SUCH_COLUMN", whole, "lent", "true")
    refusal(transfer([whole], without=["value", "LENT"], **back), "NO_SUCH_COLUMN", whole, "count", "7")
    refused = client.refused(transfer([whole], without=["nothing"], **back))
    assert refused.code == "NO_SUCH_COLUMN" and refused.error.column == "nothing"
    client.request(create(
        "strict", ("name", INTEGER, {}), ("serial", TEXT, {"required": True}),
        ("value", DECIMAL, {"scale": 2, "currency": "EUR"}), ("must", TEXT, {"required": True}),
        ("created", model.COLUMN_KIND_TIMESTAMP, {}),
    ))
    bare = client.insert(serial=None)
    before = snapshot(client, table=None).canonical()
    to = dict(target="strict")
    refusal(transfer([rows[1]], **to), "WRONG_KIND", rows[1], "name", "n1")
    refusal(transfer([rows[1]], without=["name"], **to), "WRONG_KIND", rows[1], "value", "USD")
    refusal(transfer([rows[1]], without=["name", "value"], **to), "REQUIRED", rows[1], "must")
    refusal(transfer([bare], **to), "REQUIRED", bare, "serial", "null")
    refusal(transfer([bare], without=["serial"], **to), "REQUIRED", bare, "serial")
    taken = client.request(transfer([rows[0]])).batch.inserted[0].first
    before = snapshot(client, table=None).canonical()
    refusal(transfer([rows[2], rows[0]]), "DUPLICATE_KEY", rows[0], "Serial", "s0")
    refusal(transfer([rows[2], rows[0]], remove=True), "DUPLICATE_KEY", rows[0], "Serial", "s0")
    client.batch(update(rows[1], serial="s2"))
    before = snapshot(client, table=None).canonical()
    refusal(transfer([rows[1], rows[2]]), "DUPLICATE_KEY", rows[2], "Serial", "s2")
    assert client.refused(transfer([rows[1], rows[1]])).code == "BAD_REQUEST"
    assert client.refused(transfer([taken])).code == "NO_SUCH_ROW", "a row of another table"
    assert client.refused(transfer([1 << 50])).code == "NO_SUCH_ROW"
    assert client.refused(transfer(rows, target="none")).code == "NO_SUCH_TABLE"
    assert client.refused(transfer(rows, source="none")).code == "NO_SUCH_TABLE"
    assert client.refused(transfer([rows[1]], at=("after", rows[0]))).code == "NO_SUCH_ROW"
    assert client.refused(transfer([rows[1]], at=(9, 0))).code == "OUT_OF_RANGE"
    assert client.refused(transfer([rows[1]], at=(0, 9))).code == "OUT_OF_RANGE"
    assert client.refused(transfer([rows[1]], at=(0, 0), current=False)).code == "PATHS_NEED_BASIS"
    assert snapshot(client, table=None).canonical() == before
    client.batch(delete(taken), table="books")
    client.request(transfer([rows[1]], at=(1, 0), remove=True))
    assert client.table("books").last_changed > revision


def test_expectations_and_dry_run(ctx):
    _, client, rows = library(ctx)
    epoch = client.hello.epoch
    items, books = client.table("items").last_changed, client.table("books").last_changed
    client.batch(update(rows[0], name="changed"))
    now = client.table("items").last_changed
    before = snapshot(client, table=None).canonical()
    for frame, code in (
        (transfer(rows, expect=(epoch, items)), "STALE"),
        (transfer(rows, expect_to=(epoch, books - 1)), "STALE"),
        (transfer(rows, expect_to=(epoch, now + 1)), "FUTURE_REVISION"),
        (transfer(rows, expect=(epoch ^ 1, now)), "WRONG_EPOCH"),
    ):
        assert client.refused(frame).code == code
    for remove in (False, True):
        reply = client.request(transfer(rows, remove=remove, dry_run=True,
                                        expect=(epoch, now), expect_to=(epoch, books))).batch
        assert reply.dry_run and reply.cursor.revision == now and reply.counts.rows_inserted == 3
        first = reply.inserted[0].first
        assert (first == rows[0]) if remove else (first == (1 << 64) - 1), "ids only if they are known"
        assert reply.HasField("source") == remove == bool(reply.source_stages)
        assert snapshot(client, table=None).canonical() == before
    real = client.request(transfer(rows, remove=True, expect=(epoch, now), expect_to=(epoch, books)))
    assert real.batch.cursor.revision == now + 1, "a dry run takes no revision"


def test_keys(ctx):
    daemon, client, rows = library(ctx)
    frame = transfer(rows, remove=True, key="once")
    first = client.request(frame).batch
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    again = client.request(frame).batch
    assert again.replayed and again.cursor == first.cursor and again.inserted == first.inserted
    assert again.source == first.source and again.source_stages == first.source_stages
    assert client.refused(transfer(rows, key="once")).code == "KEY_REUSED"
    gone = ClientFrame()
    gone.drop_table.table.name = "books"
    client.request(gone)
    assert client.request(frame).batch.replayed, "also where a table is gone since"


def test_hidden_and_filled_cells(ctx):
    """Rows are carried as they are shown: without cells of dropped columns, with fills (E14)."""
    from suite_columns import add_column, drop_column

    daemon, client, rows = library(ctx)
    client.batch(drop_column("serial"))
    client.batch(add_column("Serial", TEXT, required=True, fill=model.Cell(text="filled")))
    refused = client.refused(transfer(rows))
    assert refused.code == "DUPLICATE_KEY" and refused.error.value == "filled"
    (new,) = runs(client.request(transfer([rows[1]], remove=True)).batch.inserted)
    assert values(client, "books", new)[0]["Serial"] == "filled"
    before = snapshot(client, table=None).canonical()
    daemon.kill()
    daemon.start()
    assert snapshot(ctx.client(daemon), table=None).canonical() == before


def test_large_move(ctx):
    """Many parts: live and from history, for subscribers of one table and of all (K1, K2)."""
    daemon, client, _ = library(ctx)
    made = client.batch(insert_section("bulk", rows=[
        {"name": f"{'x' * 80}{n}"} for n in range(9_000)
    ]))
    ids = runs(made.inserted)
    client.request(create("box", ("name", TEXT, {}), ("created", model.COLUMN_KIND_TIMESTAMP, {})))
    copies = []
    for table in ("items", "box", None):
        watcher = ctx.client(daemon)
        copy = Copy(watcher.subscribe(table=table).subscription)
        copy.until_live(watcher)
        copies.append((table, watcher, copy))
    late = [(table, copy.cursor) for table, _, copy in copies]
    reply = client.request(transfer(ids, target="box", remove=True)).batch
    assert reply.counts.matched == 9_000
    check_followers(client, copies)
    parts = [copy.parts_of_last for _, _, copy in copies]
    # Parts that hold nothing but old rows reach those who see all tables, empty.
    assert parts[1] > 1 and parts[2] >= parts[0] + parts[1], parts
    for table, cursor in late:
        watcher = ctx.client(daemon)
        number = watcher.subscribe(table=table, since=cursor).subscription
        found = []
        while True:
            event = watcher.event()
            assert event.subscription == number
            if not event.HasField("change"):
                break
            found.append((event.part, event.last, [t.table for t in event.change.tables]))
        wanted = dict(zip(("items", "box", None), parts))[table]
        assert [part for part, _, _ in found] == list(range(wanted))
        assert [last for _, last, _ in found] == [False] * (wanted - 1) + [True]
        if table is not None:
            number = client.table(table).id
            assert all(tables == [number] for _, _, tables in found)
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    assert ids_of(client, "box") == ids
    client.barrier(sql=True, token=5)
    while client.event().barrier.token != 5:
        pass
    connection = sqlite3.connect(f"file:{daemon.store}?mode=ro", uri=True)
    (count,) = connection.execute("SELECT count(*) FROM box").fetchone()
    (left,) = connection.execute("SELECT count(*) FROM items").fetchone()
    connection.close()
    assert (count, left) == (9_000, 3)


class Model:
    """Two tables as plain lists: ids in one section each, cells by lower-case column name."""

    def __init__(self, columns):
        self.columns = columns  # table -> {name: (kind, unique, required)}
        self.order = {name: [] for name in columns}
        self.cells = {}

    def fault(self, ids, source, target, remove, without):
        """Why a transfer has to be refused, or None."""
        if remove and source == target:
            return "BAD_REQUEST"
        wanted = self.columns[target]
        used = {
            column: [self.cells[row].get(column) for row in self.order[target]]
            for column, (_, unique, _) in wanted.items() if unique
        }
        faults = []
        for row in ids:
            cells = self.carried(row, source, target, without)
            if isinstance(cells, str):
                return cells
            for column, known in used.items():
                value = cells.get(column)
                if value is not None and value in known:
                    faults.append("DUPLICATE_KEY")
                known.append(value)
        return faults[0] if faults else None

    def carried(self, row, source, target, without):
        wanted, result = self.columns[target], {}
        for column in self.columns[source]:
            value = self.cells[row].get(column)
            if column in without:
                continue
            if column not in wanted:
                if value is not None:
                    return "NO_SUCH_COLUMN"
                continue
            if value is not None and wanted[column][0] != self.columns[source][column][0]:
                return "WRONG_KIND"
            if value is None and wanted[column][2]:
                return "REQUIRED"
            if value is not None:
                result[column] = value
        for column, (_, _, required) in wanted.items():
            if required and column not in result:
                return "REQUIRED"
        return result


COLUMNS = {
    "left": {"a": ("text", False, False), "b": ("integer", False, False), "c": ("text", False, False)},
    "right": {"a": ("text", True, False), "b": ("integer", False, True), "d": ("text", False, False)},
    "odd": {"a": ("text", False, False), "b": ("text", False, False)},
}
NUMBERS = {"text": TEXT, "integer": INTEGER}


@seeded
def test_random_transfers(ctx):
    """Against a naive model; three copies fold along, and the daemon is killed now and then."""
    rng = ctx.random
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for name, columns in COLUMNS.items():
        made = [(column.upper() if rng.random() < 0.3 else column, NUMBERS[kind],
                 {"unique": unique, "required": required})
                for column, (kind, unique, required) in columns.items()]
        rng.shuffle(made)
        client.request(create(name, *made, sections=["only"]))
    model_of = Model(COLUMNS)
    copies = []
    for table in ("left", "right", None):
        watcher = ctx.client(daemon)
        copy = Copy(watcher.subscribe(table=table).subscription)
        copy.until_live(watcher)
        copies.append((table, watcher, copy))
    done = refused = 0
    for step in range(250):
        tables = list(COLUMNS)
        source, target = rng.choice(tables), rng.choice(tables)
        if rng.random() < 0.35:
            cells = {}
            for column, (kind, _, required) in COLUMNS[source].items():
                if required or rng.random() < 0.6:
                    value = f"v{rng.randrange(40)}" if kind == "text" else rng.randrange(9)
                    cells[column] = (kind, value)
            at = (0, rng.randrange(len(model_of.order[source]) + 1))
            taken = [model_of.cells[row].get("a") for row in model_of.order[source]]
            if source == "right" and "a" in cells and cells["a"][1] in taken:
                continue
            row = client.insert(at, source, **cells)
            model_of.order[source].insert(at[1], row)
            model_of.cells[row] = {column: value for column, (_, value) in cells.items()}
            continue
        rows = model_of.order[source]
        ids = rng.sample(rows, min(len(rows), rng.randrange(1, 6)))
        if not ids:
            continue
        remove = rng.random() < 0.6
        without = [c for c in COLUMNS[source] if rng.random() < 0.4]
        place = rng.randrange(len(model_of.order[target]) + 1)
        if place < len(model_of.order[target]) and rng.random() < 0.5:
            at = ("before", model_of.order[target][place])
        else:
            at = (0, place)
        frame = transfer(ids, source, target, at=at, remove=remove, without=without,
                         dry_run=rng.random() < 0.1)
        fault = model_of.fault(ids, source, target, remove, without)
        if fault is not None:
            error = client.refused(frame)
            # With several reasons any of them may be told, but never none.
            assert error.code in ("WRONG_KIND", "NO_SUCH_COLUMN", "REQUIRED", "DUPLICATE_KEY",
                                  "BAD_REQUEST"), error
            if fault in ("BAD_REQUEST", "DUPLICATE_KEY"):
                assert error.code == fault, error
            refused += 1
        else:
            reply = client.request(frame).batch
            assert reply.counts.matched == len(ids)
            if reply.dry_run:
                continue
            new = runs(reply.inserted)
            assert new == ids if remove else not set(new) & set(model_of.cells)
            carried = [model_of.carried(row, source, target, without) for row in ids]
            model_of.order[target][place:place] = new
            if remove:
                model_of.order[source] = [row for row in rows if row not in ids]
            for row, cells in zip(new, carried):
                model_of.cells[row] = cells
            done += 1
        if rng.random() < 0.02:
            daemon.kill()
            daemon.start()
            client = ctx.client(daemon)
            resumed = []
            for table, _, copy in copies:
                watcher = ctx.client(daemon)
                copy.resume(watcher.subscribe(table=table, since=copy.cursor).subscription)
                resumed.append((table, watcher, copy))
            copies = resumed
        if step % 25 == 24:
            for table in tables:
                assert ids_of(client, table) == model_of.order[table], table
                for row, cells in zip(model_of.order[table], values(
                        client, table, *model_of.order[table]) if model_of.order[table] else []):
                    lower = {name.lower(): value for name, value in cells.items()}
                    assert lower == model_of.cells[row], f"row {row} of {table}"
            check_followers(client, copies)
    assert done > 20 and refused > 10, (done, refused)
    return f"{done} transfers, {refused} refused"

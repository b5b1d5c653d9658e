"""Filters, sorting, sums and operations on many rows (SPEC 3, 4, contracts E4, E15, K8, S7)."""

import time
import unicodedata

from client import Refused, batch_frame, fill_cells, fill_place, fill_row, insert, insert_section
from client import update
from fold import Copy, snapshot
from run import seeded
from schema import ClientFrame, batch as batch_schema, model

Op = batch_schema.Filter
WORDS = [
    "", "a", "A", "Kettle", "kettle", "Bär", "BA\u0308R", "Straße", "STRASSE", "Σίσυφος", "ΣΊΣΥΦΟΣ",
    "é", "e\u0301", "E", "\U0001f600", "\uffff", "aab", "100%",
]


def folded(text):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def node(target, op, column=None, *values, fold=False):
    """values: (kind, value), or None for null."""
    made = target.nodes.add(operator=op)
    if column is not None:
        made.column = column
    if fold:
        made.folded = True
    for value in values:
        cell = made.cells.add()
        if value is not None:
            setattr(cell, value[0], value[1])


def fill_filter(target, nodes):
    target.SetInParent()
    for entry in nodes:
        node(target, entry[0], *entry[1:-1], fold=entry[-1])


def contains(text):
    return [(Op.CONTAINS, "name", ("text", text), False)]


def find_frame(nodes=(), sort=(), limit=None, skip=0, section=None, first=0, snap=None):
    frame = ClientFrame()
    find = frame.find_rows
    find.table.name = "items"
    if section is not None:
        find.section.id = section
    fill_filter(find.filter, nodes)
    for column, descending, fold in sort:
        find.sort.add(column=column, descending=descending, folded=fold)
    if limit is not None:
        find.limit = limit
    if skip:
        find.skip = skip
    if first:
        find.first = first
    if snap is not None:
        find.snapshot = snap
    return frame


def find(client, nodes=(), **more):
    """All rows of a find, page after page, and how many pages they took."""
    found, pages, cursors = [], 0, set()
    first, snap = 0, None
    while True:
        page = client.request(find_frame(nodes, first=first, snap=snap, **more)).rows
        found.extend(page.rows)
        pages += 1
        cursors.add(page.cursor.revision)
        if not page.HasField("next"):
            assert len(cursors) == 1, "pages of several revisions"
            return found, pages
        first, snap = page.next, page.snapshot
        assert first == len(found)


def count(client, nodes, section=None):
    frame = ClientFrame()
    frame.count_rows.table.name = "items"
    if section is not None:
        frame.count_rows.section.id = section
    fill_filter(frame.count_rows.filter, nodes)
    return client.request(frame).count.rows


def sum_frame(column, nodes=()):
    frame = ClientFrame()
    frame.sum_column.table.name = "items"
    frame.sum_column.column = column
    fill_filter(frame.sum_column.filter, nodes)
    return frame


def operation(field, nodes=None, **matched):
    op = batch_schema.Operation()
    target = getattr(op, field)
    target.SetInParent()
    if nodes is not None:
        fill_filter(target.filter, nodes)
    if "matched" in matched:
        op.conditions.add().matched = matched["matched"]
    return op, target


def delete_where(nodes, **matched):
    return operation("delete_where", nodes, **matched)[0]


def update_where(nodes, cells, **matched):
    op, target = operation("update_where", nodes, **matched)
    fill_cells(target.cells, cells)
    return op


def move_where(nodes, at, **matched):
    op, target = operation("move_many", nodes, **matched)
    fill_place(target.to, at)
    return op


def move_ids(ids, at):
    op, target = operation("move_many")
    target.ids.extend(ids)
    fill_place(target.to, at)
    return op


def sort_section(section, *keys):
    op, target = operation("sort_section")
    target.section.id = section
    for column, descending, fold in keys:
        target.by.add(column=column, descending=descending, folded=fold)
    return op


def add_to(row, column, amount, floor=None, ceiling=None):
    op, target = operation("add_to_cell")
    fill_row(target.row, row)
    target.amount.column_name = column
    target.amount.decimal = amount
    if floor is not None:
        target.floor = floor
    if ceiling is not None:
        target.ceiling = ceiling
    return op


def cells(client, row):
    """Values by column name; what is not there is null."""
    names = {column.id: column.name for column in client.table().columns}
    return {names[c.column]: getattr(c, c.WhichOneof("value")) for c in row.cells}


def random_rows(ctx, client, rows):
    """Rows with random cells: their ids and cells, in order."""
    operations, made = [], []
    for _ in range(rows):
        row = {}
        if ctx.random.random() < 0.9:
            row["name"] = ctx.random.choice(WORDS)
        if ctx.random.random() < 0.5:
            row["serial"] = ctx.random.choice(WORDS)
        if ctx.random.random() < 0.8:
            row["value"] = ctx.random.randrange(-5, 6)
        operations.append(insert(row))
        made.append(row)
    ids = []
    for start in range(0, rows, 5000):
        for run in client.batch(*operations[start : start + 5000]).inserted:
            ids.extend(range(run.first, run.first + run.count))
    return list(zip(ids, made))


def random_filter(random, depth=3):
    """Nodes, and a function that judges a row's cells."""
    if depth and random.random() < 0.65:
        left, left_takes = random_filter(random, depth - 1)
        if random.random() < 0.25:
            return left + [(Op.NOT, False)], lambda row: not left_takes(row)
        right, right_takes = random_filter(random, depth - 1)
        if random.random() < 0.5:
            return left + right + [(Op.AND, False)], lambda row: left_takes(row) and right_takes(row)
        return left + right + [(Op.OR, False)], lambda row: left_takes(row) or right_takes(row)
    column = random.choice(["name", "serial", "value"])
    kind = "decimal" if column == "value" else "text"
    if random.random() < 0.15:
        return [(Op.IS_NULL, column, False)], lambda row: row.get(column) is None
    fold = kind == "text" and random.random() < 0.5

    def key(value):
        return folded(value) if fold else value

    def draw():
        return random.randrange(-5, 6) if kind == "decimal" else random.choice(WORDS)

    if random.random() < 0.2:
        wanted = [draw() for _ in range(1 + random.randrange(3))]
        keys = [key(value) for value in wanted]
        return [(Op.IN, column, *[(kind, value) for value in wanted], fold)], lambda row: (
            row.get(column) is not None and key(row[column]) in keys)
    tests = {
        Op.EQUAL: lambda a, b: a == b, Op.NOT_EQUAL: lambda a, b: a != b,
        Op.LESS: lambda a, b: a < b, Op.LESS_OR_EQUAL: lambda a, b: a <= b,
        Op.GREATER: lambda a, b: a > b, Op.GREATER_OR_EQUAL: lambda a, b: a >= b,
    }
    if kind == "text":
        tests[Op.PREFIX] = lambda a, b: a.startswith(b)
        tests[Op.CONTAINS] = lambda a, b: folded(b) in folded(a)
    op = random.choice(list(tests))
    value = draw()
    return [(op, column, (kind, value), fold)], lambda row: (
        row.get(column) is not None and tests[op](key(row[column]), key(value)))


def sorted_rows(rows, keys):
    """Python's stable sort, key by key, the last first; nulls last."""
    for column, descending, fold in reversed(keys):
        there = [row for row in rows if row[1].get(column) is not None]
        absent = [row for row in rows if row[1].get(column) is None]

        def key(row):
            value = row[1][column]
            return folded(value) if fold else value

        there.sort(key=key)
        if descending:
            # Equal ones keep their order: groups from the back, each in order.
            groups = {}
            for row in there:
                groups.setdefault(key(row), []).append(row)
            there = [row for value in reversed(list(groups)) for row in groups[value]]
        rows = there + absent
    return rows


@seeded
def test_finds_counts_and_sums_what_python_does(ctx):
    client = ctx.client(ctx.daemon())
    rows = random_rows(ctx, client, 400)
    for number in range(300):
        nodes, takes = random_filter(ctx.random)
        wanted = [row for row in rows if takes(row[1])]
        assert count(client, nodes) == len(wanted), nodes
        total = client.request(sum_frame("value", nodes)).sum
        values = [row[1]["value"] for row in wanted if "value" in row[1]]
        assert (total.sum, total.rows, total.nulls) == (
            sum(values), len(values), len(wanted) - len(values))
        keys = [
            (column, ctx.random.random() < 0.5, column != "value" and ctx.random.random() < 0.5)
            for column in ctx.random.sample(["name", "serial", "value"], ctx.random.randrange(4))
        ]
        limit = ctx.random.choice([None, 0, 1, 7, 1000])
        skip = ctx.random.choice([0, 0, 3, 500])
        expected = sorted_rows(wanted, keys)[skip:][: len(rows) if limit is None else limit]
        found, _ = find(client, nodes, sort=keys, limit=limit, skip=skip)
        assert [row.row.id for row in found] == [row[0] for row in expected], (nodes, keys)


@seeded
def test_pages_are_of_one_revision_while_others_write(ctx):
    daemon = ctx.daemon()
    client, writer = ctx.client(daemon), ctx.client(daemon)
    text = "x" * 2000
    for _ in range(10):
        client.batch(*[insert({"name": text, "value": ctx.random.randrange(9)}) for _ in range(250)])
    ids = [row.row.id for row in client.rows()]
    values = {row.row.id: cells(client, row.row)["value"] for row in client.rows()[:50]}
    assert values
    for keys in [(), (("value", True, False),)]:
        page = client.request(find_frame(contains("xx"), sort=keys)).rows
        assert page.HasField("next") and page.next == len(page.rows)
        found, revision = list(page.rows), page.cursor.revision
        while page.HasField("next"):
            writer.batch(update(ctx.random.choice(ids), name="y"))
            writer.batch(insert({"name": text}, at=(0, 0)))
            page = client.request(
                find_frame(first=len(found), snap=page.snapshot)).rows
            assert page.cursor.revision == revision
            found.extend(page.rows)
        assert all(row.row.cells[0].text == text for row in found)
        assert len(found) == len({row.row.id for row in found})
        if not keys:
            assert [row.row.id for row in found] == ids
        for row in list(writer.rows()):
            if row.row.id not in ids:
                writer.batch(delete_where([(Op.NOT_EQUAL, "name", ("text", text), False)]))
                break
        ids = [row.row.id for row in writer.rows()]


def test_pages_are_read_once_one_after_the_other(ctx):
    client = ctx.client(ctx.daemon())
    for _ in range(4):
        client.batch(*[insert({"name": "x" * 2000}) for _ in range(250)])
    page = client.request(find_frame()).rows
    assert page.HasField("next")
    wrong = client.refused(find_frame(first=page.next + 1, snap=page.snapshot))
    assert wrong.code == "BAD_REQUEST"
    assert client.refused(find_frame(first=1, snap=99)).code == "SNAPSHOT_EXPIRED"
    rest = client.request(find_frame(first=page.next, snap=page.snapshot)).rows
    assert len(page.rows) + len(rest.rows) == 1000
    again = client.refused(find_frame(first=page.next, snap=page.snapshot))
    assert again.code == "SNAPSHOT_EXPIRED"


def test_where_all_views_are_taken_the_newest_is_read(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for _ in range(4):
        client.batch(*[insert({"name": "x" * 2000, "value": 1}) for _ in range(250)])
    holders = []
    for number in range(4):
        holder = ctx.client(daemon)
        page = holder.request(find_frame()).rows
        assert page.HasField("next")
        holders.append((holder, page))
        client.insert(name="x" * 2000, value=0, at=(0, 0))
    newest = holders[-1][1].cursor.revision
    # Somebody who has changed nothing: one's own changes are never missing (K8).
    reader = ctx.client(daemon)
    for keys in [(), [("value", False, False)]]:
        page = reader.request(find_frame(sort=keys)).rows
        found = list(page.rows)
        # Four views are open, so that the fifth reader joins the newest, whole.
        assert page.cursor.revision == newest
        rest = reader.request(find_frame(first=page.next, snap=page.snapshot)).rows
        found.extend(rest.rows)
        assert len(found) == 1003 and len({row.row.id for row in found}) == 1003
        assert [cells(client, row.row)["value"] for row in found[:3]] == [0, 0, 0]
    # One that fits a page needs no view.
    found, pages = find(client, [(Op.EQUAL, "value", ("decimal", 0), False)])
    assert (len(found), pages) == (4, 1)
    for holder, page in holders:
        rest = holder.request(find_frame(first=page.next, snap=page.snapshot)).rows
        assert rest.cursor.revision == page.cursor.revision and not rest.HasField("next")


def test_a_long_scan_lets_others_go_on(ctx):
    daemon = ctx.daemon()
    client, other = ctx.client(daemon), ctx.client(daemon)
    for _ in range(8):
        filled = client.batch(*[insert({"name": f"n{i}", "value": i}) for i in range(10_000)])
    # Slow on purpose: many tests for each row.
    nodes = contains("zz")
    for _ in range(60):
        nodes = nodes + contains("zz") + [(Op.OR, False)]
    frame = ClientFrame()
    frame.count_rows.table.name = "items"
    fill_filter(frame.count_rows.filter, nodes)
    scan = client.send(frame)
    ping = ClientFrame()
    ping.ping.payload = b"after"
    after = client.send(ping)
    slowest, answers, inserted = 0, 0, 0
    while not client.replies:
        began = time.monotonic()
        other.ping()
        slowest = max(slowest, time.monotonic() - began)
        answers += 1
        if answers % 10 == 1:
            other.insert(name="zz")
            inserted += 1
        try:
            client.pump(0.0005)
        except TimeoutError:
            pass
    assert answers > 3, "the scan held everybody up"
    first, second = client.reply(), client.reply()
    # Those behind it on its connection wait (contract K8); the rows are of one revision.
    assert (first.id, second.id) == (scan, after)
    assert first.count.rows == 0 and first.count.cursor.revision == filled.cursor.revision
    assert count(client, contains("zz")) == inserted
    assert slowest < 1


def test_a_scan_ends_with_its_connection(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for _ in range(4):
        client.batch(*[insert({"name": f"n{i}"}) for i in range(10_000)])
    nodes = contains("zz")
    for _ in range(60):
        nodes = nodes + contains("zz") + [(Op.OR, False)]
    for _ in range(12):
        # More than there may be views: none may be left behind, nor what they asked for be done.
        with ctx.client(daemon) as passing:
            passing.send(find_frame(nodes))
            passing.send(find_frame(nodes, sort=[("name", False, True)]))
    found, _ = find(client, contains("n9999"))
    assert len(found) == 4
    page = client.request(find_frame()).rows
    assert page.HasField("next") and page.HasField("snapshot")


def test_what_is_no_filter_is_refused_with_its_place(ctx):
    client = ctx.client(ctx.daemon())
    client.insert(name="a", value=1)
    test = (Op.IS_NULL, "name", False)
    deep = [test] * 128 + [(Op.AND, False)] * 127 + [(Op.NOT, False)]
    assert count(client, deep) == 1
    refused = client.refused(find_frame(deep + [(Op.NOT, False)]))
    assert refused.code == "BAD_FILTER" and "257" in refused.error.value
    for nodes in [[test, test], [(Op.AND, False)], [test, (Op.AND, False)], [(Op.NOT, False)],
                  [(Op.EQUAL, "name", False)], [(Op.IN, "name", False)],
                  [(Op.EQUAL, ("text", "a"), False)][:0] + [(0, "name", False)]]:
        for frame in [find_frame(nodes), batch_frame(delete_where(nodes))]:
            assert client.refused(frame).code == "BAD_FILTER", nodes
    unknown = client.refused(find_frame([(Op.IS_NULL, "nome", False)]))
    assert unknown.code == "NO_SUCH_COLUMN" and unknown.error.column == "nome"
    kind = client.refused(find_frame([(Op.EQUAL, "value", ("text", "1"), False)]))
    assert kind.code == "WRONG_KIND" and kind.error.column == "value" and kind.error.expected
    place = client.refused(batch_frame(insert({}), delete_where([(Op.IS_NULL, "nome", False)])))
    assert place.code == "NO_SUCH_COLUMN" and place.error.operation == 1
    missing, _ = operation("delete_where")
    assert client.refused(batch_frame(missing)).code == "BAD_REQUEST"
    twice, target = operation("move_many", [test])
    target.ids.append(1)
    assert client.refused(batch_frame(twice)).code == "BAD_REQUEST"
    assert client.refused(find_frame(sort=[("nome", False, False)])).code == "NO_SUCH_COLUMN"
    assert client.refused(find_frame(sort=[("value", False, True)])).code == "WRONG_KIND"
    assert client.refused(sum_frame("name")).code == "WRONG_KIND"
    assert count(client, []) == 1


def test_a_sum_that_does_not_fit_is_refused(ctx):
    client = ctx.client(ctx.daemon())
    client.batch(*[insert({"value": (1 << 63) - 1}) for _ in range(3)])
    refused = client.refused(sum_frame("value"))
    assert refused.code == "OVERFLOW" and refused.error.value == str(3 * ((1 << 63) - 1))
    client.batch(*[insert({"value": -(1 << 63)}) for _ in range(3)])
    assert client.request(sum_frame("value")).sum.sum == -3


def test_matched_is_a_condition(ctx):
    client = ctx.client(ctx.daemon())
    client.batch(*[insert({"name": name}) for name in ["a", "b", "ab"]])
    refused = client.refused(batch_frame(delete_where(contains("a"), matched=3)))
    assert refused.code == "COUNT_MATCHED" and refused.error.operation == 0
    assert (refused.error.value, refused.error.expected) == ("2", "3")
    condition = batch_schema.Condition(matched=3)
    refused = client.refused(batch_frame(delete_where(contains("a")), conditions=[condition]))
    assert refused.code == "COUNT_MATCHED" and not refused.error.HasField("operation")
    reply = client.batch(delete_where(contains("a"), matched=2))
    assert reply.counts.matched == 2 and reply.counts.rows_deleted == 2
    reply = client.batch(update_where([], {"value": 5}, matched=1))
    assert reply.counts.matched == 1 and reply.counts.rows_updated == 1
    reply = client.batch(update_where([], {"value": 5}))
    assert reply.unchanged and reply.counts.matched == 1


def test_additions_are_exact_and_bounded(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(value=100)
    client.batch(*[add_to(row, "value", -1, floor=0) for _ in range(100)])
    refused = client.refused(batch_frame(add_to(row, "value", -1, floor=0)))
    assert refused.code == "OUT_OF_BOUNDS" and refused.error.row == row
    assert refused.error.value == "-1" and refused.error.column == "value"
    client.batch(add_to(row, "value", (1 << 63) - 1))
    assert client.refused(batch_frame(add_to(row, "value", 1))).code == "OVERFLOW"
    empty = client.insert(name="a")
    assert client.refused(batch_frame(add_to(empty, "value", 1))).code == "REQUIRED"


@seeded
def test_operations_on_many_rows_agree_with_lists(ctx):
    """The server, a client's copy and plain lists, over a restart."""
    daemon = ctx.daemon()
    client, watcher = ctx.client(daemon), ctx.client(daemon)
    client.batch(insert_section("second"), insert_section("third"))
    rows = dict(random_rows(ctx, client, 60))
    sections = [section.id for section in client.table().sections]
    lists = {section: [] for section in sections}
    for placed in client.rows():
        lists[placed.section].append(placed.row.id)
    copy = Copy(watcher.subscribe().subscription)
    copy.until_live(watcher)
    for step in range(150):
        nodes, takes = random_filter(ctx.random, 2)
        matched = [row for section in sections for row in lists[section] if takes(rows[row])]
        kind = ctx.random.randrange(5)
        if kind == 0 and len(rows) > 30 and len(matched) < 10:
            op = delete_where(nodes, matched=len(matched))
            for section in sections:
                lists[section] = [row for row in lists[section] if row not in matched]
            for row in matched:
                del rows[row]
        elif kind == 1:
            value = ctx.random.randrange(-5, 6)
            op = update_where(nodes, {"value": value}, matched=len(matched))
            for row in matched:
                rows[row]["value"] = value
        elif kind == 2:
            section = ctx.random.choice(sections)
            keys = [("name", ctx.random.random() < 0.5, ctx.random.random() < 0.5),
                    ("value", ctx.random.random() < 0.5, False)]
            op = sort_section(section, *keys)
            ordered = sorted_rows([(row, rows[row]) for row in lists[section]], keys)
            lists[section] = [row for row, _ in ordered]
        else:
            section = ctx.random.choice(sections)
            if kind == 3:
                op = move_where(nodes, ("last_of", section), matched=len(matched))
            else:
                matched = ctx.random.sample(sorted(rows), min(5, len(rows)))
                op = move_ids(matched, ("last_of", section))
            for other in sections:
                lists[other] = [row for row in lists[other] if row not in matched]
            lists[section] += matched
        reply = client.batch(op)
        if not reply.unchanged:
            copy.until_revision(watcher, reply.cursor.revision)
        if step % 20 == 0:
            order = [placed.row.id for placed in client.rows()]
            assert order == [row for section in sections for row in lists[section]], step
            assert copy.canonical() == snapshot(client).canonical(), step
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    found = client.rows()
    assert [placed.row.id for placed in found] == [
        row for section in sections for row in lists[section]]
    for placed in found:
        there = cells(client, placed.row)
        del there["created"]
        assert there == rows[placed.row.id]

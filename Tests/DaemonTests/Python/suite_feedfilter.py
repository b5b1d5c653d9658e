"""Filters of subscriptions: what is left can be folded, live and from history (F1, F2)."""

from client import batch_frame, delete, delete_section, insert, insert_section, move, update
from filtered import FilteredCopy, subscribe_filtered
from fold import Copy
from run import seeded
from schema import ClientFrame, change as change_schema, feed as feed_schema
from suite_editing import set_policy
from writer import Writer

NAMES = ("name", "serial", "value", "created")


def column_ids(client, names):
    return {c.id for c in client.table().columns if c.name in names}


def reach(client, copies, token):
    """Lets all subscriptions of the connection come to a barrier."""
    client.barrier(0, token)
    known = {copy.subscription: copy for copy in copies}
    while True:
        event = client.event()
        if event.subscription == 0:
            assert event.barrier.token == token
            return event.barrier.revision
        if event.subscription in known:
            known[event.subscription].take(event)


def filtered(client, sections=None, names=None, **more):
    reply = subscribe_filtered(client, sections=sections, names=names, **more)
    columns = column_ids(client, names) if names is not None else None
    return FilteredCopy(reply, sections, columns)


@seeded
def test_filtered_copies_equal_the_whole_at_every_barrier(ctx):
    """Live, and again from history, over random edits of rows and sections."""
    daemon = ctx.daemon()
    client = ctx.client(daemon, "reader")
    writer = Writer(daemon.socket, ctx.seed)
    ctx.clients.append(writer.client)
    for _ in range(40):
        writer.step()
    whole = Copy(client.subscribe().subscription)
    sections = [section.id for section in client.table().sections]
    copies, kept = [], []
    for number in range(12):
        seen = None
        if number % 3 != 2:
            seen = set(ctx.random.sample(sections, ctx.random.randrange(1, len(sections) + 1)))
        names = None if number % 3 == 0 else ctx.random.sample(NAMES, 1 + number % 2)
        copies.append(filtered(client, seen, names))
    reach(client, [whole] + copies, 1)
    barriers = 25 * ctx.scale
    for barrier in range(2, barriers):
        if barrier % 8 == 0:
            # Some go and come back later with their cursor, from history.
            for copy in copies[:4]:
                frame = ClientFrame()
                frame.unsubscribe.subscription = copy.subscription
                client.request(frame)
            kept, copies = copies[:4], copies[4:]
        for _ in range(12):
            writer.step()
        if barrier % 8 == 4 and kept:
            for copy in kept:
                reply = subscribe_filtered(
                    client, since=copy.cursor, fingerprint=copy.fingerprint,
                    sections=copy.sections,
                    names=[c.name for c in client.table().columns if c.id in copy.columns]
                    if copy.columns is not None else None)
                assert not reply.snapshot and reply.fingerprint == copy.fingerprint
                copy.resume(reply.subscription)
            copies, kept = copies + kept, []
        reach(client, [whole] + copies, barrier)
        for copy in copies:
            assert copy.revision == whole.revision
            copy.equals(whole)
    return f"{barriers} barriers, {writer.batches} batches, {len(copies) + len(kept)} copies"


def test_a_row_that_enters_has_its_cells(ctx):
    client = ctx.client(ctx.daemon())
    first = client.table().sections[0].id
    done = client.batch(insert_section("other"))
    other = done.inserted_sections[0].first
    row = client.insert(("last_of", first), name="a", serial="s")
    copy = filtered(client, {other})
    copy.until_live(client)
    client.batch(move(row, ("last_of", other)))
    copy.until_barrier(client, 1)
    stage = copy.last_change.tables[0].stages[0]
    assert [run.id for run in stage.inserts] == [row] and not stage.moves
    assert stage.inserts[0].section == other and not stage.inserts[0].moved
    assert copy.last_change.tables[0].rows[0].cells[0].text == "a"
    # Changed and gone in one revision; and what others do is passed over.
    before = copy.last_change.revision
    client.batch(insert({"name": "elsewhere"}, ("last_of", first)))
    copy.until_barrier(client, 2)
    assert copy.last_change.revision == before and copy.revision > before
    client.batch(update(row, name="b"), move(row, ("first_of", first)))
    copy.until_barrier(client, 3)
    table = copy.last_change.tables[0]
    assert [run.first for run in table.deleted] == [row] and not table.rows
    client.batch(update(row, name="c"), move(row, ("first_of", other)))
    copy.until_barrier(client, 4)
    table = copy.last_change.tables[0]
    assert table.rows[0].cells[0].text == "c" and not any(s.reloads for s in table.stages)
    # A deleted section takes its rows; one that was moved out of it in time stays elsewhere.
    client.batch(move(row, ("first_of", first)), delete_section(other))
    copy.until_barrier(client, 5)
    assert next(iter(copy.tables.values())).order == {}


def test_a_large_revision_is_filtered_part_by_part(ctx):
    """Rows whose images stand beside the change alone, more than a part holds."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    first = client.table().sections[0].id
    other = client.batch(insert_section("other")).inserted_sections[0].first
    for _ in range(20):
        client.batch(*[insert({"name": "n" * 500}, ("last_of", first)) for _ in range(100)])
    rows = [placed.row.id for placed in client.rows(section=first)]
    whole = Copy(client.subscribe().subscription)
    copies = [filtered(client, {first}), filtered(client, {other}),
              filtered(client, {other}, ["serial"]), filtered(client, {first, other}, ["name"])]
    reach(client, [whole] + copies, 1)
    cursors = [copy.cursor for copy in copies]
    client.batch(*[move(row, ("last_of", other)) for row in rows])
    client.batch(insert_section("third", handle=1), *[
        move(row, ("last_of", {"as": 1})) for row in rows[:1000]])
    client.batch(delete_section(other))
    reach(client, [whole] + copies, 2)
    for copy in copies:
        copy.equals(whole)
    assert not any(rows for table in copies[1].tables.values() for rows in table.order.values())
    # The same from history, after a kill.
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    for copy, cursor in zip(copies, cursors):
        names = [c.name for c in client.table().columns
                 if copy.columns is not None and c.id in copy.columns]
        again = FilteredCopy(subscribe_filtered(
            client, since=cursor, fingerprint=copy.fingerprint, sections=copy.sections,
            names=names or None), copy.sections, copy.columns)
        bodies = []
        while True:
            event = client.event()
            if event.subscription != again.subscription:
                continue
            if event.HasField("live"):
                break
            bodies.append(event)
        assert bodies and bodies[-1].last


def notices(client, **fields):
    frame = ClientFrame()
    frame.subscribe.table.name = "items"
    for name, value in fields.items():
        getattr(frame.subscribe.filter, name).extend(value)
    reply = client.request(frame).subscribed
    assert not reply.foldable and not reply.snapshot and not reply.paths_by_id
    return reply.subscription


def test_notices_by_kind_and_by_row(ctx):
    client = ctx.client(ctx.daemon())
    a, b = client.insert(name="a"), client.insert(name="b")
    inserts = notices(client, notice_kinds=[feed_schema.CHANGE_KIND_INSERT])
    of_row = notices(client, notice_rows=[a])
    updates = notices(client, notice_rows=[a, b], notice_kinds=[feed_schema.CHANGE_KIND_UPDATE])
    schema = notices(client, notice_kinds=[feed_schema.CHANGE_KIND_SCHEMA])
    sections = notices(client, notice_kinds=[feed_schema.CHANGE_KIND_SECTION])
    client.batch(insert({"name": "c"}, (0, 0)))
    client.batch(update(a, name="A"), update(b, name="B"), move(a, (0, 2)))
    client.batch(update(b, name="b"))
    client.batch(insert_section("s"))
    client.batch(delete(a))
    client.barrier(0, 1)
    got = {}
    while True:
        event = client.event()
        if event.subscription == 0:
            break
        if event.HasField("change"):
            got.setdefault(event.subscription, []).append(event.change.tables[0])
    assert len(got[inserts]) == 1
    assert got[inserts][0].stages[0].inserts[0].row == 0 and got[inserts][0].rows
    first, second = got[of_row]
    assert {s.kind for s in first.stages} == {
        change_schema.STAGE_KIND_MAIN, change_schema.STAGE_KIND_RELOAD}
    assert [row.id for row in first.rows] == [a]
    assert [run.first for run in second.deleted] == [a]
    assert [[row.id for row in change.rows] for change in got[updates]] == [[a, b], [b]]
    assert schema not in got
    assert len(got[sections]) == 1 and got[sections][0].sections[0].title == "s"


def test_old_rows(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="old", serial="s")
    number = client.subscribe(since=(client.hello.epoch, client.table().last_changed),
                              old_rows=True).subscription
    done = client.batch(update(row, name="new"))
    client.batch(delete(row))
    client.barrier(0, 1)
    olds = []
    while True:
        event = client.event()
        if event.subscription == 0:
            break
        if event.HasField("change"):
            olds.append([(r.id, r.cells[0].text) for r in event.change.old_rows])
    assert olds == [[(row, "old")], [(row, "new")]]
    reply = client.subscribe(
        since=(client.hello.epoch, done.cursor.revision - 1), old_rows=True)
    again = []
    while True:
        event = client.event()
        if event.HasField("live"):
            break
        if event.subscription == reply.subscription and event.HasField("change"):
            again.append([(r.id, r.cells[0].text) for r in event.change.old_rows])
    assert again == olds and number != reply.subscription


def test_filters_and_fingerprints_that_are_refused(ctx):
    client = ctx.client(ctx.daemon())
    client.insert(name="a")
    section = client.table().sections[0].id
    cursor = (client.hello.epoch, client.table().last_changed)

    def wish(since=None, fingerprint=None, table="items", **lists):
        frame = ClientFrame()
        if table is None:
            frame.subscribe.SetInParent()
        else:
            frame.subscribe.table.name = table
        if since is not None:
            frame.subscribe.since.epoch, frame.subscribe.since.revision = since
        if fingerprint is not None:
            frame.subscribe.fingerprint = fingerprint
        for name, value in lists.items():
            getattr(frame.subscribe.filter, name).extend(value)
        return frame

    refused = client.refused(wish(sections=[section + 7]))
    assert refused.code == "NO_SUCH_SECTION" and refused.error.section == section + 7
    refused = client.refused(wish(columns=["nam"]))
    assert refused.code == "NO_SUCH_COLUMN" and refused.error.column == "nam"
    assert client.refused(wish(table=None, columns=["name"])).code == "BAD_FILTER"
    assert client.refused(wish(table=None, sections=[section])).code == "BAD_FILTER"
    assert client.refused(wish(notice_rows=range(1, 5000))).code == "BAD_FILTER"
    both = wish()
    both.subscribe.filter.tables.add().name = "items"
    assert client.refused(both).code == "BAD_FILTER"
    missing = wish(table=None)
    missing.subscribe.filter.tables.add().name = "nothing"
    assert client.refused(missing).code == "NO_SUCH_TABLE"
    # A cursor belongs to its filter.
    one = client.request(wish(sections=[section])).subscribed
    other = client.request(wish(columns=["name"])).subscribed
    assert one.fingerprint != other.fingerprint
    refused = client.refused(wish(since=cursor, sections=[section]))
    assert refused.code == "OTHER_FILTER", "without a fingerprint"
    refused = client.refused(
        wish(since=cursor, fingerprint=other.fingerprint, sections=[section]))
    assert refused.code == "OTHER_FILTER" and str(one.fingerprint) in refused.error.expected
    assert client.refused(wish(since=cursor, fingerprint=one.fingerprint)).code == "OTHER_FILTER"
    frame = wish(since=cursor, fingerprint=other.fingerprint, sections=[section])
    frame.subscribe.snapshot_if_lost = True
    assert client.request(frame).subscribed.snapshot
    reply = client.request(
        wish(since=cursor, fingerprint=one.fingerprint, sections=[section])).subscribed
    assert not reply.snapshot
    client.ping()


def test_a_list_of_tables(ctx):
    client = ctx.client(ctx.daemon())
    for name in ("books", "films"):
        frame = ClientFrame()
        frame.create_table.name = name
        client.request(frame)
    frame = ClientFrame()
    for name in ("items", "films"):
        frame.subscribe.filter.tables.add().name = name
    copy = Copy(client.request(frame).subscribed.subscription)
    copy.until_live(client)
    assert {table.name for table in copy.tables.values()} == {"items", "films"}
    for name in ("items", "books", "films"):
        client.insert(name="x", table=name)
    copy.until_barrier(client, 1)
    assert {table.name: len(table.ids()) for table in copy.tables.values()} == {
        "items": 1, "films": 1}


def test_policies_of_rows_elsewhere_are_not_told(ctx):
    """Those of rows in the sections, of rows that enter with them; live and from history."""
    client = ctx.client(ctx.daemon())
    here = client.table().sections[0].id
    there = client.batch(insert_section("other")).inserted_sections[0].first
    inside = client.insert(("last_of", here), name="inside")
    outside = client.insert(("last_of", there), name="outside")
    reply = subscribe_filtered(client, sections=[here])
    subscription = reply.subscription

    def told(token, number):
        """The policies and removed rows of each change up to a barrier."""
        found = []
        client.barrier(0, token)
        while True:
            event = client.event()
            if event.subscription == 0:
                return found
            if event.subscription == number and event.HasField("change"):
                assert event.last and len(event.change.tables) == 1, event
                table = event.change.tables[0]
                policies = [(p.row, p.policy.can_move if p.HasField("policy") else None)
                            for p in table.row_policies]
                found.append((policies, [run.first for run in table.deleted]))

    told(1, subscription)
    cursor = getattr(reply, "from").revision
    client.batch(set_policy(row=outside, can_move=False))
    assert told(2, subscription) == [], "a policy of a row elsewhere"
    wanted = []

    def expect(token, policies, deleted=()):
        wanted.append((policies, list(deleted)))
        assert told(token, subscription) == wanted[-1:]

    client.batch(set_policy(row=inside, can_move=False))
    expect(3, [(inside, False)])
    client.batch(move(outside, ("last_of", here)))
    expect(4, [(outside, False)])
    client.batch(set_policy(row=outside, can_edit=False), move(outside, ("last_of", there)))
    expect(5, [], [outside])
    client.batch(set_policy(row=outside, can_move=True), move(outside, ("last_of", here)))
    expect(6, [(outside, True)])
    client.batch(set_policy(row=outside, clear=True))
    expect(7, [(outside, None)])
    # What comes from history is the same.
    since = (getattr(reply, "from").epoch, cursor)
    again = subscribe_filtered(
        client, since=since, fingerprint=reply.fingerprint, sections=[here])
    assert told(8, again.subscription) == wanted

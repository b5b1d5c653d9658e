"""Windows: a run of rows as a live view (contract F3)."""

from client import delete, delete_section, framed, insert, insert_section, move, move_section, update
from fold import Copy
from run import seeded
from schema import ClientFrame
from suite_feedfilter import reach
from windows import WindowCopy, spec_into
from writer import Writer


def table_of(whole):
    return next(iter(whole.tables.values()))


def fill(client, count, section=None):
    at = ("last_of", section) if section else None
    done = client.batch(*[insert({"name": f"row {n}"}, at) for n in range(count)])
    return [row for run in done.inserted for row in range(run.first, run.first + run.count)]


@seeded
def test_windows_equal_the_whole_at_every_barrier(ctx):
    """Of sections and of the whole table, at positions and at rows, moved now and then."""
    daemon = ctx.daemon()
    client = ctx.client(daemon, "reader")
    writer = Writer(daemon.socket, ctx.seed)
    ctx.clients.append(writer.client)
    for _ in range(60):
        writer.step()
    whole = Copy(client.subscribe().subscription)
    reach(client, [whole], 1)
    random = ctx.random

    def any_spec():
        table = table_of(whole)
        section = random.choice(table.sections) if random.random() < 0.5 and table.sections else None
        rows = [r for s in table.sections if section in (None, s) for r in table.order[s]]
        spec = {"section": section, "length": random.choice((1, 3, 10, 50))}
        if rows and random.random() < 0.5:
            spec["row"] = random.choice(rows)
        else:
            spec["position"] = random.randrange(len(rows) + 1)
        return spec

    windows = []
    for number in range(16):
        names = ("name",) if number % 5 == 4 else None
        columns = WindowCopy.column_ids(table_of(whole), names) if names else None
        windows.append(WindowCopy(client, names=names, columns=columns, **any_spec()))
    token = 2
    reach(client, [whole] + windows, token)
    for window in windows:
        window.equals(table_of(whole))
    for round in range(30 * ctx.scale):
        for _ in range(random.choice((1, 4, 12))):
            writer.step()
        token += 1
        reach(client, [whole] + windows, token)
        for window in windows:
            assert window.revision == whole.revision
            window.equals(table_of(whole))
        moved = random.choice(windows)
        # What it names was there at the barrier, and nobody has changed anything since.
        moved.move(**any_spec())
    return f"{token} barriers, {writer.batches} batches, {sum(w.events for w in windows)} events"


def test_what_a_window_is_told(ctx):
    client = ctx.client(ctx.daemon())
    rows = fill(client, 100)
    other = client.batch(insert_section("other")).inserted_sections[0].first
    window = WindowCopy(client, position=10, length=5)
    whole = Copy(client.subscribe().subscription)
    reach(client, [whole, window], 1)
    assert [row for row, _ in window.rows] == rows[10:15] and window.live
    assert (window.first, window.after) == (10, 85) and window.events == 1
    # Behind it: counts alone, merged.
    for _ in range(5):
        client.batch(insert({"name": "behind"}))
    reach(client, [whole, window], 2)
    assert window.after == 90 and window.events == 2
    # Before it: rows pass through.
    client.batch(delete(rows[0]))
    reach(client, [whole, window], 3)
    assert [row for row, _ in window.rows] == rows[11:16] and window.events == 3
    # Inside: a move is a move, an update has its cells.
    client.batch(move(rows[11], ("after", rows[14])), update(rows[12], name="new"))
    reach(client, [whole, window], 4)
    assert [row for row, _ in window.rows] == rows[12:15] + [rows[11], rows[15]]
    # Another table's name for the section it stands in, and a move to another section.
    client.batch(move(rows[12], ("last_of", other)))
    client.batch(move_section(other, 0))
    reach(client, [whole, window], 5)
    window.equals(table_of(whole))
    client.batch(delete_section(table_of(whole).sections[1]))
    reach(client, [whole, window], 6)
    assert window.rows == [] and (window.first, window.after) == (6, 0)


def test_a_row_anchor_is_taken_over(ctx):
    client = ctx.client(ctx.daemon())
    rows = fill(client, 30)
    whole = Copy(client.subscribe().subscription)
    window = WindowCopy(client, row=rows[10], length=4)
    reach(client, [whole, window], 1)
    client.batch(insert({"name": "before"}, (0, 0)))
    reach(client, [whole, window], 2)
    assert window.first == 11 and window.rows[0][0] == rows[10]
    client.batch(delete(rows[10]))
    reach(client, [whole, window], 3)
    assert window.anchor == rows[11] and window.first == 11
    # All that it shows goes at once: the first one behind that stays.
    client.batch(*[delete(row) for row in rows[5:10] + rows[11:20]])
    reach(client, [whole, window], 4)
    assert window.anchor == rows[20]
    # Nothing stays behind it: the last one before.
    client.batch(*[delete(row) for row in rows[20:]])
    reach(client, [whole, window], 5)
    assert window.anchor == rows[4]
    window.equals(table_of(whole))
    client.batch(move(rows[4], (0, 0)))
    reach(client, [whole, window], 6)
    assert window.anchor == rows[4] and window.first == 0
    window.equals(table_of(whole))


def test_moving_a_window_sends_only_what_is_new(ctx):
    client = ctx.client(ctx.daemon())
    rows = fill(client, 60)
    window = WindowCopy(client, position=10, length=20)
    reach(client, [window], 1)
    frame = ClientFrame()
    frame.move_window.subscription = window.subscription
    spec_into(frame.move_window.window, position=15, length=20)
    window.wanted = {"position": 15, "length": 20}
    client.request(frame)
    event = client.event()
    assert event.window.generation == 2 and len(event.window.deletes) == 5
    assert [row.id for row in event.window.rows] == rows[30:35]
    window.take(event)
    assert [row for row, _ in window.rows] == rows[15:35]


def test_windows_that_are_refused(ctx):
    client = ctx.client(ctx.daemon())
    rows = fill(client, 5)
    section = client.table().sections[0].id

    def wish(**spec):
        frame = ClientFrame()
        frame.subscribe.table.name = "items"
        spec_into(frame.subscribe.window, **spec)
        return frame

    assert client.refused(wish(position=6)).code == "OUT_OF_RANGE"
    assert client.refused(wish(position=1 << 60)).code == "OUT_OF_RANGE"
    assert client.refused(wish(row=rows[-1] + 50)).code == "NO_SUCH_ROW"
    assert client.refused(wish(position=0, section=section + 9)).code == "NO_SUCH_SECTION"
    for length in (0, 10_001, 1 << 62):
        refused = client.refused(wish(position=0, length=length))
        assert refused.code == "BAD_VALUE" and "window" in str(refused), refused
    frame = wish(position=0)
    frame.subscribe.ClearField("table")
    assert client.refused(frame).code == "BAD_REQUEST"
    frame = wish(position=0)
    frame.subscribe.since.revision = 1
    assert client.refused(frame).code == "BAD_REQUEST"
    frame = wish(position=0)
    frame.subscribe.filter.sections.append(section)
    assert client.refused(frame).code == "BAD_FILTER"
    window = WindowCopy(client, position=5, length=2)
    reach(client, [window], 1)
    assert window.rows == [] and window.first == 5
    frame = ClientFrame()
    frame.move_window.subscription = window.subscription
    spec_into(frame.move_window.window, position=9)
    assert client.refused(frame).code == "OUT_OF_RANGE"
    frame.move_window.subscription = 99
    assert client.refused(frame).code == "NO_SUCH_SUBSCRIPTION"
    plain = client.subscribe(only_live=True).subscription
    frame.move_window.subscription = plain
    assert client.refused(frame).code == "BAD_REQUEST"
    client.batch(insert({"name": "x"}))
    reach(client, [window], 2)
    assert len(window.rows) == 1
    frame = ClientFrame()
    frame.drop_table.table.name = "items"
    client.request(frame)
    while window.ended is None:
        event = client.event()
        if event.subscription == window.subscription:
            window.take(event)


def test_a_client_that_is_behind_gets_its_window_whole(ctx):
    daemon = ctx.daemon()
    writer, slow = ctx.client(daemon, "writer"), ctx.client(daemon, "slow")
    rows = fill(writer, 50)
    window = WindowCopy(slow, position=0, length=50)
    before = daemon.resident()
    for number in range(300):
        writer.batch(*[update(row, name=f"{number} " + "n" * 400) for row in rows])
    assert daemon.resident() - before < 64 << 20
    whole = Copy(slow.subscribe().subscription)
    reach(slow, [whole, window], 1)
    assert window.events < 300
    window.equals(table_of(whole))


def test_moves_that_come_together_are_one(ctx):
    """The newest place, one event, and as many generations as there were moves (contract F10)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    for _ in range(3):
        fill(client, 1000)
    whole = Copy(client.subscribe().subscription)
    window = WindowCopy(client, position=0, length=1000)
    other = WindowCopy(client, position=5, length=10)
    reach(client, [whole, window, other], 1)
    before, told = daemon.resident(), window.events
    for round in range(4):
        frames = []
        for number in range(50):
            frame = ClientFrame(id=client.next_id)
            client.next_id += 1
            frame.move_window.subscription = window.subscription
            window.wanted = {"position": (number * 700 + round) % 2000, "length": 1000}
            spec_into(frame.move_window.window, **window.wanted)
            frames.append(framed(frame))
        client.send_bytes(b"".join(frames))
        for _ in frames:
            assert client.reply().HasField("done")
        reach(client, [whole, window, other], 2 + round)
        assert window.generation == 1 + 50 * (round + 1)
        window.equals(table_of(whole))
    assert window.events - told <= 40, f"{window.events - told} events for 4 × 50 moves"
    assert daemon.resident() - before < 32 << 20
    other.equals(table_of(whole))


def test_a_change_under_many_windows_is_bounded(ctx):
    """Small ones are told as such in all windows, large ones as whole windows, later."""
    daemon = ctx.daemon()
    client, writer = ctx.client(daemon), ctx.client(daemon, "writer")
    rows = fill(writer, 800)
    whole = Copy(client.subscribe().subscription)
    windows = [WindowCopy(client, position=n, length=600) for n in range(24)]
    copies = [whole] + windows
    token = 0

    def all_follow():
        nonlocal token
        token += 1
        reach(client, copies, token)
        for window in windows:
            window.equals(table_of(whole))

    all_follow()
    resets = sum(window.resets for window in windows)
    writer.batch(insert({"name": "first"}, (0, 0)))
    all_follow()
    writer.batch(move(rows[700], (0, 50)), delete(rows[40]), update(rows[60], name="new"))
    all_follow()
    assert sum(window.resets for window in windows) == resets, "small changes are told as such"
    before = daemon.resident()
    frame = ClientFrame()
    frame.batch.table.name = "items"
    frame.batch.basis.current = True
    operation = frame.batch.operations.add().update_where
    operation.filter.SetInParent()
    operation.cells.add(column_name="name", text="n" * 500)
    writer.request(frame)
    all_follow()
    assert daemon.resident() - before < 32 << 20
    assert sum(window.resets for window in windows) > resets, "all of it was told at once"
    # More than are looked for one by one.
    writer.batch(*[move(row, (0, 0)) for row in rows[100:400]])
    all_follow()
    writer.batch(*[move(row, (0, 100)) for row in rows[500:700]])
    all_follow()

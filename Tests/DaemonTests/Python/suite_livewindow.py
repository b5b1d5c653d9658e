"""Live state of windows: what hangs on the rows inside, and nothing else (contracts F3, K3)."""

import time

from client import delete, insert, move
from fold import Copy, snapshot
from live import editing, kind_name, select, state, step
from run import seeded
from suite_editing import set_policy
from suite_editing_storm import Storm
from suite_feedfilter import reach
from suite_feedwindow import fill, table_of
from windows import WindowCopy


def equal(window, table, whole):
    held, wanted = window.state_of(table, whole)
    assert held == wanted, f"{held}\n  wanted: {wanted}"


def test_what_hangs_on_rows_comes_and_goes_with_them(ctx):
    daemon = ctx.daemon()
    client, person = ctx.client(daemon), ctx.client(daemon, "person")
    rows = fill(client, 40)
    table = client.table().id
    client.batch(set_policy(allows_multiple_selection=True))
    window = WindowCopy(client, position=10, length=5, live=True)
    kinds = []
    take = window.take_state

    def noted(event):
        kinds.append(kind_name(event.live_state))
        take(event)

    window.take_state = noted
    token = 0

    def check(*expected):
        nonlocal token
        token += 1
        reach(client, [window], token)
        equal(window, table, state(client))
        assert tuple(kinds) == expected, kinds
        kinds.clear()

    check("STATE")
    # Of a row outside: nothing but the flag.
    step(person, "draft", "BEGIN", rows[30], column="name")
    step(person, "draft", "TEXT", text="new")
    select(person, [rows[2], rows[11]])
    check("SELECTION_CHANGED")
    step(person, "swipe", "OPEN", rows[20])
    check("EDITING_CHANGED")
    assert window.state.tables[table].mode == 2 and window.state.tables[table].swipe is None
    # They come in: all of the state, once.
    client.batch(move(rows[20], ("before", rows[12])))
    check("STATE")
    assert window.state.tables[table].swipe[0] == rows[20]
    step(person, "swipe", "CANCEL", rows[20])
    check("SWIPE_CLOSED", "DID_END_EDITING", "EDITING_CHANGED")
    # A row leaves with its selection, and comes back.
    client.batch(move(rows[11], (0, 0)))
    check("STATE")
    assert not window.state.tables[table].selections
    window.move(position=0, length=3)
    check("STATE")
    assert set(window.state.tables[table].selections.popitem()[1]) == {rows[11], rows[2]} & {
        row for row, _ in window.rows}
    window.move(position=28, length=6)
    check("STATE")
    assert [draft[0] for draft in window.state.tables[table].drafts.values()] == ["new"]
    # Rows without anything on them tell nothing.
    client.batch(insert({"name": "x"}, (0, 29)))
    check()
    client.batch(delete(rows[30]))
    check("DRAFT_ENDED")
    editing(person, True)
    check("EDITING_CHANGED")
    person.close()
    token += 1
    reach(client, [window], token)
    while window.state.tables[table].editing:
        token += 1
        reach(client, [window], token)
    equal(window, table, state(client))


def test_a_client_that_is_behind_gets_the_state_of_its_window(ctx):
    daemon = ctx.daemon()
    writer, slow = ctx.client(daemon, "writer"), ctx.client(daemon, "slow")
    rows = fill(writer, 50)
    table = writer.table().id
    window = WindowCopy(slow, position=0, length=10, live=True)
    step(writer, "draft", "BEGIN", rows[3], column="name")
    for number in range(400):
        step(writer, "draft", "TEXT", text=f"{number} " + "t" * 3000)
    # A barrier is one of changes: merged texts come as soon as there is room.
    now, events = state(writer), 0
    while not window.state.tables or window.state_of(table, now)[0] != now:
        window.take(slow.event())
        events += 1
    assert events < 400, "nothing was merged"


class WindowWatcher:
    """A window among the watchers of a storm of editing."""

    def __init__(self, storm, name, **spec):
        self.client = storm.ctx.client(storm.daemon, name)
        self.window = WindowCopy(self.client, live=True, **spec)
        self.whole = Copy(self.client.subscribe().subscription)
        self.token = 0

    def check(self, table, now):
        self.token += 1
        reach(self.client, [self.whole, self.window], self.token)
        self.window.equals(table_of(self.whole))
        equal(self.window, table, now)


@seeded
def test_windows_tell_the_state_of_their_rows_alone(ctx):
    """Everything that can be edited, at random, beside windows that move."""
    storm = Storm(ctx)
    random = storm.random
    storm.watchers = []

    def spec():
        rows = storm.ids(storm.clients[0])
        wish = {"length": random.choice((1, 3, 6))}
        if rows and random.random() < 0.4:
            return dict(wish, row=random.choice(rows))
        return dict(wish, position=random.randrange(len(rows) + 1))

    def watchers():
        return [WindowWatcher(storm, f"window{number}", **spec()) for number in range(4)]

    windows = watchers()
    end = time.monotonic() + 8 * ctx.scale
    checks, restart_at = 0, end - 3
    while time.monotonic() < end:
        for _ in range(random.choice((1, 4, 12))):
            client = random.choice(storm.clients)
            frame = storm.change(client) if random.random() < 0.35 else storm.frame(client)
            storm.send(client, frame)
        if random.random() < 0.2:
            storm.vanish(random.randrange(3))
        if random.random() < 0.2:
            storm.change_leases()
        if time.monotonic() > restart_at:
            storm.daemon.kill()
            storm.daemon.start()
            for place in range(3):
                storm.enter(place)
            windows = watchers()
            restart_at = end + 1
        table = storm.clients[0].table().id
        now = state(storm.clients[0])
        for watcher in windows:
            watcher.check(table, now)
            checks += 1
        if random.random() < 0.5:
            random.choice(windows).window.move(**spec())
    assert snapshot(storm.clients[0]).canonical() == windows[0].whole.canonical()
    return f"{storm.steps} steps, {checks} looks"

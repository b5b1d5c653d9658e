"""Editing state over the wire with two clients: semantics.md's E and HP cases, events in order."""

from client import Refused, batch_frame, delete, insert, insert_section, move, update
from fold import Copy, snapshot
from live import (
    LiveCopy, editing, end_lease, kind_name, leases, policies, select, select_frame, state, step,
    step_frame, take_lease, toggle,
)
from schema import ClientFrame, batch as batch_schema

SENTINEL = "No more items!"


def set_policy(row=None, section=None, clear=False, sentinel=None, **fields):
    op = batch_schema.Operation()
    change = op.set_policy
    if row is not None:
        change.row.id = row
    elif section is not None:
        change.section.id = section
    else:
        change.table = True
    change.policy.SetInParent()
    for name, value in fields.items():
        setattr(change.policy, name, value)
    if clear:
        change.clear = True
    if sentinel is not None:
        change.sentinel.text = sentinel
    return op


class Watcher:
    """A subscription with live state: its copies, and what came in which order."""

    def __init__(self, client, table="items", copy=None):
        """With a copy it goes on from there."""
        self.client = client
        since = copy.cursor if copy else None
        reply = client.subscribe(table, live_state=True, since=since)
        self.copy = copy or Copy(reply.subscription)
        if copy:
            copy.resume(reply.subscription)
        self.live = LiveCopy()
        self.token = 0
        self.catch_up()

    def catch_up(self):
        """Takes all that is there; returns it: kinds of live events, and changes as "r"."""
        self.token += 1
        self.client.barrier(self.copy.subscription, self.token)
        order = []
        while not any(token == self.token for token, _ in self.copy.barriers):
            event = self.client.event()
            assert event.subscription == self.copy.subscription
            self.copy.take(event)
            body = event.WhichOneof("body")
            if body == "live_state":
                self.live.take(event)
                order.append(event.live_state)
            elif body == "change":
                order.append(event.change)
        return order

    def told(self):
        """What came since the last time, in words."""
        return [words(item) for item in self.catch_up()]


def words(item):
    if hasattr(item, "tables"):
        return f"change {item.cause}".strip()
    name = kind_name(item)
    if name == "EDITING_CHANGED":
        return f"{item.title} {item.mode}" + (f" -{len(item.ended)}" if item.ended else "")
    if name in ("WILL_BEGIN_EDITING", "SWIPE_CLOSED", "CONFIRM_CLOSED", "DRAG_ENDED",
                "DRAG_CANCELLED"):
        return f"{name.lower()} {item.row}"
    if name == "DID_END_EDITING":
        return f"did_end_editing {item.row if item.HasField('row') else None}"
    return name.lower()


class Homepwner:
    """Four items and the sentinel, two clients, a watcher."""

    def __init__(self, ctx, rows=4):
        self.daemon = ctx.daemon()
        self.a, self.b = ctx.client(self.daemon, "a"), ctx.client(self.daemon, "b")
        (section,) = self.a.table().sections
        self.section = section.id
        self.items = [self.a.insert(name=f"i{n}") for n in range(rows)]
        self.a.batch(set_policy(section=self.section, sentinel=SENTINEL))
        self.watcher = Watcher(ctx.client(self.daemon, "watcher"))
        assert self.watcher.live.state(self.a.table().id)["title"] == "Edit"

    def names(self):
        return [self.items.index(row.row.id) for row in self.a.rows()]

    def end(self):
        """What everybody knows is what the daemon says."""
        told = self.watcher.told()
        table = self.a.table()
        assert self.watcher.live.state(table.id) == state(self.b)
        fresh = snapshot(self.b)
        assert self.watcher.copy.canonical() == fresh.canonical()
        return told


def code(client, frame):
    return client.refused(frame).code


# The cases


def test_e1_toggle_twice_and_what_each_row_may_do(ctx):
    hp = Homepwner(ctx)
    reply = toggle(hp.a)
    assert (reply.title, reply.editing, reply.mode) == ("Done", True, 1)
    assert hp.watcher.told() == ["Done 1"]
    for entry in policies(hp.b, hp.items):
        assert entry.effective.can_edit and entry.effective.editing_style == 1
        assert entry.effective.delete_title == "Delete"
    (entry,) = policies(hp.b, [(0, 4)])
    assert entry.sentinel.text == SENTINEL and not entry.HasField("row")
    assert entry.effective.editing_style == 0 and not entry.effective.can_edit
    reply = toggle(hp.b)
    assert (reply.title, reply.editing) == ("Edit", False)
    assert hp.end() == ["Edit 0 -1"]


def test_e2_commit_delete_stays_in_editing_mode(ctx):
    hp = Homepwner(ctx)
    editing(hp.a, True)
    reply = step(hp.b, "commit_editing", row=(0, 1), style=1, animation=2)
    assert reply.counts.rows_deleted == 1
    (stage,) = reply.stages
    assert (stage.deletes[0].row, stage.deletes[0].animation) == (1, 2)
    assert hp.names() == [0, 2, 3]
    assert hp.end() == ["Done 1", "change commit_delete"]
    change = hp.watcher.copy.last_change
    assert change.cause_row == hp.items[1] and state(hp.a)["editing"]


def test_e3_the_sentinel_and_the_wrong_control(ctx):
    hp = Homepwner(ctx)
    editing(hp.a, True)
    hp.watcher.told()
    assert code(hp.a, step_frame("commit_editing", row=(0, 4), style=1)) == "NOT_EDITABLE"
    assert code(hp.a, step_frame("commit_editing", row=hp.items[1], style=2)) == "STYLE_MISMATCH"
    assert code(hp.a, step_frame("commit_editing", row=(0, 5), style=1)) == "OUT_OF_RANGE"
    assert hp.end() == []


def test_e4_swipe_and_confirm(ctx):
    hp = Homepwner(ctx)
    i2 = hp.items[2]
    reply = step(hp.a, "swipe", "OPEN", i2)
    assert (reply.delete_title, reply.title, reply.mode) == ("Delete", "Done", 2)
    step(hp.a, "swipe", "CONFIRM")
    assert hp.end() == [
        f"will_begin_editing {i2}", "Done 2", "swipe_opened", "change swipe",
        f"swipe_closed {i2}", "did_end_editing None", "Edit 0",
    ]
    assert hp.names() == [0, 1, 3]


def test_e5_swipe_and_cancel(ctx):
    hp = Homepwner(ctx)
    i2 = hp.items[2]
    step(hp.a, "swipe", "OPEN", i2)
    step(hp.a, "swipe", "CANCEL")
    assert hp.end() == [
        f"will_begin_editing {i2}", "Done 2", "swipe_opened", f"swipe_closed {i2}",
        f"did_end_editing {i2}", "Edit 0",
    ]


def test_e7_another_deletes_the_swiped_row(ctx):
    hp = Homepwner(ctx)
    i2 = hp.items[2]
    step(hp.a, "swipe", "OPEN", i2)
    hp.watcher.told()
    hp.b.batch(delete(i2))
    assert hp.end() == ["change", f"swipe_closed {i2}", "did_end_editing None", "Edit 0"]
    assert code(hp.a, step_frame("swipe", "CONFIRM")) == "NO_SUCH_ROW"
    assert code(hp.a, step_frame("swipe", "CONFIRM", i2)) == "NO_SUCH_ROW"
    assert code(hp.b, step_frame("swipe", "CONFIRM")) == "NO_SWIPE"


def test_e9_no_swipe_in_editing_mode(ctx):
    hp = Homepwner(ctx)
    editing(hp.a, True)
    assert code(hp.b, step_frame("swipe", "OPEN", hp.items[0])) == "IN_EDITING_MODE"
    assert hp.end() == ["Done 1"]


def test_e11_drags_that_change_nothing(ctx):
    hp = Homepwner(ctx)
    editing(hp.a, True)
    hp.watcher.told()
    assert code(hp.a, step_frame("drag", "BEGIN", (0, 4))) == "NOT_MOVABLE"
    before = hp.a.table().last_changed
    step(hp.a, "drag", "BEGIN", hp.items[0])
    reply = step(hp.a, "drag", "DROP", target=(0, 0))
    assert reply.unchanged and hp.a.table().last_changed == before
    assert hp.end() == ["drag_began", f"drag_ended {hp.items[0]}"]


def test_e12_a_new_item_in_an_empty_section(ctx):
    hp = Homepwner(ctx, rows=0)
    frame = ClientFrame()
    frame.new_item.table.name = "items"
    reply = hp.a.request(frame).batch
    (run,) = reply.stages[0].inserts
    assert (run.section, run.row) == (0, 0)
    assert hp.end() == ["change new_item"]


def test_e13_two_deletes_by_path_at_one_revision(ctx):
    hp = Homepwner(ctx)
    editing(hp.a, True)
    table = hp.a.table()

    def frame():
        made = step_frame("commit_editing", row=(0, 0), style=1)
        made.commit_editing.basis.ClearField("current")
        made.commit_editing.basis.at.epoch = hp.a.hello.epoch
        made.commit_editing.basis.at.revision = table.last_changed
        return made

    hp.a.request(frame())
    assert code(hp.b, frame()) == "STALE"
    carried = frame()
    carried.commit_editing.basis.rebase = True
    assert code(hp.b, carried) == "STALE", "the row is gone"
    assert hp.names() == [1, 2, 3]
    other = frame()
    other.commit_editing.row.path.row = 2
    other.commit_editing.basis.rebase = True
    hp.b.request(other)
    assert hp.names() == [1, 3], "the row that was the third then"


# Editing mode


def test_holders_off_by_anybody_and_a_second_holder(ctx):
    hp = Homepwner(ctx)
    assert not editing(hp.a, True).unchanged
    assert editing(hp.a, True).unchanged
    assert not editing(hp.b, True).unchanged
    assert hp.watcher.told() == ["Done 1", "Done 1"]
    assert len(state(hp.a)["holders"]) == 2
    editing(hp.b, False)
    assert hp.watcher.told() == ["Edit 0 -2"]
    assert editing(hp.b, False).unchanged
    assert hp.end() == []


def test_a_vanished_holder_ends_only_its_own(ctx):
    hp = Homepwner(ctx)
    c = ctx.client(hp.daemon, "c")
    editing(hp.a, True)
    editing(c, True)
    hp.watcher.told()
    c.close()
    hp.a.ping()
    assert hp.watcher.told() == ["Done 1 -1", "holder_gone"]
    assert state(hp.b)["holders"] == [("client", hp.a.hello.client)]
    assert hp.end() == []


def test_toggle_closes_a_swipe_and_does_not_enter(ctx):
    hp = Homepwner(ctx)
    step(hp.a, "swipe", "OPEN", hp.items[0])
    hp.watcher.told()
    assert toggle(hp.b).title == "Edit"
    row = hp.items[0]
    assert hp.watcher.told() == [f"swipe_closed {row}", f"did_end_editing {row}", "Edit 0"]
    step(hp.a, "swipe", "OPEN", row)
    hp.watcher.told()
    editing(hp.b, True)
    assert hp.end() == [f"swipe_closed {row}", f"did_end_editing {row}", "Edit 0", "Done 1"]
    refused = hp.a.refused(step_frame("toggle_editing", expected=False))
    assert refused.code == "CONFLICT"


def test_a_second_swipe_closes_the_first(ctx):
    hp = Homepwner(ctx)
    one, two = hp.items[:2]
    step(hp.a, "swipe", "OPEN", one)
    hp.watcher.told()
    step(hp.b, "swipe", "OPEN", two)
    assert hp.end() == [
        f"swipe_closed {one}", f"did_end_editing {one}", "Edit 0",
        f"will_begin_editing {two}", "Done 2", "swipe_opened",
    ]
    assert code(hp.a, step_frame("swipe", "CANCEL")) == "NOT_HOLDER"


def test_the_minus_control_and_off(ctx):
    hp = Homepwner(ctx)
    one, two = hp.items[:2]
    assert code(hp.a, step_frame("confirm", "OPEN", one)) == "NOT_EDITING"
    editing(hp.a, True)
    hp.a.batch(set_policy(row=two, delete_title="Remove"))
    hp.watcher.told()
    assert step(hp.a, "confirm", "OPEN", one).delete_title == "Delete"
    assert step(hp.a, "confirm", "OPEN", two).delete_title == "Remove"
    assert hp.watcher.told() == [
        "confirm_opened", f"confirm_closed {one}", "confirm_opened"]
    step(hp.b, "drag", "BEGIN", one)
    editing(hp.b, False)
    assert hp.watcher.told() == [
        "drag_began", f"confirm_closed {two}", f"drag_cancelled {one}", "Edit 0 -1"]
    editing(hp.a, True)
    step(hp.a, "confirm", "OPEN", two)
    step(hp.a, "confirm", "CONFIRM")
    assert hp.end() == [
        "Done 1", "confirm_opened", "change commit_delete", f"confirm_closed {two}"]
    assert code(hp.a, step_frame("confirm", "CONFIRM")) == "NO_SUCH_ROW"


def test_exclusive_holding_refuses_what_others_do(ctx):
    hp = Homepwner(ctx)
    editing(hp.b, True)
    assert code(hp.a, step_frame("set_editing", on=True, exclusive=True)) == "HELD_BY_OTHERS"
    editing(hp.b, False)
    editing(hp.a, True, exclusive=True)
    row = hp.items[0]
    frames = [
        step_frame("set_editing", on=True), step_frame("set_editing", on=False),
        step_frame("toggle_editing"), step_frame("commit_editing", row=row, style=1),
        step_frame("swipe", "OPEN", row), step_frame("confirm", "OPEN", row),
        step_frame("drag", "BEGIN", row), step_frame("draft", "BEGIN", row, column="name"),
        step_frame("reload_data"),
    ]
    hp.watcher.told()
    for frame in frames:
        assert code(hp.b, frame) == "HELD_EXCLUSIVELY", frame
    assert hp.watcher.told() == []
    hp.b.batch(update(row, name="by a batch"))
    hp.a.batch(set_policy(writes_only_while_holding=True))
    assert code(hp.b, batch_frame(update(row, name="no"))) == "HELD_EXCLUSIVELY"
    hp.a.batch(update(row, name="mine"))
    hp.watcher.told()
    editing(hp.b, True, break_hold=True)
    assert hp.watcher.told() == ["Edit 0 -1", "Done 1"]
    assert code(hp.a, batch_frame(update(row, name="no"))) == "NOT_HOLDER"
    hp.b.batch(update(row, name="yes"), set_policy(clear=True))
    hp.a.batch(update(row, name="free again"))
    hp.end()


def test_commit_insert_at_the_control(ctx):
    hp = Homepwner(ctx)
    hp.a.batch(set_policy(row=hp.items[1], editing_style=2))
    editing(hp.a, True)
    frame = step_frame("commit_editing", row=hp.items[1], style=2)
    frame.commit_editing.new_row.cells.add(column_name="name", text="New")
    reply = hp.a.request(frame).batch
    new = reply.inserted[0].first
    assert [row.row.id for row in hp.a.rows()][:3] == [hp.items[0], new, hp.items[1]]
    step(hp.a, "commit_editing", row=hp.items[1], style=2)
    assert hp.end() == ["change", "Done 1", "change commit_insert", "change commit_insert"]


# Drags


def test_drags_are_clamped_and_carried_along(ctx):
    hp = Homepwner(ctx)
    hp.a.batch(insert_section("Far"))
    far = hp.a.table().sections[1].id
    editing(hp.a, True)
    row = hp.items[0]
    step(hp.a, "drag", "BEGIN", row)
    assert code(hp.b, step_frame("drag", "HOVER", target=(0, 1))) == "NOT_HOLDER"
    assert code(hp.b, step_frame("drag", "BEGIN", hp.items[1])) == "DRAG_OPEN"
    for proposal, shown in [((0, 9), (0, 3)), ((1, 5), (1, 0)), ((7, 0), (1, 0)), ((0, 2), (0, 2))]:
        reply = step(hp.a, "drag", "HOVER", target=proposal)
        assert (reply.target.section, reply.target.row) == shown, proposal
    hp.watcher.told()
    # Behind i2: rows before it come and go, the row itself is moved.
    new = hp.b.insert(("first_of", hp.section), name="first")
    assert hp.watcher.told() == ["change", "drag_moved"]
    assert state(hp.a)["drag"][2:] == (0, 3)
    hp.b.batch(move(row, ("last_of", far)))
    assert state(hp.a)["drag"][2:] == (0, 3), "it left a section that it comes back to"
    step(hp.a, "drag", "DROP")
    ids = [found.row.id for found in hp.a.rows()]
    assert ids == [new, hp.items[1], hp.items[2], row, hp.items[3]]
    assert hp.end() == ["change", "change drag", f"drag_ended {row}"]
    step(hp.a, "drag", "BEGIN", row)
    hp.b.batch(delete(row))
    assert hp.end() == ["drag_began", "change", f"drag_cancelled {row}"]


def test_a_row_that_stays_in_its_section(ctx):
    hp = Homepwner(ctx)
    hp.a.batch(insert_section("Far"), set_policy(drop=1))
    hp.a.batch(set_policy(row=hp.items[3], can_move=False))
    editing(hp.a, True)
    step(hp.a, "drag", "BEGIN", hp.items[1])
    reply = step(hp.a, "drag", "HOVER", target=(1, 0))
    assert (reply.target.section, reply.target.row) == (0, 3)
    step(hp.a, "drag", "CANCEL")
    assert code(hp.a, step_frame("drag", "BEGIN", hp.items[3])) == "NOT_MOVABLE"
    assert code(hp.a, step_frame("drag", "DROP")) == "NO_DRAG"
    hp.end()


# Selection


def test_selections_are_each_holders_own(ctx):
    hp = Homepwner(ctx)
    one, two, three = hp.items[:3]
    select(hp.a, [one])
    assert code(hp.a, select_frame([one, two])) == "NOT_SELECTABLE"
    select(hp.a, [two])
    hp.a.batch(set_policy(allows_multiple_selection=True))
    select(hp.b, [one, three])
    select(hp.b, [(0, 1)])
    mine, others = ("client", hp.a.hello.client), ("client", hp.b.hello.client)
    assert state(hp.a)["selections"] == {mine: {two}, others: {one, two, three}}
    hp.watcher.told()
    hp.a.batch(delete(two))
    assert hp.watcher.told() == ["change", "selection_changed", "selection_changed"]
    assert state(hp.a)["selections"] == {others: {one, three}}
    editing(hp.a, True)
    assert code(hp.a, select_frame([one])) == "NOT_SELECTABLE"
    select(hp.b, [one], on=False)
    select(hp.b, [], clear_others=True)
    assert state(hp.a)["selections"] == {}
    hp.end()


def test_reload_data_clears_and_keeps_the_flag(ctx):
    hp = Homepwner(ctx)
    editing(hp.a, True)
    step(hp.a, "drag", "BEGIN", hp.items[0])
    hp.a.batch(set_policy(allows_selection_during_editing=True))
    select(hp.b, [hp.items[1]])
    hp.watcher.told()
    frame = ClientFrame()
    frame.reload_data.table.name = "items"
    before = hp.a.table().last_changed
    reply = hp.b.request(frame).batch
    assert reply.cursor.revision > before and not reply.unchanged
    assert hp.end() == ["change", f"drag_cancelled {hp.items[0]}", "selection_changed"]
    assert state(hp.a)["editing"]
    row = hp.a.get(hp.items[0]).rows[0].row
    assert row.revision < reply.cursor.revision, "no row has changed (E6)"


# Drafts


def test_drafts_written_refused_and_kept(ctx):
    hp = Homepwner(ctx)
    row = hp.items[0]
    begun = step(hp.a, "draft", "BEGIN", row, column="value")
    assert begun.draft.text == ""
    assert code(hp.a, step_frame("draft", "BEGIN", row, column="name")) == "DRAFT_OPEN"
    step(hp.a, "draft", "TEXT", text="39.9")
    step(hp.a, "draft", "TEXT", text="39.955")
    assert code(hp.a, step_frame("draft", "END")) == "BAD_VALUE"
    assert hp.watcher.told() == ["draft_began", "draft_text", "draft_text"]
    step(hp.a, "draft", "TEXT", text="39.95")
    reply = step(hp.a, "draft", "END")
    assert reply.counts.rows_updated == 1
    assert hp.watcher.told() == ["draft_text", "change draft", "draft_ended"]
    cells = {cell.column: cell for cell in hp.a.get(row).rows[0].row.cells}
    assert cells[3].decimal == 3995
    step(hp.a, "draft", "BEGIN", row, column="value", text="junk")
    rejected = step(hp.a, "draft", "END", force=True)
    assert rejected.resigned and rejected.draft.rejected and rejected.draft.reason == "BAD_VALUE"
    assert hp.watcher.told() == ["draft_began", "draft_rejected"]
    again = step(hp.a, "draft", "BEGIN", row, column="value")
    assert again.draft.text == "junk" and not again.draft.rejected
    assert step(hp.a, "draft", "DISCARD").resigned
    assert code(hp.a, step_frame("draft", "END")) == "NO_DRAFT"
    assert code(hp.a, step_frame("draft", "BEGIN", row, column="created")) == "READ_ONLY"
    assert hp.end() == ["draft_began", "draft_ended"]


def test_two_drafts_of_one_cell(ctx):
    hp = Homepwner(ctx)
    row = hp.items[0]
    step(hp.a, "draft", "BEGIN", row, column="name")
    step(hp.b, "draft", "BEGIN", row, column="name")
    step(hp.a, "draft", "TEXT", text="first")
    step(hp.b, "draft", "TEXT", text="second")
    assert len(state(hp.a)["drafts"]) == 2
    step(hp.a, "draft", "END")
    refused = hp.b.refused(step_frame("draft", "END"))
    assert (refused.code, refused.error.value) == ("CONFLICT", "first")
    assert step(hp.b, "draft", "END", force=True).draft.reason == "CONFLICT"
    # Taken up again it is based on the cell as it is now.
    step(hp.b, "draft", "BEGIN", row, column="name")
    step(hp.b, "draft", "END")
    assert hp.a.get(row).rows[0].row.cells[0].text == "second"
    step(hp.a, "draft", "BEGIN", row, column="name")
    hp.b.batch(delete(row))
    assert state(hp.a)["drafts"] == {}
    hp.end()


def test_a_dropped_column_ends_its_drafts(ctx):
    hp = Homepwner(ctx)
    step(hp.a, "draft", "BEGIN", hp.items[0], column="serial")
    hp.watcher.told()
    op = batch_schema.Operation()
    op.drop_column.column = "serial"
    hp.b.batch(op)
    assert hp.end() == ["change", "draft_ended"]


# Leases


def test_leases_hold_for_one_shot_clients(ctx):
    hp = Homepwner(ctx)
    with ctx.client(hp.daemon, "one") as one:
        lease = take_lease(one, "shell")
        editing(one, True, lease=lease.id)
        step(one, "drag", "BEGIN", hp.items[0], lease=lease.id)
    again = take_lease(hp.a, "shell", 3600)
    assert again.id == lease.id and again.HasField("ends")
    assert state(hp.b)["holders"] == [("lease", lease.id)]
    step(hp.a, "drag", "DROP", target=(0, 3), lease=lease.id)
    assert hp.names() == [1, 2, 3, 0]
    assert [found.name for found in leases(hp.a)] == ["shell"]
    hp.watcher.told()
    end_lease(hp.a, name="shell")
    assert hp.watcher.told() == ["Edit 0 -1", "lease_ended"]
    frame = step_frame("set_editing", on=True, lease=lease.id)
    assert code(hp.a, frame) == "LEASE_EXPIRED"
    short = take_lease(hp.a, "short", 1)
    editing(hp.a, True, lease=short.id)
    hp.watcher.told()
    hp.watcher.copy.live_events.clear()
    hp.watcher.copy.until(
        hp.watcher.client, lambda copy: any(
            kind_name(event.live_state) == "LEASE_ENDED" for event in copy.live_events), 10)
    assert leases(hp.a) == [] and not state(hp.a)["editing"]


def test_a_restart_keeps_leases_and_their_editing(ctx):
    hp = Homepwner(ctx)
    lease, other = take_lease(hp.a, "kept"), take_lease(hp.a, "ended")
    editing(hp.a, True, lease=lease.id)
    editing(hp.a, True)
    step(hp.a, "drag", "BEGIN", hp.items[0], lease=lease.id)
    step(hp.a, "draft", "BEGIN", hp.items[1], column="name", lease=lease.id)
    end_lease(hp.a, other.id)
    hp.a.batch(set_policy(row=hp.items[2], delete_title="Remove"))
    before, copy = hp.a.hello.start, snapshot(hp.a).canonical()
    hp.daemon.kill()
    hp.daemon.start()
    client = ctx.client(hp.daemon)
    assert client.hello.start != before
    assert [found.id for found in leases(client)] == [lease.id]
    now = state(client)
    assert now["holders"] == [("lease", lease.id)] and now["title"] == "Done"
    assert now["drag"] is None and now["drafts"] == {}
    assert snapshot(client).canonical() == copy
    watcher = Watcher(client, copy=hp.watcher.copy)
    assert watcher.live.state(client.table().id) == now
    editing(client, False)
    hp.daemon.stop()
    hp.daemon.start()
    client = ctx.client(hp.daemon)
    assert not state(client)["editing"] and len(leases(client)) == 1
    assert snapshot(client).canonical() == copy


# Keys and policies


def test_a_retried_step_is_taken_once(ctx):
    hp = Homepwner(ctx)
    frame = step_frame("toggle_editing", key="t1")
    first = hp.a.request(frame).editing
    again = hp.a.request(frame).editing
    assert first.editing and again.editing and again.replayed and not first.replayed
    row = hp.items[1]
    frame = step_frame("commit_editing", row=row, style=1, key="c1")
    revision = hp.a.request(frame).batch.cursor.revision
    replayed = hp.b.request(frame).batch
    assert replayed.replayed and replayed.cursor.revision == revision
    frame = step_frame("toggle_editing", key="t1", animated=True)
    assert code(hp.a, frame) == "KEY_REUSED"
    assert take_lease(hp.a, "k", key="l1").id == take_lease(hp.b, "k", key="l1").id
    assert hp.end() == ["Done 1", "change commit_delete"]


def test_policies_at_three_levels_over_a_restart(ctx):
    hp = Homepwner(ctx)
    row = hp.items[0]
    hp.a.batch(
        set_policy(delete_title="Bin", can_move=False),
        set_policy(section=hp.section, delete_title="Remove"),
        set_policy(row=row, can_edit=False))
    for attempt in range(3):
        (own,) = policies(hp.a, [row])
        assert not own.effective.can_edit and own.own.can_edit is False
        assert own.effective.delete_title == "Remove" and not own.effective.can_move
        (section,) = policies(hp.a, section=hp.section)
        assert section.sentinel.text == SENTINEL
        (table,) = policies(hp.a)
        assert table.effective.delete_title == "Bin"
        copy = snapshot(hp.a).canonical()
        if attempt < 2:
            if attempt == 1:
                hp.a.barrier(sql=True, token=9)
                while not any(e.HasField("barrier") for e in hp.a.events):
                    hp.a.pump()
            hp.daemon.kill()
            hp.daemon.start()
            hp.a = ctx.client(hp.daemon)
            assert snapshot(hp.a).canonical() == copy
    again = hp.a.batch(set_policy(row=row, can_edit=False))
    assert again.unchanged, "the same policy is no change"
    refused = hp.a.refused(batch_frame(set_policy(row=row, allows_multiple_selection=True)))
    assert refused.code == "BAD_REQUEST"
    hp.a.batch(set_policy(row=row, clear=True))
    assert snapshot(hp.a).tables[hp.a.table().id].policies == {}
    hp.a.batch(set_policy(row=row, can_edit=True))
    hp.a.batch(delete(row))
    assert snapshot(hp.a).tables[hp.a.table().id].policies == {}


def test_a_dropped_table_takes_its_live_state_along(ctx):
    hp = Homepwner(ctx)
    everything = Watcher(ctx.client(hp.daemon), table=None)
    lease = take_lease(hp.a, "x")
    editing(hp.a, True, lease=lease.id)
    frame = ClientFrame()
    frame.drop_table.table.name = "items"
    hp.b.request(frame)
    assert everything.told()[-2:] == ["change", "table_gone"]
    assert everything.live.tables == {}
    try:
        editing(hp.a, True)
    except Refused as refused:
        assert refused.code == "NO_SUCH_TABLE"
    hp.daemon.kill()
    hp.daemon.start()
    assert len(leases(ctx.client(hp.daemon))) == 1

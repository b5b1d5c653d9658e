"""A copy of live state, kept by folding its events, and the requests that change it.

It knows nothing but the schema and Docs/protocol.md; a full state and the events after it give
what `get_editing` answers.
"""

from client import fill_row
from schema import ClientFrame, live as live_schema

KINDS = live_schema.LiveEventKind


def kind_name(event):
    return KINDS.Name(event.kind).removeprefix("LIVE_EVENT_")


def who(holder):
    """What makes a holder this one."""
    return ("lease", holder.lease) if holder.HasField("lease") else ("client", holder.client)


def numbers(runs):
    return {n for run in runs for n in range(run.first, run.first + run.count)}


class TableState:
    """The live state of one table."""

    def __init__(self):
        self.editing, self.title, self.mode = False, "Edit", 0
        self.exclusive = None
        self.holders = []
        self.swipe = self.confirm = self.drag = None
        self.selections = {}
        self.drafts = {}

    def take(self, state):
        """A full state, or a further piece of one."""
        if state.HasField("editing"):
            self.editing, self.title, self.mode = state.editing, state.title, state.mode
            self.exclusive = who(state.exclusive) if state.HasField("exclusive") else None
            self.holders = [who(holder) for holder in state.holders]
            for name in ("swipe", "confirm", "drag"):
                slot = getattr(state, name)
                setattr(self, name, SLOTS[name](slot) if state.HasField(name) else None)
        for selection in state.selections:
            self.selections[who(selection.holder)] = numbers(selection.rows)
        for draft in state.drafts:
            self.put(draft)
        return self

    def put(self, draft):
        self.drafts[key_of(draft)] = (draft.text, draft.rejected, draft.reason)

    def fold(self, event):
        kind = kind_name(event)
        if kind == "EDITING_CHANGED":
            self.editing, self.title, self.mode = event.editing, event.title, event.mode
            self.holders = [who(holder) for holder in event.holders]
            self.exclusive = who(event.exclusive) if event.HasField("exclusive") else None
        elif kind == "SWIPE_OPENED":
            assert self.swipe is None, "two swipes"
            self.swipe = button_of(event.swipe)
        elif kind == "SWIPE_CLOSED":
            assert self.swipe[0] == event.row
            self.swipe = None
        elif kind == "CONFIRM_OPENED":
            assert self.confirm is None, "two confirms"
            self.confirm = button_of(event.confirm)
        elif kind == "CONFIRM_CLOSED":
            assert self.confirm[0] == event.row
            self.confirm = None
        elif kind in ("DRAG_BEGAN", "DRAG_MOVED"):
            assert (self.drag is None) == (kind == "DRAG_BEGAN")
            self.drag = drag_of(event.drag)
        elif kind in ("DRAG_ENDED", "DRAG_CANCELLED"):
            assert self.drag[0] == event.row
            self.drag = None
        elif kind == "SELECTION_CHANGED":
            rows = self.selections.pop(who(event.holder), set())
            rows = set() if event.cleared else rows
            rows = (rows - numbers(event.deselected)) | numbers(event.selected)
            if rows:
                self.selections[who(event.holder)] = rows
        elif kind in ("DRAFT_BEGAN", "DRAFT_TEXT", "DRAFT_REJECTED"):
            self.put(event.draft)
        elif kind == "DRAFT_ENDED":
            del self.drafts[key_of(event.draft)]
        elif kind in ("HOLDER_GONE", "LEASE_ENDED"):
            self.check_free(who(event.holder))
        else:
            assert kind in ("WILL_BEGIN_EDITING", "DID_END_EDITING", "VIEW_CHANGED"), kind

    def check_free(self, holder):
        """A holder that is gone holds nothing."""
        held = list(self.holders) + list(self.selections) + [key[0] for key in self.drafts]
        held += [slot[1] for slot in (self.swipe, self.confirm, self.drag) if slot]
        assert holder not in held, f"{holder} is gone and holds something"

    def canonical(self):
        return vars(self)


def key_of(draft):
    return (who(draft.holder), draft.row, draft.column)


def button_of(slot):
    return (slot.row, who(slot.holder), slot.leading, slot.delete_title)


def drag_of(slot):
    return (slot.row, who(slot.holder), slot.target.section, slot.target.row)


SLOTS = {"swipe": button_of, "confirm": button_of, "drag": drag_of}


class LiveCopy:
    """The live state that a subscription was told, by table."""

    def __init__(self):
        self.tables = {}
        self.start = None
        self.sequence = 0
        self._part = 0

    def take(self, event):
        """Takes one event frame with live state."""
        live = event.live_state
        if kind_name(live) == "STATE":
            assert event.part == self._part
            if event.part == 0:
                self.tables = {}
            for state in live.states:
                self.tables.setdefault(state.table, TableState()).take(state)
            self._part = 0 if event.last else event.part + 1
            self.start, self.sequence = live.start, live.sequence
            return
        assert self._part == 0 and event.last
        assert live.start == self.start, "another start without a full state"
        assert live.sequence > self.sequence, f"{live.sequence} after {self.sequence}"
        self.sequence = live.sequence
        if kind_name(live) == "TABLE_GONE":
            self.tables.pop(live.table, None)
            return
        self.tables.setdefault(live.table, TableState()).fold(live)

    def state(self, table):
        return self.tables.get(table, TableState()).canonical()


# Requests


def request(client, fill, lease=None, key=None):
    """Sends a request that `fill` fills in."""
    frame = ClientFrame()
    fill(frame)
    if lease is not None:
        frame.lease = lease
    if key is not None:
        frame.key = key
    return client.request(frame)


def step_frame(name, step=None, row=None, table="items", lease=None, key=None, **fields):
    """A frame for one of the steps of editing; `row` is an id or a path."""
    frame = ClientFrame()
    body = getattr(frame, name)
    body.table.name = table
    if step is not None:
        body.step = getattr(type(body), step)
    if row is not None:
        if name == "draft":
            body.row = row
        else:
            fill_row(body.row, row)
            if isinstance(row, tuple):
                body.basis.current = True
    target = fields.pop("target", None)
    if target is not None:
        body.target.section, body.target.row = target
    for field, value in fields.items():
        setattr(body, field, value)
    if lease is not None:
        frame.lease = lease
    if key is not None:
        frame.key = key
    return frame


def step(client, name, *args, **fields):
    """The reply to a step of editing, whichever kind it is."""
    reply = client.request(step_frame(name, *args, **fields))
    return getattr(reply, reply.WhichOneof("result"))


def editing(client, on, table="items", **fields):
    return step(client, "set_editing", table=table, on=on, **fields)


def toggle(client, table="items", **fields):
    return step(client, "toggle_editing", table=table, **fields)


def select(client, rows, table="items", lease=None, **fields):
    frame = step_frame("select", table=table, lease=lease, **fields)
    for row in rows:
        fill_row(frame.select.rows.add(), row)
        if isinstance(row, tuple):
            frame.select.basis.current = True
    return client.request(frame).editing


def select_frame(rows, **fields):
    frame = step_frame("select", **fields)
    for row in rows:
        fill_row(frame.select.rows.add(), row)
    return frame


def state(client, table="items"):
    """What the daemon says the live state of a table is."""
    frame = ClientFrame()
    frame.get_editing.table.name = table
    return TableState().take(client.request(frame).editing_state).canonical()


def take_lease(client, name, seconds=None, key=None):
    frame = ClientFrame()
    frame.take_lease.name = name
    if seconds is not None:
        frame.take_lease.seconds = seconds
    if key is not None:
        frame.key = key
    (lease,) = client.request(frame).leases.leases
    return lease


def end_lease(client, lease=None, name=None):
    frame = ClientFrame()
    frame.end_lease.SetInParent()
    if lease is not None:
        frame.end_lease.lease = lease
    if name is not None:
        frame.end_lease.name = name
    client.request(frame)


def leases(client):
    frame = ClientFrame()
    frame.list_leases.SetInParent()
    return list(client.request(frame).leases.leases)


def policies(client, rows=(), section=None, table="items"):
    frame = ClientFrame()
    frame.get_policy.table.name = table
    for row in rows:
        fill_row(frame.get_policy.rows.add(), row)
    if section is not None:
        frame.get_policy.section.id = section
    return list(client.request(frame).policies.entries)

"""A copy of a run of rows, kept by its events as Docs/protocol.md words it, and checked."""

from filtered import projected
from fold import bare
from live import LiveCopy, numbers
from schema import ClientFrame, feed as feed_schema
from schema import model


def spec_into(spec, position=None, row=None, section=None, length=10):
    spec.SetInParent()
    if position is not None:
        spec.position = position
    if row is not None:
        spec.row = row
    if section is not None:
        spec.section = section
    spec.length = length


class WindowCopy:
    def __init__(self, client, table="items", names=None, columns=None, live=False, **spec):
        frame = ClientFrame()
        frame.subscribe.table.name = table
        spec_into(frame.subscribe.window, **spec)
        if names is not None:
            frame.subscribe.filter.columns.extend(names)
        frame.subscribe.live_state = live
        reply = client.request(frame).subscribed
        self.client, self.subscription = client, reply.subscription
        self.columns = columns
        self.set(spec)
        self.generation = 1
        self.revision = None
        self.rows, self.images = [], {}  # (row, section), row -> image
        self.sections = {}
        self.first = self.after = 0
        self.live = False
        self.ended = None
        self.parts = []
        self.events = self.resets = 0
        self.state = LiveCopy() if live else None
        self.told_of = set()  # rows that live state may be of, since the last look

    def set(self, spec):
        self.section, self.length = spec.get("section"), spec.get("length", 10)
        self.anchor, self.position = spec.get("row"), spec.get("position", 0)

    def move(self, **spec):
        frame = ClientFrame()
        frame.move_window.subscription = self.subscription
        spec_into(frame.move_window.window, **spec)
        self.client.request(frame)
        self.wanted = spec

    def take(self, event):
        assert event.subscription == self.subscription and self.ended is None
        body = event.WhichOneof("body")
        if body == "window":
            self.parts.append(event.window)
            if event.last:
                whole = feed_schema.WindowChange()
                for part in self.parts:
                    whole.MergeFrom(part)
                for part in self.parts:
                    for name in ["generation", "revision", "first", "before", "after", "reset"]:
                        assert getattr(part, name) == getattr(whole, name), f"{name} of a part"
                self.parts = []
                if not whole.reset:
                    assert getattr(event, "from") == self.revision, "a gap before a window's change"
                self.fold(whole)
            return
        assert not self.parts, f"{body} between parts"
        if body == "live":
            self.live = True
            assert event.live.cursor.revision == self.revision
        elif body == "progress":
            assert getattr(event, "from") == self.revision <= event.progress.revision
            self.revision = event.progress.revision
        elif body == "live_state" and self.state is not None:
            assert getattr(event, "from") == self.revision
            self.take_state(event)
        elif body == "ended":
            self.ended = event.ended
        else:
            raise AssertionError(f"a window is sent {body}")

    def take_state(self, event):
        """Live state is of rows that are in the window, or were a moment ago (contract F3)."""
        named = set()
        for live in [event.live_state, *event.live_state.states]:
            for slot in ("swipe", "confirm", "drag"):
                if live.HasField(slot):
                    named.add(getattr(live, slot).row)
        live = event.live_state
        if live.HasField("row"):
            named.add(live.row)
        if live.HasField("draft"):
            named.add(live.draft.row)
        named |= numbers(live.selected) | numbers(live.deselected)
        for state in live.states:
            named |= {draft.row for draft in state.drafts}
            for selection in state.selections:
                named |= numbers(selection.rows)
        told_of = self.told_of | {row for row, _ in self.rows}
        assert named <= told_of, f"{named - told_of} are not in the window: {event}"
        self.state.take(event)

    def state_of(self, table, whole):
        """What it holds of a table's state, and what it should: that of the rows inside."""
        rows = {row for row, _ in self.rows}
        self.told_of = set(rows)
        wanted = dict(whole)
        for slot in ("swipe", "confirm", "drag"):
            if wanted[slot] and wanted[slot][0] not in rows:
                wanted[slot] = None
        wanted["drafts"] = {k: v for k, v in wanted["drafts"].items() if k[1] in rows}
        seen = {who: selected & rows for who, selected in wanted["selections"].items()}
        wanted["selections"] = {who: selected for who, selected in seen.items() if selected}
        return self.state.state(table), wanted

    def fold(self, change):
        self.events += 1
        if change.generation != self.generation:
            assert change.generation > self.generation
            self.generation = change.generation
            self.set(self.wanted)
        self.resets += change.reset
        if change.reset:
            assert not change.deletes and not change.moves
            self.rows, self.images = [], {}
        assert len(change.inserts) <= len(change.rows)
        old = self.rows
        gone = set(change.deletes) | {getattr(m, "from") for m in change.moves}
        assert len(gone) == len(change.deletes) + len(change.moves)
        places = {i.index: (i.id, i.section) for i in change.inserts}
        for move in change.moves:
            places[move.to] = (old[getattr(move, "from")][0], move.section)
        assert len(places) == len(change.inserts) + len(change.moves), "two rows at one place"
        stay = iter(row for index, row in enumerate(old) if index not in gone)
        count = len(old) - len(change.deletes) + len(change.inserts)
        self.rows = [places[i] if i in places else next(stay) for i in range(count)]
        self.told_of |= {row for row, _ in self.rows}
        assert next(stay, None) is None
        for index in change.deletes:
            del self.images[old[index][0]]
        for row in change.rows:
            assert row.revision <= change.revision
            self.images[row.id] = projected(row.SerializeToString())
        for index in change.reloads:
            assert self.rows[index][0] in self.images
        assert set(self.images) == {row for row, _ in self.rows}, "rows and their cells"
        if change.sections:
            self.sections = {s.id: s for s in change.sections}
        assert change.first == change.before
        self.first, self.after = change.first, change.after
        if change.HasField("anchor"):
            assert self.anchor is not None
            self.anchor = change.anchor
        self.revision = change.revision

    def equals(self, table):
        """Compares with a copy of the whole table at the same revision."""
        flat = [(row, s) for s in table.sections for row in table.order[s]
                if self.section is None or s == self.section]
        if self.anchor is None:
            first = min(self.position, len(flat))
        else:
            ids = [row for row, _ in flat]
            first = ids.index(self.anchor) if flat else 0
        wanted = flat[first:first + self.length]
        assert self.rows == wanted, f"window at {self.first}: {self.rows}, wanted {wanted}"
        assert (self.first, self.after) == (first, len(flat) - first - len(wanted)), (
            f"counts {self.first}, {self.after}; {first}, {len(flat)}")
        for row, _ in wanted:
            assert self.images[row] == projected(table.images[row], self.columns), f"cells of {row}"
        seen = {section for _, section in wanted}
        for section in seen:
            record = self.sections[section]
            assert bare(record) == table.records[section], "a section's record"
            assert record.index == table.sections.index(section)
            assert record.rows == len(table.order[section])

    @staticmethod
    def column_ids(table, names):
        return {c.id for c in map(model.Column.FromString, table.columns) if c.name in names}

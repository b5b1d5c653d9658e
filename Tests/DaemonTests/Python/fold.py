"""A copy of the store's tables, kept by folding the feed, as Docs/contracts.md words it.

Plain lists on purpose: this is the naive model that the daemon is held against. Everything an
event claims is checked: the ids at the places it names, the columns it says have changed, the
revisions of rows (contract E7), the cursor it starts from (K1).
"""

import collections

from schema import change as change_schema
from schema import model


def runs(list_of_runs):
    """The numbers of a list of IdRun."""
    return [n for run in list_of_runs for n in range(run.first, run.first + run.count)]


def cells_of(row):
    return {cell.column: cell.SerializeToString() for cell in row.cells}


def bare(section):
    """A section's record without what its place in the list and its rows say already."""
    copy = model.Section()
    copy.CopyFrom(section)
    copy.ClearField("index")
    copy.ClearField("rows")
    return copy.SerializeToString()


class TableCopy:
    def __init__(self, table):
        self.id = table.id
        self.name = table.name
        self.schema_revision = table.schema_revision
        self.last_changed = table.last_changed
        self.columns = [column.SerializeToString() for column in table.columns]
        self.sections = [section.id for section in table.sections]
        self.records = {section.id: bare(section) for section in table.sections}
        self.order = {section.id: [] for section in table.sections}
        self.images = {}
        self.header = table.header.SerializeToString() if table.HasField("header") else None
        self.footer = table.footer.SerializeToString() if table.HasField("footer") else None
        self.policy = table.policy.SerializeToString() if table.HasField("policy") else None
        self.policies = {}  # of rows that have one of their own
        self.moved_sections = set()  # by the last change
        self.ids_before = self.ids_of_columns = set()  # where the last change changed columns
        self.promised = {section.id: section.rows for section in table.sections}
        first = table.sections[0].index if table.sections else 0
        for index, section in enumerate(table.sections, first):
            assert section.index == index, f"section {section.id} says index {section.index}"

    def take_sections(self, more):
        self.sections += more.sections
        self.records.update(more.records)
        self.order.update(more.order)
        self.promised.update(more.promised)

    def take_rows(self, page):
        rows = self.order[page.section]
        assert page.first == len(rows), f"rows from {page.first} after {len(rows)}"
        for row in page.rows:
            assert row.id not in self.images, f"row {row.id} twice"
            rows.append(row.id)
            self.images[row.id] = row.SerializeToString()
        for entry in page.policies:
            assert any(row.id == entry.row for row in page.rows), "a policy of another row"
            self.policies[entry.row] = entry.policy.SerializeToString()

    def check_whole(self):
        """The snapshot's head and its rows agree."""
        for section, count in self.promised.items():
            assert len(self.order[section]) == count, f"section {section}: not {count} rows"

    def canonical(self):
        """Everything that two equal copies agree in."""
        return {
            "name": self.name,
            "schema": self.schema_revision,
            "last changed": self.last_changed,
            "columns": self.columns,
            "sections": [(s, self.records[s], self.order[s]) for s in self.sections],
            "rows": self.images,
            "header": self.header,
            "footer": self.footer,
            "policy": self.policy,
            "policies": self.policies,
        }

    def ids(self):
        return [row for section in self.sections for row in self.order[section]]

    # Folding

    def fold(self, change, revision):
        """Applies a whole TableChange."""
        new_sections = {}
        for section in change.sections:
            new_sections[section.index] = section.id
        old_sections = list(self.sections)
        old_order = {section: list(rows) for section, rows in self.order.items()}
        self.ids_before = self.ids_of_columns = set()
        if change.columns_changed:
            self._columns(change.columns)
        old_images = self.images
        self.images = dict(old_images) if change.rows or change.deleted else old_images
        moved = set()
        self.moved_sections = {
            old_sections[getattr(move, "from")]
            for stage in change.stages for move in stage.move_sections
        }
        for stage in change.stages:
            if stage.kind == change_schema.STAGE_KIND_RELOAD:
                self._replace(stage)
                self._check_reloads(stage, old_sections, old_order)
            else:
                moved |= self._stage(stage, new_sections)
        self._rows(change, old_images, revision)
        for section in change.sections:
            assert self.sections[section.index] == section.id
            self.records[section.id] = bare(section)
        for stage in change.stages:
            for reload in stage.reloads:
                self._check_columns(reload, old_images)
        if change.HasField("schema_revision"):
            self.schema_revision = change.schema_revision
        if change.headers_changed:
            self.header = change.header.SerializeToString() if change.HasField("header") else None
            self.footer = change.footer.SerializeToString() if change.HasField("footer") else None
        if change.event == change_schema.TABLE_EVENT_RENAMED:
            self.name = change.name
        if change.policy_changed:
            self.policy = change.policy.SerializeToString() if change.HasField("policy") else None
        for row in runs(change.deleted):
            self.policies.pop(row, None)
        for entry in change.row_policies:
            assert entry.row in self.images, f"a policy of row {entry.row}, which is not there"
            if entry.HasField("policy"):
                self.policies[entry.row] = entry.policy.SerializeToString()
            else:
                del self.policies[entry.row]
        self.last_changed = revision
        self.records = {section: self.records[section] for section in self.sections}
        self.order = {section: self.order[section] for section in self.sections}
        return moved

    def _stage(self, stage, new_sections):
        """One stage of deletes, inserts and moves; returns the ids of rows told as moved."""
        old = self.sections
        gone = set(runs(stage.delete_sections))
        targets = {move.to: getattr(move, "from") for move in stage.move_sections}
        sources = set(targets.values())
        assert len(sources) == len(stage.move_sections) == len(targets)
        assert not gone & sources, "a section deleted and moved"
        fresh = runs(stage.insert_sections)
        new = [None] * (len(old) - len(gone) + len(fresh))
        for index in fresh:
            assert new[index] is None
            new[index] = new_sections[index]
        for to, source in targets.items():
            assert new[to] is None, "two sections at one place"
            new[to] = old[source]
        stay = iter(s for i, s in enumerate(old) if i not in gone and i not in sources)
        new = [next(stay) if section is None else section for section in new]
        assert next(stay, None) is None

        out = collections.defaultdict(set)  # section id -> old indices
        into = collections.defaultdict(dict)  # section id -> new index -> row
        moved = set()
        halves = set()
        for run in stage.deletes:
            section = old[run.section]
            for step in range(run.count):
                index = run.row + step
                row = self.order[section][index]
                assert row == run.id + step, f"delete names {run.id + step}, there is {row}"
                assert index not in out[section], f"row {row} goes twice"
                out[section].add(index)
                if run.moved:
                    halves.add(row)
        for move in stage.moves:
            source, target = old[move.from_section], new[move.section]
            for step in range(move.count):
                index = move.from_row + step
                row = self.order[source][index]
                assert step or row == move.id, f"move names {move.id}, there is {row}"
                assert index not in out[source], f"row {row} goes twice"
                assert move.row + step not in into[target], "two rows at one place"
                out[source].add(index)
                into[target][move.row + step] = row
                moved.add(row)
        for run in list(stage.inserts) + list(stage.contents):
            target = new[run.section]
            for step in range(run.count):
                assert run.row + step not in into[target], "two rows at one place"
                into[target][run.row + step] = run.id + step
                if run.moved:
                    moved.add(run.id + step)
        for section in fresh:
            self.order[new[section]] = []
        for section in set(out) | set(into):
            if section not in new:
                continue
            rows, taken, placed = self.order[section], out[section], into[section]
            result = [None] * (len(rows) - len(taken) + len(placed))
            for index, row in placed.items():
                assert index < len(result), f"place {index} of {len(result)}"
                result[index] = row
            rest = iter(row for i, row in enumerate(rows) if i not in taken)
            result = [next(rest) if row is None else row for row in result]
            assert next(rest, None) is None
            self.order[section] = result
        self.sections = new
        return moved

    def _replace(self, stage):
        """Sections that are reloaded with rows have these instead of the old ones."""
        assert not (stage.deletes or stage.inserts or stage.moves)
        replaced = {r.section for r in stage.reload_sections if r.with_rows}
        for index in replaced:
            self.order[self.sections[index]] = []
        for run in stage.contents:
            assert run.section in replaced and not run.moved
            rows = self.order[self.sections[run.section]]
            assert run.row == len(rows), "the rows of a reloaded section have a gap"
            rows += [run.id + step for step in range(run.count)]

    def _rows(self, change, old_images, revision):
        for row in change.rows:
            image = row.SerializeToString()
            before = old_images.get(row.id)
            if before is None or before != image:
                back = before is not None and change.columns_changed and self._only_back(row, before)
                assert back or row.revision == revision, f"row {row.id} of revision {row.revision}"
            self.images[row.id] = image
        for row in runs(change.deleted):
            assert row in self.images, f"deleted row {row} was not there"
            del self.images[row]

    def _only_back(self, row, before):
        """Whether all that is new in a row are cells of columns that came back (E13)."""
        old = model.Row.FromString(before)
        cells, kept = cells_of(row), cells_of(old)
        fresh = self.ids_of_columns - self.ids_before
        return row.revision == old.revision and all(
            column in fresh or cells.get(column) == kept.get(column)
            for column in set(cells) | set(kept) if column in self.ids_of_columns
        )

    def _columns(self, columns):
        """Columns change before rows do (F8): cells of dropped ones go, fills come (E14)."""
        self.ids_before = {model.Column.FromString(column).id for column in self.columns}
        self.columns = [column.SerializeToString() for column in columns]
        self.ids_of_columns = ids = {column.id for column in columns}
        fills = [column for column in columns if column.HasField("fill")]
        for number, image in self.images.items():
            row = model.Row.FromString(image)
            cells = {cell.column: cell for cell in row.cells if cell.column in ids}
            for column in fills:
                if column.id not in cells:
                    cells[column.id] = model.Cell(column=column.id)
                    cells[column.id].MergeFrom(column.fill)
            shown = model.Row(id=row.id, revision=row.revision)
            shown.cells.extend(cells[column] for column in sorted(cells))
            self.images[number] = shown.SerializeToString()

    def _check_reloads(self, stage, old_sections, old_order):
        for reload in stage.reloads:
            before = old_order[old_sections[reload.old_section]][reload.old_row]
            after = self.order[self.sections[reload.section]][reload.row]
            assert before == after == reload.id, f"reload of {reload.id}: {before}, {after}"
        for reload in stage.reload_sections:
            assert old_sections[reload.old_section] == self.sections[reload.section]

    def _check_columns(self, reload, old_images):
        old = model.Row.FromString(old_images[reload.id])
        new = model.Row.FromString(self.images[reload.id])
        before, after = cells_of(old), cells_of(new)
        changed = sorted(
            column for column in set(before) | set(after) if before.get(column) != after.get(column)
        )
        # Cells that came back with their column are told by it, but may be new all the same.
        back = self.ids_of_columns - self.ids_before
        named = sorted(reload.columns)
        assert named == changed or back and named == [
            column for column in changed if column in named or column not in back
        ], f"{named} named, {changed} changed"
        if not changed:
            assert old.revision == new.revision, "a reload without new cells has a new revision"

    def check(self):
        """The copy is consistent with itself."""
        ids = self.ids()
        assert len(ids) == len(set(ids)), "a row stands twice"
        assert set(ids) == set(self.images), (
            f"placed without image: {sorted(set(ids) - set(self.images))[:5]}, "
            f"image without place: {sorted(set(self.images) - set(ids))[:5]}"
        )
        assert set(self.sections) == set(self.order) == set(self.records)


def merged(parts):
    """One Change of the parts of a revision; a stage's parts are one stage."""
    whole = change_schema.Change()
    whole.CopyFrom(parts[0])
    whole.ClearField("tables")
    tables = {}
    for part in parts:
        assert part.revision == whole.revision
        for piece in part.tables:
            table = tables.get(piece.table)
            if table is None:
                table = tables[piece.table] = whole.tables.add()
            stages = {stage.kind: stage for stage in table.stages}
            plain = change_schema.TableChange()
            plain.CopyFrom(piece)
            plain.ClearField("stages")
            table.MergeFrom(plain)
            for stage in piece.stages:
                if stage.kind in stages:
                    stages[stage.kind].MergeFrom(stage)
                else:
                    stages[stage.kind] = table.stages.add()
                    stages[stage.kind].CopyFrom(stage)
    return whole


class Copy:
    """All tables of one subscription, at one cursor."""

    table_kind = TableCopy

    def __init__(self, subscription, epoch=None, revision=None):
        self.subscription = subscription
        self.epoch = epoch
        self.revision = revision  # None: no whole snapshot yet
        self.tables = {}
        self.live = False
        self.ended = None
        self.barriers = []  # (token, revision), as reached
        self.parts = []
        self.last_change = None
        self.moved = set()
        self.parts_of_last = 0
        self.live_events = []
        self.from_snapshot = False
        self._snapshot_part = 0
        self._next_part = None

    def resume(self, subscription):
        """Goes on from its cursor under another subscription number."""
        self.subscription, self.live, self.ended = subscription, False, None
        self.parts, self.barriers, self._next_part = [], [], None
        self.from_snapshot = False

    @property
    def cursor(self):
        return (self.epoch, self.revision)

    def take(self, event):
        """Folds one event frame of this subscription."""
        assert event.subscription == self.subscription
        assert self.ended is None, "an event after the end"
        body = event.WhichOneof("body")
        if self._next_part is not None:
            assert body in ("change", "ended"), f"{body} between the parts of a revision"
        if self._snapshot_part:
            assert body in ("rows", "snapshot", "ended"), f"{body} within a snapshot"
        getattr(self, "_" + body)(event)

    def _snapshot(self, event):
        head = event.snapshot
        assert event.part == self._snapshot_part, f"part {event.part} of the snapshot"
        if event.part == 0:
            self.tables = {}
            self.epoch, self._snapshot_revision = head.cursor.epoch, head.cursor.revision
        for table in head.tables:
            if table.id in self.tables:  # a further part of many sections
                self.tables[table.id].take_sections(self.table_kind(table))
            else:
                self.tables[table.id] = self.table_kind(table)
        self._end_of_part(event)

    def _rows(self, event):
        assert event.part == self._snapshot_part, f"part {event.part} of the snapshot"
        self.tables[event.rows.table].take_rows(event.rows)
        self._end_of_part(event)

    def _end_of_part(self, event):
        """A snapshot takes effect at its last part (K2)."""
        self._snapshot_part += 1
        if event.last:
            for table in self.tables.values():
                table.check_whole()
                table.check()
            self.revision = self._snapshot_revision
            self._snapshot_part = 0
            self.from_snapshot = True

    def _live(self, event):
        """The snapshot, or what was missed, is whole; changes come as they happen."""
        assert not self.live, "live twice"
        assert event.live.resumed != self.from_snapshot
        assert event.live.cursor.epoch == self.epoch
        assert getattr(event, "from") == self.revision
        assert event.live.cursor.revision >= self.revision, (
            f"live at {event.live.cursor.revision}, folded {self.revision}"
        )
        self.revision = event.live.cursor.revision
        self.live = True

    def _change(self, event):
        if self._next_part is not None:
            assert event.part == self._next_part, f"part {event.part}, not {self._next_part}"
        assert getattr(event, "from") == self.revision, (
            f"an event from {getattr(event, 'from')} at {self.revision}"
        )
        self.parts.append(event.change)
        if not event.last:
            self._next_part = event.part + 1
            return
        self._next_part = None
        change = merged(self.parts)
        self.parts_of_last = len(self.parts)
        self.parts = []
        assert change.revision > self.revision, f"{change.revision} after {self.revision}"
        self.moved = set()
        for table in change.tables:
            if table.table not in self.tables:
                fresh = model.Table(id=table.table, name=table.name)
                self.tables[table.table] = self.table_kind(fresh)
            if table.event == change_schema.TABLE_EVENT_DROPPED:
                del self.tables[table.table]
                continue
            self.moved |= self.tables[table.table].fold(table, change.revision)
            self.tables[table.table].check()
        self.revision = change.revision
        self.last_change = change

    def _progress(self, event):
        assert getattr(event, "from") == self.revision
        assert event.progress.revision >= self.revision
        self.revision = event.progress.revision

    def _live_state(self, event):
        """Live state stands between the changes; who wants it takes it from here."""
        assert getattr(event, "from") == self.revision, "live state out of its place"
        self.live_events.append(event)

    def _barrier(self, event):
        assert event.barrier.revision == self.revision, (
            f"a barrier at {event.barrier.revision}, folded {self.revision}"
        )
        self.barriers.append((event.barrier.token, event.barrier.revision))

    def _ended(self, event):
        self.ended = event.ended

    def canonical(self):
        return {number: table.canonical() for number, table in self.tables.items()}

    # With a client

    def until(self, client, condition, seconds=None):
        """Takes events of a client until the condition holds; those of others are kept for them."""
        others = []
        while not condition(self):
            event = client.event(seconds)
            if event.subscription == self.subscription:
                self.take(event)
            else:
                others.append(event)
        client.events.extendleft(reversed(others))

    def until_live(self, client):
        self.until(client, lambda copy: copy.live)

    def until_revision(self, client, revision):
        self.until(client, lambda copy: copy.revision is not None and copy.revision >= revision)

    def until_barrier(self, client, token):
        client.barrier(self.subscription, token)
        self.until(client, lambda copy: any(t == token for t, _ in copy.barriers))


def snapshot(client, table="items", at_least=None):
    """A fresh subscription's copy; the subscription is ended again."""
    from schema import ClientFrame

    reply = client.subscribe(table, at_least=at_least)
    copy = Copy(reply.subscription)
    copy.until_live(client)
    frame = ClientFrame()
    frame.unsubscribe.subscription = reply.subscription
    client.request(frame)
    client.events = collections.deque(
        event for event in client.events if event.subscription != reply.subscription
    )
    return copy

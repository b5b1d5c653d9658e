"""Copies of some sections, of some columns, and of a run of rows, as Docs/protocol.md words it.

Naive on purpose, and checked against a whole copy of the same revision.
"""

from fold import Copy, TableCopy, bare, runs
from schema import change as change_schema
from schema import model


def projected(image, columns=None):
    """A row's image with these columns alone, without its revision."""
    row = model.Row.FromString(image)
    shown = model.Row(id=row.id)
    shown.cells.extend(c for c in row.cells if columns is None or c.column in columns)
    return shown.SerializeToString()


class ProjectedTable(TableCopy):
    """Rows carry the revision of the last change that this copy was told of (E7)."""

    def take_rows(self, page):
        super().take_rows(page)
        for row in page.rows:
            self.images[row.id] = projected(self.images[row.id])

    def _rows(self, change, old_images, revision):
        for row in change.rows:
            assert row.revision <= revision
            self.images[row.id] = projected(row.SerializeToString())
        for row in runs(change.deleted):
            assert row in self.images, f"deleted row {row} was not there"
            del self.images[row]

    def _columns(self, columns):
        super()._columns(columns)
        self.images = {row: projected(image) for row, image in self.images.items()}

    def _check_columns(self, reload, old_images):
        before = model.Row.FromString(old_images[reload.id])
        after = model.Row.FromString(self.images[reload.id])
        assert not reload.columns or before != after, f"reload of {reload.id} without a change"


class SectionsTable:
    """Some sections of a table, by their ids; their order is not known."""

    def __init__(self, table):
        self.id, self.name = table.id, table.name
        self.columns = [column.SerializeToString() for column in table.columns]
        self.order = {section.id: [] for section in table.sections}
        self.records = {section.id: bare(section) for section in table.sections}
        self.promised = {section.id: section.rows for section in table.sections}
        self.images = {}
        for section in table.sections:
            assert not section.HasField("index"), "an index in a copy of some sections"

    def take_sections(self, more):
        self.order.update(more.order)
        self.records.update(more.records)
        self.promised.update(more.promised)

    def take_rows(self, page):
        rows = self.order[page.section]
        assert page.first == len(rows)
        for row in page.rows:
            assert row.id not in self.images, f"row {row.id} twice"
            rows.append(row.id)
            self.images[row.id] = projected(row.SerializeToString())

    def check_whole(self):
        for section, count in self.promised.items():
            assert len(self.order[section]) == count

    def check(self):
        ids = [row for rows in self.order.values() for row in rows]
        assert len(ids) == len(set(ids)), "a row stands twice"
        assert set(ids) == set(self.images), (
            f"placed without image {sorted(set(ids) - set(self.images))[:5]}, "
            f"image without place {sorted(set(self.images) - set(ids))[:5]}")
        assert set(self.order) == set(self.records)

    def canonical(self):
        return (self.columns, self.order, self.records, self.images)

    def fold(self, change, revision):
        if change.columns_changed:
            TableCopy._columns(self, change.columns)
            self.images = {row: projected(image) for row, image in self.images.items()}
        for stage in change.stages:
            if stage.kind == change_schema.STAGE_KIND_RELOAD:
                self._replace(stage)
            else:
                self._stage(stage)
        for section in change.sections:
            self.records[section.id] = bare(section)
        for row in change.rows:
            assert row.revision <= revision
            self.images[row.id] = projected(row.SerializeToString())
        for row in runs(change.deleted):
            assert row in self.images, f"deleted row {row} was not there"
            del self.images[row]
        for stage in change.stages:
            for reload in stage.reloads:
                assert self.order[reload.section][reload.row] == reload.id
        self.records = {section: self.records[section] for section in self.order}
        return set()

    def _stage(self, stage):
        gone = set(runs(stage.delete_sections))
        fresh = runs(stage.insert_sections)
        assert not stage.move_sections, "the order of sections is not seen"
        out, into = {}, {}
        halves, back = set(), set()
        for run in stage.deletes:
            for step in range(run.count):
                assert self.order[run.section][run.row + step] == run.id + step
                out.setdefault(run.section, set()).add(run.row + step)
                if run.moved:
                    halves.add(run.id + step)
        for move in stage.moves:
            for step in range(move.count):
                row = self.order[move.from_section][move.from_row + step]
                assert row == move.id + step
                out.setdefault(move.from_section, set()).add(move.from_row + step)
                into.setdefault(move.section, {})[move.row + step] = row
        for run in list(stage.inserts) + list(stage.contents):
            for step in range(run.count):
                into.setdefault(run.section, {})[run.row + step] = run.id + step
                assert run.moved == (run.id + step in self.images), (
                    f"row {run.id + step} moved: {run.moved}")
                if run.moved:
                    back.add(run.id + step)
        assert halves <= back, f"halves {halves - back} do not come back"
        for section in gone:
            del self.order[section]
        for section in fresh:
            assert section not in self.order
            self.order[section] = []
        for section in set(out) | set(into):
            if section in gone and section not in into:
                continue
            rows = [r for i, r in enumerate(self.order[section]) if i not in out.get(section, ())]
            places = into.get(section, {})
            result, rest = [], iter(rows)
            for index in range(len(rows) + len(places)):
                result.append(places[index] if index in places else next(rest))
            self.order[section] = result

    def _replace(self, stage):
        replaced = {r.section for r in stage.reload_sections if r.with_rows}
        for section in replaced:
            self.order[section] = []
        for run in stage.contents:
            assert run.section in replaced and run.row == len(self.order[run.section])
            self.order[run.section] += [run.id + step for step in range(run.count)]


class FilteredCopy(Copy):
    """A copy by a view filter; `sections` and `columns` are ids, None for all."""

    def __init__(self, reply, sections=None, columns=None):
        super().__init__(reply.subscription)
        self.sections, self.columns = sections, columns
        self.table_kind = SectionsTable if sections is not None else ProjectedTable
        self.fingerprint = reply.fingerprint
        assert reply.foldable and reply.fingerprint
        assert reply.paths_by_id == (sections is not None)

    def equals(self, whole):
        """Compares with a copy of everything at the same revision."""
        for number, mine in self.tables.items():
            table = whole.tables[number]
            columns = self.columns
            shown = [c for c in table.columns
                     if columns is None or model.Column.FromString(c).id in columns]
            assert mine.columns == shown, "columns"
            seen = [s for s in table.sections if self.sections is None or s in self.sections]
            order = {s: table.order[s] for s in seen}
            assert mine.order == order, (
                f"order: {[(s, mine.order.get(s), order.get(s)) for s in set(order) | set(mine.order) if mine.order.get(s) != order.get(s)]}")
            assert mine.records == {s: table.records[s] for s in seen}, "sections"
            rows = {r: projected(table.images[r], columns) for s in seen for r in order[s]}
            other = sorted(r for r in rows if mine.images.get(r) != rows[r])
            assert mine.images == rows, f"rows {other[:5]}, last {self.last_change}"


def subscribe_filtered(client, since=None, fingerprint=None, sections=None, columns=None,
                       names=None, table="items", **fields):
    """Subscribes with a view filter; `columns` are ids, `names` their names."""
    from schema import ClientFrame

    frame = ClientFrame()
    frame.subscribe.table.name = table
    if since is not None:
        frame.subscribe.since.epoch, frame.subscribe.since.revision = since
    if fingerprint is not None:
        frame.subscribe.fingerprint = fingerprint
    frame.subscribe.filter.SetInParent()
    if sections is not None:
        frame.subscribe.filter.sections.extend(sections)
    if names is not None:
        frame.subscribe.filter.columns.extend(names)
    for name, value in fields.items():
        setattr(frame.subscribe, name, value)
    return client.request(frame).subscribed

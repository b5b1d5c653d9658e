"""A table as plain lists, and random sequence batches over it with their expected outcome."""

from client import (
    delete, delete_section, insert, insert_section, move, move_section, reload, retitle, update,
)
from fold import runs

NEW_ROW = "new row"
NEW_SECTION = "new section"


class NaiveTable:
    """Sections with rows with cells; new rows and sections are keys (NEW_…, n) until settled."""

    def __init__(self):
        self.sections = []  # section keys
        self.titles = {}
        self.rows = {}  # section key -> row keys
        self.cells = {}  # row key -> {"name": …, "value": …}

    @staticmethod
    def of(copy, table=None):
        made = NaiveTable()
        source = copy.tables[table] if table else next(iter(copy.tables.values()))
        made.sections = list(source.sections)
        made.titles = {section: None for section in made.sections}
        made.rows = {section: list(source.order[section]) for section in made.sections}
        made.cells = {row: {} for rows in made.rows.values() for row in rows}
        return made

    def copy(self):
        made = NaiveTable()
        made.sections = list(self.sections)
        made.titles = dict(self.titles)
        made.rows = {section: list(rows) for section, rows in self.rows.items()}
        made.cells = {row: dict(cells) for row, cells in self.cells.items()}
        return made

    def layout(self):
        return [(section, self.rows[section]) for section in self.sections]

    def same_as(self, other):
        return (
            self.layout() == other.layout()
            and self.titles == other.titles
            and self.cells == other.cells
        )

    def section_of(self, row):
        return next(section for section in self.sections if row in self.rows[section])

    def all_rows(self):
        return [row for section in self.sections for row in self.rows[section]]

    def take_out(self, row):
        self.rows[self.section_of(row)].remove(row)

    def moved_rows(self, after, named):
        """What E10 calls moved: named rows of both tables whose section changed, or whose order
        to some other row that stays in the section changed."""
        result = set()
        homes = {row: s for s in self.sections for row in self.rows[s]}
        after_homes = {row: s for s in after.sections for row in after.rows[s]}
        for row in named:
            if row not in homes or row not in after_homes:
                continue
            section = homes[row]
            if after_homes[row] != section:
                result.add(row)
                continue
            old, new = self.rows[section], after.rows[section]
            stay = set(old) & set(new) - {row}
            if {r for r in old[: old.index(row)] if r in stay} != {
                r for r in new[: new.index(row)] if r in stay
            }:
                result.add(row)
        return result


def moved_in(old, new, named):
    """The same for a list of sections."""
    result = set()
    for one in named:
        if one in old and one in new:
            stay = set(old) & set(new) - {one}
            before = {s for s in old[: old.index(one)] if s in stay}
            if before != {s for s in new[: new.index(one)] if s in stay}:
                result.add(one)
    return result


class Plan:
    """A batch, the table it should leave, the rows and sections its moves named."""

    def __init__(self, table):
        self.table = table
        self.operations = []
        self.named = set()
        self.named_sections = set()
        self.reloaded = False
        self.new_rows = []  # keys in the order of the operations
        self.new_sections = []

    def settle(self, reply):
        """The expected table, with the ids the reply gave to what was made and is still there."""
        alive = set(self.table.all_rows())
        ids = iter(runs(reply.inserted))
        names = {key: next(ids) for key in self.new_rows if key in alive}
        assert next(ids, None) is None, f"more ids than rows: {reply}"
        ids = iter(runs(reply.inserted_sections))
        names.update({key: next(ids) for key in self.new_sections if key in self.table.sections})
        assert next(ids, None) is None, f"more ids than sections: {reply}"
        table = NaiveTable()
        table.sections = [names.get(s, s) for s in self.table.sections]
        table.titles = {names.get(s, s): self.table.titles[s] for s in self.table.sections}
        table.rows = {
            names.get(s, s): [names.get(r, r) for r in self.table.rows[s]]
            for s in self.table.sections
        }
        table.cells = {names.get(r, r): self.table.cells[r] for r in alive}
        return table


class Editor:
    """Makes random batches that must be accepted."""

    def __init__(self, random, most_rows=60, most_sections=6):
        self.random = random
        self.most_rows = most_rows
        self.most_sections = most_sections
        self.serial = 0

    def plan(self, table, operations):
        plan = Plan(table.copy())
        for _ in range(operations):
            self._step(plan)
        return plan

    def _name(self):
        self.serial += 1
        return f"n{self.serial}"

    def _row_ref(self, plan, row):
        """A way to name a row: its id or handle, or its path."""
        table = plan.table
        if self.random.random() < 0.3:
            section = table.section_of(row)
            return (table.sections.index(section), table.rows[section].index(row))
        return {"as": row[1]} if isinstance(row, tuple) else row

    def _section_ref(self, ref, plan, section):
        if isinstance(section, tuple):
            ref.handle = section[1]
        else:
            ref.id = section

    def _place(self, plan, place):
        """Chooses where a row goes: fills the wire's place, returns (section, index)."""
        table = plan.table
        section = self.random.choice(table.sections)
        rows = table.rows[section]
        kind = self.random.randrange(5)
        if kind in (1, 2) and not rows:
            kind = 0
        if kind == 0:
            index = self.random.randrange(len(rows) + 1)
            place.path.section, place.path.row = table.sections.index(section), index
        elif kind in (1, 2):
            index = self.random.randrange(len(rows))
            anchor = place.before if kind == 1 else place.after
            row = rows[index]
            if isinstance(row, tuple):
                anchor.handle = row[1]
            else:
                anchor.id = row
            index += kind == 2
        elif kind == 3:
            index = 0
            self._section_ref(place.first_of, plan, section)
        else:
            index = len(rows)
            self._section_ref(place.last_of, plan, section)
        return section, index

    def _step(self, plan):
        table, random = plan.table, self.random
        rows = table.all_rows()
        choice = random.choices(
            ["insert", "delete", "move", "update", "reload", "insert_section", "delete_section",
             "move_section", "retitle"],
            [6 if len(rows) < self.most_rows else 1, 4, 8, 4, 1,
             2 if len(table.sections) < self.most_sections else 0, 0.7, 1.5, 1],
        )[0]
        if choice in ("insert", "delete_section", "move_section", "retitle") and not table.sections:
            choice = "insert_section"
        if choice in ("delete", "move", "update", "reload") and not rows:
            choice = "insert" if table.sections else "insert_section"
        getattr(self, "_" + choice)(plan)

    def _insert(self, plan):
        self.serial += 1
        key = (NEW_ROW, self.serial)
        cells = {"name": self._name()}
        op = insert(cells, handle=key[1])
        section, index = self._place(plan, op.insert_row.at)
        plan.table.rows[section].insert(index, key)
        plan.table.cells[key] = cells
        plan.new_rows.append(key)
        plan.operations.append(op)

    def _delete(self, plan):
        row = self.random.choice(plan.table.all_rows())
        plan.operations.append(delete(self._row_ref(plan, row)))
        plan.table.take_out(row)
        del plan.table.cells[row]

    def _move(self, plan):
        row = self.random.choice(plan.table.all_rows())
        op = move(self._row_ref(plan, row), None)
        plan.table.take_out(row)  # places count without the row: its final index
        section, index = self._place(plan, op.move_row.to)
        plan.table.rows[section].insert(index, row)
        plan.named.add(row)
        plan.operations.append(op)

    def _update(self, plan):
        row = self.random.choice(plan.table.all_rows())
        cells = plan.table.cells[row]
        if self.random.random() < 0.2 and "name" in cells:
            new = {"name": cells["name"]}  # no change
        else:
            new = {"name": self._name()}
        if self.random.random() < 0.3:
            new["value"] = self.random.choice([None, 1, -5, 1 << 40])
        plan.operations.append(update(self._row_ref(plan, row), **new))
        for name, value in new.items():
            if value is None:
                cells.pop(name, None)
            else:
                cells[name] = value

    def _reload(self, plan):
        row = self.random.choice(plan.table.all_rows())
        plan.operations.append(reload(self._row_ref(plan, row)))
        if not isinstance(row, tuple):
            plan.reloaded = True

    def _insert_section(self, plan):
        self.serial += 1
        table, key = plan.table, (NEW_SECTION, self.serial)
        index = self.random.randrange(len(table.sections) + 1)
        title = self.random.choice([None, self._name()])
        contents = [{"name": self._name()} for _ in range(self.random.randrange(3))]
        op = insert_section(title, index, contents, handle=key[1])
        plan.operations.append(op)
        table.sections.insert(index, key)
        table.titles[key], table.rows[key] = title, []
        plan.new_sections.append(key)
        for made, cells in zip(op.insert_section.rows, contents):
            self.serial += 1
            row = (NEW_ROW, self.serial)
            setattr(made, "as", row[1])
            table.rows[key].append(row)
            table.cells[row] = cells
            plan.new_rows.append(row)

    def _delete_section(self, plan):
        table = plan.table
        section = self.random.choice(table.sections)
        op = delete_section(0)
        self._section_ref(op.delete_section.section, plan, section)
        plan.operations.append(op)
        for row in table.rows.pop(section):
            del table.cells[row]
        table.sections.remove(section)
        del table.titles[section]

    def _move_section(self, plan):
        table = plan.table
        section = self.random.choice(table.sections)
        index = self.random.randrange(len(table.sections))
        op = move_section(0, index)
        self._section_ref(op.move_section.section, plan, section)
        plan.operations.append(op)
        table.sections.remove(section)
        table.sections.insert(index, section)
        plan.named_sections.add(section)

    def _retitle(self, plan):
        table = plan.table
        section = self.random.choice(table.sections)
        title = self.random.choice([None, self._name()])
        op = retitle(0, title)
        self._section_ref(op.retitle_section.section, plan, section)
        plan.operations.append(op)
        table.titles[section] = title

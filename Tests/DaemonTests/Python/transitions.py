"""Random transitions over a table of plain lists: legal ones with the table they make, and ones
with faults. Written from the rules alone (semantics of batch updates): every place of the new
table is drawn first, and what stays fills the rest.

An operation is a tuple: (kind, place, …), with places as paths and indices.
"""


class Plan:
    """One batch: `operations`, shuffled; `final` = [(section, [row])…] with keys for new ones."""

    def __init__(self, random, layout, tag, busy=0.3):
        self.random = random
        self.old = layout  # [(section, [row id])]
        self.tag = tag  # new names differ from batch to batch
        self.busy = busy
        self.operations = []
        self.named_rows = set()
        self.named_sections = set()
        self.reloaded = {}  # row -> whether it gets new cells
        self.reloaded_sections = []  # old indices
        self.serial = 0
        self.claimed = set()  # old paths
        self.targets = {}  # new section index -> [rows taken]
        self._sections()
        self._rows()
        random.shuffle(self.operations)

    def chance(self, odds=None):
        return self.random.random() < (self.busy if odds is None else odds)

    def key(self):
        self.serial += 1
        return f"{self.tag}.{self.serial}"

    def add(self, *operation):
        self.operations.append(operation)

    def _sections(self):
        uses = []
        for index in range(len(self.old)):
            use = self.random.choices(
                ["keep", "move", "delete", "replace", "reload"], [10, 2, 1, 0.7, 0.4])[0]
            uses.append(use)
        self.uses = uses
        arrivals = [("old", index) for index, use in enumerate(uses) if use == "move"]
        for _ in range(self.random.choice([0, 0, 0, 1, 1, 2]) if len(uses) < 7 else 0):
            rows = [self.key() for _ in range(self.random.randrange(3))]
            arrivals.append(("new", self.key(), rows))
        stay = [("old", i) for i, use in enumerate(uses) if use not in ("move", "delete")]
        slots = self.random.sample(range(len(stay) + len(arrivals)), len(arrivals))
        placed = dict(zip(slots, arrivals))
        rest = iter(stay)
        self.new = [
            placed[slot] if slot in placed else next(rest)
            for slot in range(len(stay) + len(arrivals))
        ]
        for slot, entry in placed.items():
            if entry[0] == "old":
                self.add("move_section", entry[1], slot)
                self.named_sections.add(self.old[entry[1]][0])
            else:
                self.add("insert_section", slot, entry[1], entry[2])
        self.brought = {}  # old index -> the rows a reload brings
        for index, use in enumerate(uses):
            if use == "delete":
                self.add("delete_section", index)
            elif use in ("replace", "reload"):
                rows = [self.key() for _ in range(self.random.randrange(3))]
                self.brought[index] = rows if use == "replace" else None
                self.add("reload_section", index, self.brought[index])
                self.reloaded_sections.append(index)

    def open(self, index):
        """Whether rows of an old section may be changed."""
        return self.uses[index] in ("keep", "move")

    def _rows(self):
        stay, movers = {}, []
        for index, (_, rows) in enumerate(self.old):
            if self.uses[index] in ("delete", "replace"):
                for row in range(len(rows)):  # absorbed
                    if self.chance(0.1):
                        self.add("delete_row", (index, row))
                    if self.chance(0.1):
                        self.add("reload_row", (index, row), None)
            stay[index] = list(rows)
            if not self.open(index):
                continue
            stay[index] = []
            for place, row in enumerate(rows):
                path = (index, place)
                what = self.random.choices(
                    ["stay", "delete", "move"], [1, self.busy, self.busy])[0]
                if what == "delete":
                    self.add("delete_row", path)
                    self.claimed.add(path)
                    continue
                if self.chance(self.busy / 3):
                    name = self.key() if self.chance(0.5) else None
                    self.reloaded[row] = name
                    self.add("reload_row", path, name)
                    self.claimed.add(path)
                if what == "move":
                    movers.append((path, row))
                    self.named_rows.add(row)
                    self.claimed.add(path)
                else:
                    stay[index].append(row)
        homes = [s for s, entry in enumerate(self.new) if entry[0] == "old" and self.open(entry[1])]
        arriving = {slot: [] for slot in homes}
        for path, row in movers:
            own = self.new.index(("old", path[0]))
            slot = own if self.chance(0.5) else self.random.choice(homes)
            arriving[slot].append((path, row))
        for slot in homes:
            for _ in range(self.random.choice([0, 0, 1, 1, 2, 4]) if self.chance(0.6) else 0):
                arriving[slot].append((None, self.key()))
        self.final = []
        for slot, entry in enumerate(self.new):
            if entry[0] == "new":
                self.final.append((entry[1], list(entry[2])))
                self._absorbed(slot, len(entry[2]))
                continue
            section, index = self.old[entry[1]][0], entry[1]
            if not self.open(index):
                brought = self.brought[index]
                self.final.append((section, stay[index] if brought is None else list(brought)))
                if brought is not None:
                    self._absorbed(slot, len(brought))
                continue
            total = len(stay[index]) + len(arriving[slot])
            places = self.random.sample(range(total), len(arriving[slot]))
            rows = [None] * total
            for place, (path, row) in zip(places, arriving[slot]):
                rows[place] = row
                if path is None:
                    self.add("insert_row", (slot, place), row)
                else:
                    self.add("move_row", path, (slot, place))
            rest = iter(stay[index])
            rows = [next(rest) if row is None else row for row in rows]
            self.targets[slot] = places
            self.final.append((section, rows))

    def _absorbed(self, slot, count):
        for row in range(count):
            if self.chance(0.1):
                self.add("insert_row", (slot, row), "absorbed")

    def counts(self):
        return [len(rows) for _, rows in self.final]


HUGE = [1 << 31, 1 << 32, (1 << 53) - 1, 1 << 53, (1 << 63), (1 << 64) - 1]


class Faults:
    """Adds one fault to a legal plan; answers the code that it must be refused with, or None
    where this plan has no place for it."""

    def __init__(self, plan):
        self.plan, self.random = plan, plan.random
        self.old, self.new, self.uses = plan.old, plan.new, plan.uses
        self.open_slots = list(plan.targets)
        # Each takes part in one fault only, so that two faults do not make a third.
        self.candidates = list(plan.operations)
        self.spare = [i for i, use in enumerate(plan.uses) if use == "keep"]

    def add(self, name):
        operation = getattr(self, name)()
        if operation is None:
            return None
        place = self.random.randrange(len(self.plan.operations) + 1)
        self.plan.operations.insert(place, operation)
        return name.split("__")[0].upper()

    @classmethod
    def names(cls):
        return [n for n in vars(cls) if n[0].islower() and n not in ("add", "names", "pick")]

    def pick(self, kind, test=lambda op: True):
        found = [op for op in self.candidates if op[0] == kind and test(op)]
        if not found:
            return None
        chosen = self.random.choice(found)
        self.candidates.remove(chosen)
        return chosen

    def _beyond(self, count):
        return self.random.choice([count, count + 1, count + 7] + HUGE)

    def _live(self, op):
        """Whether an operation on an old row is not absorbed."""
        return self.plan.open(op[1][0])

    def _free(self, test=lambda path: True):
        """An old row that no operation names."""
        found = [
            (s, r)
            for s, (_, rows) in enumerate(self.old) if self.plan.open(s)
            for r in range(len(rows)) if (s, r) not in self.plan.claimed and test((s, r))
        ]
        if not found:
            return None
        chosen = self.random.choice(found)
        self.plan.claimed.add(chosen)
        return chosen

    def _end(self):
        """The place behind the last row of a new section."""
        if not self.open_slots:
            return None
        slot = self.random.choice(self.open_slots)
        return (slot, len(self.plan.final[slot][1]))

    def out_of_range__insert(self):
        slot = self.random.randrange(len(self.new) + 1)
        if slot == len(self.new):
            return ("insert_row", (self._beyond(slot), 0), "x")
        if slot in self.open_slots:  # the fault itself is one more row
            return ("insert_row", (slot, self._beyond(len(self.plan.final[slot][1]) + 1)), "x")
        entry = self.new[slot]
        if entry[0] == "old" and self.uses[entry[1]] == "reload":
            return None
        return ("insert_row", (slot, self._beyond(len(self.plan.final[slot][1]))), "x")

    def out_of_range__old_row(self):
        section = self.random.randrange(len(self.old) + 1)
        if section == len(self.old):
            path = (self._beyond(section), 0)
        else:
            path = (section, self._beyond(len(self.old[section][1])))
        kind = self.random.choice(["delete_row", "reload_row", "move_row"])
        return {
            "delete_row": ("delete_row", path), "reload_row": ("reload_row", path, None),
            "move_row": ("move_row", path, (0, 0)),
        }[kind]

    def out_of_range__move_to(self):
        path = self._free(lambda p: not self.plan.targets.get(self.new.index(("old", p[0]))))
        if path is None:
            return None
        own = self.new.index(("old", path[0]))
        slot = self.random.choice(self.open_slots)
        count = len(self.plan.final[slot][1]) + (slot != own)
        return ("move_row", path, (slot, self._beyond(count)))

    def out_of_range__section(self):
        index = self._beyond(len(self.old))
        return self.random.choice([
            ("delete_section", index), ("reload_section", index, None),
            ("move_section", index, 0),
        ])

    def out_of_range__section_to(self):
        return ("insert_section", self._beyond(len(self.new) + 1), "x", [])

    def duplicate__row(self):
        return self.pick("delete_row", self._live) or self.pick("reload_row", self._live)

    def duplicate__insert(self):
        found = self.pick("insert_row", lambda op: op[1][0] in self.open_slots)
        return found and ("insert_row", found[1], "x")

    def duplicate__section(self):
        return self.pick("delete_section") or self.pick("reload_section")

    def duplicate__insert_section(self):
        found = self.pick("insert_section")
        return found and ("insert_section", found[1], "x", [])

    def delete_and_move__row(self):
        end = self._end()
        found = self.pick("delete_row", self._live)
        return ("move_row", found[1], end) if found and end else None

    def delete_and_move__moved(self):
        reloads = {op[1] for op in self.plan.operations if op[0] == "reload_row"}
        found = self.pick("move_row", lambda op: op[1] not in reloads)
        return found and ("delete_row", found[1])

    def delete_and_move__section(self):
        found = self.pick("delete_section")
        return found and ("move_section", found[1], len(self.new))

    def reload_and_move(self):
        found = self.pick("reload_section")
        if found:
            return ("move_section", found[1], len(self.new) - 1)
        found = self.pick("move_section")
        return found and ("reload_section", found[1], self.random.choice([None, ["x"]]))

    def insert_and_move__row(self):
        found = self.pick("move_row")
        return found and ("insert_row", found[2], "x")

    def insert_and_move__section(self):
        found = self.pick("move_section")
        return found and ("insert_section", found[2], "x", [])

    def delete_and_reload__row(self):
        found = self.pick("delete_row", self._live)
        return found and ("reload_row", found[1], None)

    def delete_and_reload__section(self):
        found = self.pick("delete_section")
        return found and ("reload_section", found[1], self.random.choice([None, ["x"]]))

    def move_collision__row(self):
        found = self.pick("move_row")
        if not found:
            return None
        home = self.new[found[2][0]][1]
        path = self._free(lambda p: p[0] == home)
        return path and ("move_row", path, found[2])

    def move_collision__section(self):
        found = self.pick("move_section")
        return ("move_section", self.spare.pop(), found[2]) if found and self.spare else None

    def move_twice_from__row(self):
        end = self._end()
        found = self.pick("move_row")
        return ("move_row", found[1], end) if found and end else None

    def move_twice_from__section(self):
        found = self.pick("move_section")
        return found and ("move_section", found[1], len(self.new))

    def move_into_inserted_section(self):
        slots = [
            s for s, entry in enumerate(self.new)
            if entry[0] == "new" or self.uses[entry[1]] in ("replace", "reload")
        ]
        path = self._free(lambda p: not self.plan.targets.get(self.new.index(("old", p[0]))))
        return ("move_row", path, (self.random.choice(slots), 0)) if slots and path else None

    def move_from_deleted_section(self):
        end = self._end()
        found = [
            (s, r) for s, (_, rows) in enumerate(self.old) if not self.plan.open(s)
            for r in range(len(rows))
        ]
        return ("move_row", self.random.choice(found), end) if found and end else None

    def rows_in_reloaded_section(self):
        index = [i for i, use in enumerate(self.uses) if use == "reload"]
        if not index:
            return None
        index = self.random.choice(index)
        slot = self.new.index(("old", index))
        rows = self.old[index][1]
        choices = [("insert_row", (slot, self.random.randrange(len(rows) + 1)), "x")]
        if rows:
            path = (index, self.random.randrange(len(rows)))
            choices += [("delete_row", path), ("reload_row", path, None)]
        return self.random.choice(choices)

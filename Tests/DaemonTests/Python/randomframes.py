"""Well-formed requests of every kind, drawn at random from the schema alone.

Fields are found through the descriptors, so a new request or field is sent without a line here.
What earlier replies and events told (ids, names, cursors) is used again, so that requests often
hit something; now and then a value is one that nobody would send.
"""

from google.protobuf.descriptor import FieldDescriptor

from schema import ClientFrame

HUGE = (0, 1, 2, 255, 256, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 53) - 1, 1 << 53,
        (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
SIGNED = tuple(n for n in HUGE if n < 1 << 63) + tuple(-n - 1 for n in HUGE if n < 1 << 63)
DOUBLES = (0.0, -0.0, 1.0, 28.5, -3.0, 1e308, -1e308, 5e-324, float("inf"), float("nan"))
TEXTS = ("", " ", "a", "Bär", "\u0301", "e\u0301\u0301", "\U0001f9f8", "\ufeffx", "\u202eabc",
         "line\nline", "\t", "\x7f", "x" * 300, "ß" * 64, "ﬃ", "İ", "\uffff", "%s%n", "'; --", "{}")

DOUBLE, BOOLEAN = FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_BOOL
TEXT, BYTES, ENUM = FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_ENUM
SIGNS = (FieldDescriptor.TYPE_SINT64, FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_SFIXED64)

# Message and field, or the field's name alone, to what such a value names.
MEANING = {
    "RowRef.id": "row", "SectionRef.id": "section", "TableRef.id": "table",
    "TableRef.name": "table name", "SectionRef.title": "title", "SectionRef.index": "small",
    "row": "row", "ids": "row", "notice_rows": "row", "IdRun.first": "row", "IdRun.count": "small",
    "section": "section", "sections": "section", "CreateTable.sections": "title",
    "Path.section": "small", "Path.row": "small", "index": "small", "handle": "handle",
    "as": "handle", "epoch": "epoch", "revision": "revision", "before": "revision",
    "step": "revision", "expect_step": "revision", "AddColumn.before": "column",
    "column": "column", "Cell.column": "column id", "column_name": "column", "columns": "column",
    "without": "column", "subscription": "subscription", "lease": "lease", "upload": "upload",
    "part": "small", "parts": "small", "bytes": "small", "snapshot": "snapshot", "first": "small",
    "count": "small", "limit": "small", "skip": "small", "length": "small", "position": "small",
    "matched": "small", "rows": "small", "section_total": "small", "section_counts": "small",
    "scene": "scene", "controller": "controller", "node": "node", "button": "button",
    "client": "client", "key": "key", "title": "title", "title_view": "view", "view": "view",
    "nib_name": "view", "LoadNib.name": "view", "class_name": "class", "owner_class": "class",
    "controller_class": "class", "owner": "class", "language": "language", "event": "event",
    "system": "system", "action": "action", "level": "level", "CreateTable.name": "table name",
    "RenameTable.name": "table name", "TakeLease.name": "lease name", "EndLease.name": "lease name",
    "RenameColumn.name": "column", "Column.name": "column", "actor": "actor", "token": "small",
    "fingerprint": "fingerprint", "seconds": "small", "scale": "scale", "currency": "currency",
    "outlets": "outlet", "retry_until": "clock", "RestoreRow.row": "gone row", "uid": "uid",
}
# Where the numbers in what the daemon sends come from: message and field.
SOURCES = {
    "Row.id": "row", "RowRun.id": "row", "RowMove.id": "row", "WindowRow.id": "row",
    "Section.id": "section", "Table.id": "table", "Table.name": "table name",
    "Column.id": "column id", "Column.name": "column", "Cursor.revision": "revision",
    "SubscribeReply.subscription": "subscription", "SubscribeReply.fingerprint": "fingerprint",
    "Lease.id": "lease", "Holder.lease": "lease", "RowPage.snapshot": "snapshot",
    "Controller.id": "controller", "BarButton.id": "button", "ViewNode.id": "node",
    "NavigationStack.id": "controller", "Section.title": "title", "BatchReply.step": "revision",
    "HistoryEntry.revision": "revision", "HeaderFooter.view": "view",
}
FIXED = {
    "table name": ("items", "second", "third"), "title": ("one", "two", "three", "Edit"),
    "column": ("a", "b", "c"), "lease": (), "handle": (1, 2, 3),
    "upload": (1, 2), "scene": ("main", "side"), "key": tuple(f"k{n}" for n in range(60)), "uid": (1000,),
    "view": ("HeaderView", "DetailViewController", "ItemsHeader"), "action": ("addNewItem:", "toggleEditingMode:"),
    "class": ("UIViewController", "ItemsViewController", "UITableViewController"),
    "language": ("en", "fr", "fr-CA", "Base"), "event": ("touchUpInside",), "outlet": ("view",),
    "system": ("done", "edit", "add", "save", "cancel"), "level": ("warning", "error"),
    "lease name": ("l1", "l2", "l3"), "actor": ("anna", "bert", "cleo"), "scale": (0, 2, 9),
    "currency": ("USD", "EUR"), "client": (),
}
KINDS = {1: "text", 2: "integer", 3: "decimal", 4: "date", 5: "timestamp", 6: "boolean"}
WEIGHTS = {"batch": 14, "scene": 6, "subscribe": 3, "set_log_level": 0.2, "drop_table": 0.3,
           "kill_client": 0.2, "hello": 0.1, "undo": 3, "upload_part": 3, "draft": 3, "drag": 3,
           "rename_table": 0.3, "create_table": 0.7, "move_window": 2, "backup": 0.1}


# How often a member of a oneof is meant, where that is not even.
SHARES = {"RowRef.id": 6, "RowRef.path": 2, "RowRef.handle": 0.2, "SectionRef.id": 4,
          "SectionRef.index": 3, "SectionRef.handle": 0.1, "SectionRef.title": 0.3}
# Without these a message says nothing: absent only where it is meant to be odd.
NEEDED = {"table", "row", "section", "upload", "step", "name", "subscription", "from", "to",
          "column", "cells", "scene", "policy", "operations", "batch", "part", "by", "amount",
          "parts", "epoch", "revision", "title", "kind", "rows"}
RARE = {"dry_run", "expect_step", "conditions", "section_counts", "no_sections", "fingerprint",
        "only_live", "matched", "expect_to", "snapshot", "first", "break_hold", "exclusive",
        "columns", "floor", "ceiling", "expected", "animation", "at_least", "as", "since", "handle",
        "language", "owner", "outlets"}


class Pool:
    """What was told by the daemon, the newest last."""

    KEPT = 40

    def __init__(self):
        self.known = {name: list(values) for name, values in FIXED.items()}
        self.tables = {}  # name -> what is known of it: row, section, title, column
        self.epoch = 0

    def put_table(self, table, rows):
        """A table as it is now, and some of its rows."""
        old = self.tables.get(table.name, {})
        gone = [row for row in old.get("row", ()) if row not in rows] + old.get("gone row", [])
        self.tables[table.name] = {
            "table": [table.id], "table name": [table.name], "row": rows, "gone row": gone[:20],
            "section": [section.id for section in table.sections],
            "title": [section.title for section in table.sections if section.title] or ["one"],
            "column": [column.name for column in table.columns],
            "column id": [column.id for column in table.columns],
            "kinds": {column.name: column.kind for column in table.columns},
        }

    def put(self, what, value):
        values = self.known.setdefault(what, [])
        if value in values:
            values.remove(value)
        values.append(value)
        del values[: max(len(values) - self.KEPT, 0)]

    def learn(self, message):
        """Takes up ids, names and cursors of a message and of all inside it."""
        kind = message.DESCRIPTOR.name
        if kind == "IdRun" or kind == "Cell":
            return
        for field, value in message.ListFields():
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                for inner in list(value)[:60] if is_list(field) else [value]:
                    self.learn(inner)
            else:
                what = SOURCES.get(f"{kind}.{field.name}")
                if what is not None:
                    self.put(what, value)
        if kind == "BatchReply":
            for name, runs in (("row", message.inserted), ("section", message.inserted_sections)):
                for run in list(runs)[:8]:
                    self.put(name, run.first)
        elif kind == "Cursor":
            self.epoch = message.epoch


def is_list(field):
    return field.label == FieldDescriptor.LABEL_REPEATED


class Frames:
    """Draws requests, from what the pool has and the connection has got."""

    def __init__(self, random, pool):
        self.random, self.pool = random, pool
        oneof = ClientFrame.DESCRIPTOR.oneofs_by_name["request"]
        self.requests = [field.name for field in oneof.fields]
        self.weights = [WEIGHTS.get(name, 1) for name in self.requests]
        self.odd = 0.03
        self.own = {}  # of the connection that asks: its subscriptions
        self.focus = {}  # the table that the request is about

    def chance(self, share):
        return self.random.random() < share

    def frame(self, name=None):
        """A request of this kind, or of any."""
        frame = ClientFrame()
        name = name or self.random.choices(self.requests, self.weights)[0]
        self.odd = self.random.choice((0.0, 0.0, 0.01, 0.03, 0.15))
        self.refocus()
        request = getattr(frame, name)
        request.SetInParent()
        self.fill(request, 0)
        if self.chance(0.04):
            frame.key = self.value_of("key")
            if self.chance(0.2):
                frame.retry_until = self.random.choice(SIGNED)
        if self.chance(0.08):
            frame.lease = self.number("lease")
        if self.chance(0.02):
            self.fill(frame.expect, 0)
        if self.chance(0.02):
            self.fill(frame.at_least, 0)
            # One far ahead would wait for it (10 s): that is no fault, and tells nothing.
            newest = max(self.pool.known.get("revision", [1]))
            frame.at_least.revision = min(frame.at_least.revision, newest)
        return frame

    def refocus(self):
        tables = list(self.pool.tables.values())
        self.focus = self.random.choice(tables) if tables else {}

    def upload(self):
        """A whole upload in its order, with a fault at times."""
        number = self.random.randrange(1, 9)
        frames = [ClientFrame() for _ in range(self.random.randrange(2, 6))]
        frames[0].upload_begin.upload = number
        for part, frame in enumerate(frames[1:-1]):
            batch = self.frame("batch").batch
            frame.upload_part.upload, frame.upload_part.part = number, part
            frame.upload_part.batch.CopyFrom(batch)
            if part:
                for field in batch.DESCRIPTOR.fields:
                    if field.name != "operations":
                        frame.upload_part.batch.ClearField(field.name)
        frames[-1].upload_commit.upload = number
        frames[-1].upload_commit.parts = len(frames) - 2
        if self.chance(0.2):
            del frames[self.random.randrange(len(frames))]
        return frames

    # Messages

    def fill(self, message, depth):
        own = getattr(self, "fill_" + message.DESCRIPTOR.name, None)
        if own is not None and not self.chance(self.odd):
            own(message, depth)
        else:
            self.fill_any(message, depth)

    def fill_any(self, message, depth):
        kind = message.DESCRIPTOR
        chosen = {}
        for oneof in kind.oneofs:
            shares = [SHARES.get(f"{kind.name}.{field.name}", 1) for field in oneof.fields]
            chosen[oneof.name] = None
            if not self.chance(self.odd / 4):
                chosen[oneof.name] = self.random.choices(oneof.fields, shares)[0]
        for field in kind.fields:
            oneof = field.containing_oneof
            if oneof is not None:
                if chosen[oneof.name] is field:
                    self.fill_field(message, field, depth)
            elif self.chance(self.likelihood(kind.name, field.name)):
                self.fill_field(message, field, depth)

    def likelihood(self, kind, name):
        if name in RARE:
            return 0.06
        if kind == "Subscribe" and name in ("scene", "scene_only", "filter", "window"):
            return 0.15
        if kind in ("Subscribe", "Undo", "Redo", "History", "CountRows", "FindRows", "ListRows",
                    "Drag", "Draft", "GetHeader", "GetPolicy", "LoadNib", "ControllerSpec"):
            return 0.95 if name in ("table", "step") and kind not in ("Undo", "Redo") else 0.35
        if name in NEEDED:
            return 1 - self.odd / 2
        return 0.4

    def fill_field(self, message, field, depth):
        if is_list(field):
            self.fill_list(message, field, depth)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            inner = getattr(message, field.name)
            inner.SetInParent()
            if depth < 12:
                self.fill(inner, depth + 1)
        else:
            setattr(message, field.name, self.scalar(message.DESCRIPTOR.name, field))

    def fill_list(self, message, field, depth):
        count = self.random.choice((0, 1, 1, 1, 2, 3, 5))
        if field.name == "operations":
            count = self.random.choice((0, 1, 1, 2, 3, 5, 8, 12))
        elif self.chance(self.odd / 4):
            count = 300
        values = getattr(message, field.name)
        if field.name == "cells" and not self.chance(self.odd):
            return self.fill_cells(values, count)
        for _ in range(count if depth < 12 else 0):
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                self.fill(values.add(), depth + 1)
            else:
                values.append(self.scalar(message.DESCRIPTOR.name, field))

    # Values

    def scalar(self, kind, field):
        if field.type == ENUM:
            values = field.enum_type.values
            if len(values) > 1 and "UNSPECIFIED" in values[0].name and not self.chance(self.odd):
                values = values[1:]
            return self.random.choice(values).number
        if field.type == BOOLEAN:
            return self.chance(0.5)
        if field.type == DOUBLE:
            return self.random.choice(DOUBLES)
        if field.type == BYTES:
            return bytes(self.random.randrange(256) for _ in range(self.random.randrange(20)))
        what = MEANING.get(f"{kind}.{field.name}") or MEANING.get(field.name)
        if field.type == TEXT:
            if field.name == "path":
                return self.random.choice(("", "copy", "hpd.db"))
            return self.text(what)
        if field.type in SIGNS:
            if self.chance(0.5):
                return self.random.randrange(-5, 100_000)
            return self.random.choice(SIGNED)
        number = self.number(what)
        if field.type in (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_FIXED32):
            return number & 0xFFFFFFFF
        return number

    def text(self, what):
        if what is None or self.chance(self.odd):
            return self.random.choice(TEXTS)
        return self.value_of(what)

    def value_of(self, what):
        values = self.values(what)
        return self.random.choice(values) if values else self.random.choice(TEXTS)

    def values(self, what):
        """What is known: of the connection, of the table that is meant, of all."""
        if what in self.own:
            return self.own[what]
        if self.focus.get(what) and not self.chance(self.odd):
            return self.focus[what]
        return self.pool.known.get(what)

    def number(self, what):
        if self.chance(self.odd):
            return self.random.choice(HUGE)
        if what == "epoch":
            return self.pool.epoch
        values = self.values(what)
        if values and what != "small":
            recent = values[-8:] if self.chance(0.5) else values
            return self.random.choice(recent)
        return self.random.choice((0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 8))

    # Messages that mean little when drawn blindly

    def fill_cells(self, values, count):
        """Cells of one row: no column twice, none that is read only, mostly."""
        kinds = self.focus.get("kinds") or {"name": 1}
        names = [name for name in kinds if name != "created" or self.chance(0.1)]
        for name in self.random.sample(names, min(count, len(names))):
            cell = values.add(column_name=name)
            self.fill_value(cell, kinds[name])

    def fill_Cell(self, cell, depth):
        kinds = self.focus.get("kinds") or {"name": 1}
        name = self.random.choice(list(kinds))
        if self.chance(0.1):
            cell.column = self.number("column id")
        else:
            cell.column_name = name
        self.fill_value(cell, kinds[name])

    def fill_value(self, cell, kind):
        if self.chance(0.12):
            return  # null
        if self.chance(self.odd):
            kind = self.random.randrange(1, 7)
        name = KINDS.get(kind, "text")
        if name == "text":
            cell.text = self.random.choice(TEXTS + ("bear", "PA1X"))
        elif name == "boolean":
            cell.boolean = self.chance(0.5)
        else:
            number = self.random.choice(SIGNED) if self.chance(0.2) else self.random.randrange(200)
            setattr(cell, name, number)

    def fill_Filter(self, filter, depth):
        """Mostly a postfix list that holds together."""
        if self.chance(0.1):
            return self.fill_any(filter, depth)
        results = 0
        for _ in range(self.random.choice((0, 1, 1, 2, 4))):
            node = filter.nodes.add()
            kinds = self.focus.get("kinds") or {"name": 1}
            name = self.random.choice(list(kinds))
            kind = kinds[name]
            node.column = name
            operators = (1, 2, 3, 4, 5, 6, 9, 10) + ((7, 8) if kind == 1 else ())
            node.operator = self.random.choice(operators)
            if node.operator != 10:
                for _ in range(self.random.randrange(1, 4) if node.operator == 9 else 1):
                    self.fill_value(node.cells.add(), kind)
            node.folded = kind == 1 and self.chance(0.3)
            results += 1
            if self.chance(0.2):
                filter.nodes.add().operator = 13
        while results > 1:
            filter.nodes.add().operator = self.random.choice((11, 12))
            results -= 1

    def fill_Basis(self, basis, depth):
        if self.chance(0.85):
            basis.current = True
        else:
            self.fill_any(basis, depth)

    def fill_Batch(self, batch, depth):
        self.fill_any(batch, depth)
        if self.chance(0.6):
            batch.mode = 0
        if self.chance(0.7):
            batch.basis.current = True
            batch.basis.ClearField("rebase")
        if self.chance(0.8):
            batch.ClearField("conditions")
            for operation in batch.operations:
                if self.chance(0.9):
                    operation.ClearField("conditions")

    def fill_DeleteWhere(self, message, depth):
        """Without taking every row each time."""
        self.fill_any(message, depth)
        if not message.filter.nodes and self.chance(0.9):
            node = message.filter.nodes.add()
            node.column, node.operator = "name", 1
            node.cells.add().text = self.random.choice(TEXTS)

    def fill_KillClient(self, message, depth):
        """Its own name for nobody: a connection that is ended tells nothing more."""
        message.client = self.random.choice(HUGE[4:])

    def fill_UploadPart(self, message, depth):
        self.fill_any(message, depth)
        if self.chance(0.6):
            message.part = 0

    def fill_SceneRequest(self, message, depth):
        """The fields that its step reads, mostly."""
        self.fill_any(message, depth)
        kind = message.DESCRIPTOR.enum_types_by_name["Step"].values_by_name
        if self.chance(0.1):
            message.step = kind["MAKE"].number
        if message.step not in (kind["MAKE"].number, kind["ADD_TAB"].number, kind["PUSH"].number):
            if self.chance(0.9):
                message.ClearField("roots")
        elif not message.roots and self.chance(0.9):
            self.fill(message.roots.add(), depth + 1)
        elif message.step == kind["PUSH"].number and self.chance(0.9):
            del message.roots[1:]

    def fill_ControllerSpec(self, message, depth):
        self.fill_any(message, depth)
        if message.kind == 1 and self.chance(0.9):
            message.ClearField("row")
        elif message.kind == 2 and not message.HasField("row"):
            message.row = self.number("row")

    def fill_SetPolicy(self, message, depth):
        """The flags of the table alone not elsewhere, mostly; so that much stays allowed."""
        self.fill_any(message, depth)
        if self.chance(0.8):
            message.ClearField("sentinel")
        if self.chance(0.8):
            for name in ("allows_multiple_selection", "allows_multiple_selection_during_editing",
                         "writes_only_while_holding"):
                message.policy.ClearField(name)

    def fill_Column(self, message, depth):
        self.fill_any(message, depth)
        if self.chance(0.9):
            for name in ("id", "fill", "default_now", "unique", "required", "default_value"):
                message.ClearField(name)
            if message.kind != 3:
                message.ClearField("scale")
                message.ClearField("currency")
            message.name = self.random.choice("abcdefg")

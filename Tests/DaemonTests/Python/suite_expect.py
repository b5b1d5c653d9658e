"""Expectations: every mutating request carries one (contracts K5, E1)."""

import os

from client import batch_frame, delete, insert
from scenes import DETAIL, EDIT, ITEMS, VIEW, item, show, step, step_frame
from schema import ClientFrame
from suite_scenes import HEADER, _editing
from suite_views import get_header, set_header

# What changes nothing, or is no change of a store's content: K5 names the others.
OTHERS = {
    "hello", "ping", "info", "barrier", "subscribe", "unsubscribe", "move_window", "list_tables",
    "describe_table", "get_rows", "list_rows", "locate_row", "count_rows", "find_rows",
    "sum_column", "row_history", "history", "list_leases", "get_editing", "get_policy",
    "load_nib", "get_header", "list_clients", "kill_client", "set_log_level", "backup",
    # Judged at the commit (contract K2).
    "upload_begin", "upload_part", "upload_abort",
}


def request(what, **fields):
    """A frame with one request; `table` is a name, `row` of editing steps an id."""
    frame = ClientFrame()
    body = getattr(frame, what)
    body.SetInParent()
    for field, value in fields.items():
        kind = type(getattr(body, field))
        if field in ("table", "to", "from"):
            getattr(body, field).name = value
        elif field == "row" and not isinstance(body.row, int):
            body.row.id = value
        elif field == "step" and isinstance(value, str):
            body.step = type(body).Step.Value(value)
        elif kind.__name__.startswith("Repeated"):
            getattr(body, field).extend(value)
        else:
            setattr(body, field, value)
    return frame


class World:
    """A table with rows, a step to undo and one to redo, a header, a scene with a bar."""

    def __init__(self, ctx):
        folder = os.path.join(ctx.folder, "views")
        os.mkdir(folder)
        with open(os.path.join(folder, "HeaderView.xib"), "w", encoding="utf-8") as file:
            file.write(HEADER)
        self.daemon = ctx.daemon(options=["--bundle", folder])
        self.one = one = ctx.client(self.daemon, "one")
        one.request(request("create_table", name="tools"))
        self.rows = [one.insert(name=f"i{n}") for n in range(4)]
        self.gone = one.insert(name="gone")
        one.batch(delete(self.gone))
        set_header(one, view="HeaderView", owner="HPItemsController")
        self.node = next(n.id for n in get_header(one).view.nodes if n.titles)
        step(one, "main", "MAKE")
        step(one, "main", "SET_ITEM", item=item(
            "Items", left=[EDIT], right=[{"system": "add", "action": "addNewItem:"}]))
        self.button = show(one, "main").bar.right[0].id
        one.insert(name="undone")
        one.request(request("undo", table="items"))
        self.uploads = 0

    def upload(self):
        """The frame that commits a new upload of one row."""
        self.uploads += 1
        self.one.request(request("upload_begin", upload=self.uploads))
        part = request("upload_part", upload=self.uploads, part=0)
        part.upload_part.batch.CopyFrom(batch_frame(insert({"name": "x"})).batch)
        self.one.request(part)
        return request("upload_commit", upload=self.uploads, parts=1)


def expecting(frame, epoch, revision):
    frame.expect.epoch, frame.expect.revision = epoch, revision
    return frame


def requests(world):
    """One frame at least of each mutating request: all would be taken without an expectation."""
    row, detail = world.rows[0], {"kind": DETAIL, "table": "items", "row": world.rows[0]}
    plain = {"kind": VIEW, "class_name": "Plain"}
    transfer = request("transfer_rows", **{"from": "items", "to": "tools", "ids": [row]})
    commit = request("commit_editing", table="items", row=row)
    commit.commit_editing.style = 1
    select = ClientFrame()
    select.select.table.name = "items"
    select.select.rows.add(id=row)
    node = ClientFrame()
    node.set_view_node.table.name = "items"
    node.set_view_node.node = world.node
    node.set_view_node.enabled = False
    button = ClientFrame()
    button.set_view_node.scene = "main"
    button.set_view_node.button = world.button
    button.set_view_node.enabled = False
    yield from [
        batch_frame(insert({"name": "x"})),
        request("create_table", name="new"),
        request("rename_table", table="items", name="things"),
        request("drop_table", table="items"),
        transfer,
        request("undo", table="items"),
        request("redo", table="items"),
        request("new_item", table="items"),
        request("reload_data", table="items"),
        request("restore_row", table="items", row=world.gone),
        world.upload(),
        request("set_editing", table="items", on=True),
        request("toggle_editing", table="items"),
        commit,
        request("swipe", table="items", step="OPEN", row=row),
        request("confirm", table="items", step="OPEN", row=row),
        request("drag", table="items", step="BEGIN", row=row),
        select,
        request("draft", table="items", step="BEGIN", row=row, column="name"),
        request("take_lease", name="cron"),
        request("end_lease", name="cron"),
        node, button,
    ]
    yield from [
        step_frame("other", "MAKE"),
        step_frame("other", "MAKE", root=plain),
        step_frame("main", "REMOVE"),
        step_frame("main", "ATTACH"),
        step_frame("main", "DETACH"),
        step_frame("main", "PUSH", root=detail),
        step_frame("main", "POP"),
        step_frame("main", "POP_TO_ROOT"),
        step_frame("main", "POP_TO", controller=1),
        step_frame("main", "ADD_TAB", root=plain),
        step_frame("main", "REMOVE_TAB", index=0),
        step_frame("main", "SELECT_TAB", index=0),
        step_frame("main", "SET_ITEM", item=item("X")),
        step_frame("main", "TAP_BAR_BUTTON", button=world.button),
        step_frame("main", "SEND_EVENT", node=world.node),
        step_frame("main", "SET_EDITING", editing=True),
        step_frame("main", "BECOME_FIRST_RESPONDER", column="name"),
        step_frame("main", "END_EDITING"),
    ]


def test_a_foreign_epoch_is_refused_by_every_change(ctx):
    world = World(ctx)
    one = world.one
    epoch = one.hello.epoch
    seen, steps = set(), set()
    before = show(one, "main"), [r.row.id for r in one.rows()]
    for frame in requests(world):
        what = frame.WhichOneof("request")
        seen.add(what)
        if what == "scene":
            steps.add(frame.scene.step)
        for wrong, revision, code in (
            (epoch + 1, 1, "WRONG_EPOCH"), (epoch, 1 << 50, "FUTURE_REVISION")):
            if what == "upload_commit":
                frame = world.upload()  # a refused one is gone
            refused = one.refused(expecting(frame, wrong, revision))
            assert refused.code == code, (frame, refused.code)
    every = {f.name for f in ClientFrame.DESCRIPTOR.oneofs_by_name["request"].fields}
    assert seen == every - OTHERS, seen ^ (every - OTHERS)
    kinds = type(ClientFrame().scene).Step.items()
    reads = {"STEP_UNSPECIFIED", "LIST", "SHOW"}
    assert steps == {n for name, n in kinds if name not in reads}, steps
    assert (show(one, "main"), [r.row.id for r in one.rows()]) == before, "nothing was done"


def test_a_step_that_writes_is_refused_where_the_table_has_changed(ctx):
    """Contract E1: leaving a field, also by a tap and with force; nothing is done then."""
    world = World(ctx)
    one, epoch = world.one, world.one.hello.epoch
    row = world.rows[0]
    step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": row})
    step(one, "main", "BECOME_FIRST_RESPONDER", column="name")
    _editing(one, "draft", step="TEXT", text="Typed")
    before = show(one, "main")
    node = before.stacks[0].controllers[-1].id
    for frame in (
        step_frame("main", "POP"), step_frame("main", "TAP_BAR_BUTTON"),
        step_frame("main", "END_EDITING"), step_frame("main", "END_EDITING", force=True),
        step_frame("main", "BECOME_FIRST_RESPONDER", column="serial"),
        step_frame("main", "SET_ITEM", item=item("X"), controller=node),
        step_frame("main", "ADD_TAB", root={"kind": ITEMS, "table": "items"}),
    ):
        assert one.refused(expecting(frame, epoch, 1)).code == "STALE", frame
    assert show(one, "main") == before and one.get(row).rows[0].row.cells[0].text == "i0"
    # As it is now it holds, and what the step itself writes does not break it.
    now = one.table().last_changed
    done = {"system": "done", "action": "endEditing:"}
    reply = one.request(expecting(step_frame("main", "POP"), epoch, now)).scene
    assert len(reply.revisions) == 1 and one.get(row).rows[0].row.cells[0].text == "Typed"
    # A step that writes twice is judged once.
    step(one, "main", "SET_ITEM", item=item("Items", right=[done]))
    # Where no table is shown, the past is as good as the present.
    step(one, "main", "PUSH", root={"kind": VIEW, "class_name": "Plain"})
    frame = expecting(step_frame("main", "SET_ITEM", item=item("Plain")), epoch, 1)
    assert one.request(frame).scene.sequence
    # A header's node has its table's revision.
    frame = ClientFrame()
    frame.set_view_node.table.name = "items"
    frame.set_view_node.node, frame.set_view_node.enabled = world.node, False
    assert one.refused(expecting(frame, epoch, 1)).code == "STALE"
    assert one.request(expecting(frame, epoch, one.table().last_changed))

"""Long changes beside all that others can do (contracts F10, E5, E9, E13, K3, L3, L5, L6).

While an upload commits, or an operation on many rows runs, other clients change the same table and
another one, each in another way: who has to wait does so before anything of it is done, and comes
to what it had come to without the wait. HPD_LARGE=1 takes larger tables.
"""

import os
import time

from client import Refused, batch_frame, delete, insert, update
from fold import snapshot
from live import editing, policies, state, step as edit, step_frame as edit_frame
from run import seeded
from scenes import DETAIL, SceneCopy, item, show, step, step_frame
from schema import ClientFrame
from suite_editing import Watcher, set_policy
from suite_filter import contains, update_where
from suite_tables import create
from suite_transfer import transfer
from suite_upload import upload_frames
from suite_views import HEADER, Bundle, get_header, set_header

IS_LARGE = os.environ.get("HPD_LARGE") == "1"
UPLOADED = 60_000 if IS_LARGE else 17_000
MANY = 100_000 if IS_LARGE else 25_000
ROWS = 10
TABLES = ("items", "other", "aside")


def steps_frame(what, table, **fields):
    frame = ClientFrame()
    body = getattr(frame, what)
    body.table.name = table
    for name, value in fields.items():
        setattr(body, name, value)
    return frame


def big(count, prefix="b"):
    return [insert({"name": f"{prefix}{n}", "value": n}) for n in range(count)]


def text(client, table, row):
    """The name of a row; None where it is gone."""
    found = client.get(row, table=table).rows
    return next((c.text for c in found[0].row.cells if c.column == 1), "") if found else None


class Crew:
    """Clients that each want one thing of a table, all prepared, and what each comes to."""

    def __init__(self, ctx, daemon, table, is_editing):
        self.table = table
        self.ctx, self.daemon = ctx, daemon
        self.wishes = []  # name, client, frame, what holds once it is done
        self.sent = {}
        lead = self.client("lead")
        self.rows = list(
            range(*_span(lead.batch(*[insert({"name": f"i{n}"}) for n in range(ROWS)], table=table)))
        )
        rows = self.rows
        self.want("batch", self.client("batch"), batch_frame(insert({"name": "beside"}), table=table))
        if is_editing:
            editing(lead, True, table)
            self.want(
                "commit", lead, edit_frame("commit_editing", row=rows[1], style=1, table=table),
                lambda c: text(c, table, rows[1]) is None)
            client = self.client("drag")
            edit(client, "drag", "BEGIN", rows[2], table)
            self.want(
                "drag", client, edit_frame("drag", "DROP", table=table, target=(0, 0)),
                lambda c: _path(c, table, rows[2]) == (0, 0))
            client = self.client("confirm")
            edit(client, "confirm", "OPEN", rows[4], table)
            self.want(
                "confirm", client, edit_frame("confirm", "CONFIRM", rows[4], table),
                lambda c: text(c, table, rows[4]) is None)
        else:
            client = self.client("swipe")
            edit(client, "swipe", "OPEN", rows[4], table)
            self.want(
                "swipe", client, edit_frame("swipe", "CONFIRM", rows[4], table),
                lambda c: text(c, table, rows[4]) is None)
        client = self.client("draft")
        edit(client, "draft", "BEGIN", rows[3], table, column="name")
        edit(client, "draft", "TEXT", table=table, text="typed")
        self.want(
            "draft", client, edit_frame("draft", "END", table=table, force=True),
            lambda c: text(c, table, rows[3]) == "typed")
        client = self.client("undo")
        undone = client.insert(table=table, name="undone")
        self.want(
            "undo", client, steps_frame("undo", table), lambda c: text(c, table, undone) is None)
        client = self.client("redo")
        redone = client.insert(table=table, name="redone")
        client.request(steps_frame("undo", table))
        self.want(
            "redo", client, steps_frame("redo", table), lambda c: text(c, table, redone) == "redone")
        client = self.client("restore")
        client.batch(delete(rows[5]), table=table)
        self.want(
            "restore", client, steps_frame("restore_row", table, row=rows[5]),
            lambda c: text(c, table, rows[5]) == "i5")
        self.want(
            "transfer", self.client("transfer"),
            transfer([rows[6]], source=table, target="aside", remove=True),
            lambda c: text(c, table, rows[6]) is None)
        self.scene(rows[7])
        self.want("reload", self.client("reload"), steps_frame("reload_data", table))

    def scene(self, row):
        name, table = f"of {self.table}", self.table
        root = {"kind": 1, "table": table}
        client = self.client("pop")
        step(client, name, "MAKE", roots=[root])
        add = {"system": "add", "action": "addNewItem:"}
        step(client, name, "SET_ITEM", item=item("Items", right=[add]))
        self.watched = SceneCopy(self.client("eyes"), name).wait_state()
        step(client, name, "PUSH", root={"kind": DETAIL, "table": table, "row": row})
        step(client, name, "BECOME_FIRST_RESPONDER", column="name")
        edit(client, "draft", "TEXT", table=table, text="popped")
        self.want(
            "pop", client, step_frame(name, "POP"), lambda c: text(c, table, row) == "popped")
        name = f"list of {table}"
        client = self.client("tap")
        step(client, name, "MAKE", roots=[root])
        step(client, name, "SET_ITEM", item=item("Items", right=[add]))
        (button,) = show(client, name).bar.right
        self.want("tap", client, step_frame(name, "TAP_BAR_BUTTON", button=button.id))

    def client(self, name):
        return self.ctx.client(self.daemon, f"{name}-{self.table}")

    def want(self, name, client, frame, holds=lambda client: True):
        self.wishes.append((name, client, frame, holds))

    def send(self):
        for name, client, frame, _ in self.wishes:
            self.sent[name] = client.send(frame)

    def replies(self):
        """Waits for all; what each says of its revision."""
        revisions = {}
        for name, client, _, _ in self.wishes:
            reply = client.reply()
            assert reply.id == self.sent[name]
            if reply.HasField("error"):
                raise Refused(reply.error)
            body = getattr(reply, reply.WhichOneof("result"))
            revisions[name] = body.revisions[0] if hasattr(body, "revisions") else body.cursor.revision
        return revisions

    def told(self):
        """The names of those that were answered without an error by now."""
        found = []
        for name, client, _, _ in self.wishes:
            try:
                while not client.replies:
                    client.pump(0.001)
            except Exception:  # noqa: BLE001  # the daemon is gone: nothing more comes
                pass
            if client.replies and not client.replies[0].HasField("error"):
                found.append(name)
        return found

    def check(self, client, names=None):
        for name, _, _, holds in self.wishes:
            if names is None or name in names:
                assert holds(client), f"{name} of {self.table}"


def _span(outcome):
    (run,) = outcome.inserted
    return run.first, run.first + run.count


def _path(client, table, row):
    path = client.get(row, table=table).rows[0].path
    return path.section, path.row


def setting(ctx, is_editing):
    """A daemon with three tables, crews on two of them, and watchers of all."""
    bundle = Bundle(ctx)
    bundle.write("HeaderView.xib", HEADER)
    daemon = ctx.daemon(options=["--bundle", bundle.path])
    lead = ctx.client(daemon, "maker")
    for name in TABLES[1:]:
        lead.request(create(name, sections=("",)))
    set_header(lead, view="HeaderView")
    crews = [Crew(ctx, daemon, table, is_editing) for table in TABLES[:2]]
    watchers = {name: Watcher(ctx.client(daemon, f"watcher of {name}"), name) for name in TABLES}
    return daemon, lead, crews, watchers


def beside(lead, crews, client, number, row):
    """Sends all wishes while a long change runs, and looks at the table until it is done."""
    for crew in crews:
        crew.send()
    reader = lead
    node = next(n.id for n in get_header(reader).view.nodes if n.class_name == "UIButton")
    frame = steps_frame("set_view_node", "items", node=node, hidden=True)
    assert not reader.request(frame).editing.unchanged
    looks = 0
    while not client.replies:
        (entry,) = policies(reader, [row])
        # The batch gives the row a policy in the middle: nobody sees it before its revision.
        if entry.HasField("own"):
            client.pump(5)
            break
        assert entry.effective.can_edit
        looks += 1
        try:
            client.pump(0.0001)
        except TimeoutError:
            pass
    reply = client.reply()
    assert reply.id == number, reply
    assert looks > 1, "nobody had a turn"
    if reply.HasField("error"):
        raise Refused(reply.error)
    return reply.batch


def settle(daemon, lead, crews, watchers, revision):
    """All wishes come true in their order, and everybody's copy is the daemon's state."""
    for crew in crews:
        revisions = crew.replies()
        if crew.table == "items":
            early = {name: r for name, r in revisions.items() if r < revision}
            assert not early, f"before the long change, of revision {revision}: {early}"
        else:
            late = {name for name, r in revisions.items() if r > revision}
            assert not late, f"of another table, and waited: {late}"
        crew.check(lead)
        now = show(lead, f"of {crew.table}")
        crew.watched.wait_for(now.sequence)
        assert crew.watched.state == now, f"{crew.watched.state}\n{now}"
        assert not now.responders
    for name, watcher in watchers.items():
        watcher.catch_up()
        assert watcher.copy.canonical() == snapshot(lead, name).canonical(), name
        assert watcher.live.state(lead.table(name).id) == state(lead, name), name


def test_everything_beside_an_upload(ctx):
    daemon, lead, crews, watchers = setting(ctx, is_editing=True)
    client = ctx.client(daemon, "uploader")
    row = crews[0].rows[8]
    operations = [set_policy(row=row, can_edit=False), update(row, name="told")] + big(UPLOADED)
    frames = upload_frames(batch_frame(*operations), size=10_000)
    for part in frames[:-1]:
        client.request(part)
    outcome = beside(lead, crews, client, client.send(frames[-1]), row)
    assert outcome.counts.rows_inserted == UPLOADED
    settle(daemon, lead, crews, watchers, outcome.cursor.revision)
    assert text(lead, "items", row) == "told"


def test_everything_beside_an_update_of_many(ctx):
    daemon, lead, crews, watchers = setting(ctx, is_editing=False)
    client = ctx.client(daemon, "updater")
    for part in upload_frames(batch_frame(*big(MANY, "many")), size=20_000):
        client.request(part)
    row = crews[0].rows[8]
    # One value that no row has, so that each of them changes.
    frame = batch_frame(
        set_policy(row=row, can_edit=False), update_where(contains("many"), {"value": -7}))
    outcome = beside(lead, crews, client, client.send(frame), row)
    assert outcome.counts.rows_updated == MANY
    settle(daemon, lead, crews, watchers, outcome.cursor.revision)


@seeded
def test_killed_beside_others(ctx):
    """kill -9 in the middle: the long change is whole or absent, what was answered stays."""
    daemon, lead, crews, watchers = setting(ctx, is_editing=True)
    client = ctx.client(daemon, "uploader")
    frames = upload_frames(batch_frame(*big(20_000)), size=10_000)
    for part in frames[:-1]:
        client.request(part)
    client.send(frames[-1])
    for crew in crews:
        crew.send()
    time.sleep(ctx.random.random() * 2)
    daemon.kill()
    told = [crew.told() for crew in crews]
    daemon.start()
    lead = ctx.client(daemon, "maker")
    frame = ClientFrame()
    frame.count_rows.table.name = "items"
    rows = lead.request(frame).count.rows
    assert rows < 2 * ROWS or 20_000 <= rows < 20_000 + 2 * ROWS, rows
    for crew, names in zip(crews, told):
        crew.check(lead, names)
    for name, watcher in watchers.items():
        watcher = Watcher(ctx.client(daemon, f"watcher of {name}"), name, watcher.copy)
        assert watcher.copy.canonical() == snapshot(lead, name).canonical(), name
        assert watcher.live.state(lead.table(name).id) == state(lead, name), name
    lead.insert(name="after")


def test_large_steps_are_taken_back_beside_others(ctx):
    """Undo and redo of many rows: byte for byte, in slices, also after kills."""
    daemon = ctx.daemon()
    client, other = ctx.client(daemon, "importer"), ctx.client(daemon, "other")
    other.request(create("other", sections=("",)))
    client.batch(*[insert({"name": f"i{n}"}) for n in range(ROWS)])
    before = _rows(client)
    for part in upload_frames(batch_frame(*big(17_000)), size=17_000):
        client.request(part)
    after = _rows(client)
    for round in range(2):
        for what, wanted in (("undo", before), ("redo", after)):
            number = client.send(steps_frame(what, "items"))
            served = 0
            while not client.replies:
                other.insert(table="other", name="w")
                served += 1
                try:
                    client.pump(0.0001)
                except TimeoutError:
                    pass
            reply = client.reply()
            assert reply.id == number and not reply.HasField("error"), reply
            assert served > 1, f"nobody had a turn beside {what}"
            assert _rows(client) == wanted, what
        daemon.kill() if round == 0 else daemon.stop()
        daemon.start()
        client, other = ctx.client(daemon, "importer"), ctx.client(daemon, "other")
        assert _rows(client) == after
    # A dry run says what would be, and changes nothing.
    assert client.request(steps_frame("undo", "items", dry_run=True)).batch.counts.rows_deleted == 17_000
    assert _rows(client) == after
    # Killed in the middle: taken back wholly or not at all.
    client.send(steps_frame("undo", "items"))
    time.sleep(0.3)
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon, "importer")
    assert _rows(client) in (before, after)


def _rows(client):
    """Rows with their cells, without the revisions in which they came to be so."""
    found = []
    for placed in client.rows():
        placed.row.ClearField("revision")
        found.append(placed.row.SerializeToString())
    return found

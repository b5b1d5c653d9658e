"""A live table with a scene, of the C library, against a real daemon (contract L6)."""

import os
import select
import subprocess

from client import delete
from daemon import wait_until
from livetable import program
from run import seeded
from scenes import EDIT, ITEMS, VIEW, check, item, show, step, step_frame
from schema import ClientFrame
from suite_scenenodes import OWN, TITLE
from suite_scenes import _random_step


class LiveScene:
    """A process that keeps a table and a scene; lines ask for what it holds."""

    def __init__(self, daemon, scene="main", fail_every=0):
        self.log = open(os.path.join(daemon.folder, f"livescene-{id(self)}.log"), "w+b")
        self.process = subprocess.Popen(
            [program(name="livescene"), daemon.socket, "items", scene, str(fail_every)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.buffer = b""

    def line(self, seconds=60):
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], seconds)
            piece = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            assert piece, f"it says no more:\n{self.told()}"
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\n", 1)
        assert not line.startswith(b"fault: "), f"{line}\n{self.told()}"
        return line.decode()

    def told(self):
        self.log.flush()
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def ask(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def scene(self, sequence, start):
        """All of the scene as it is kept, a line for each thing in it."""
        self.ask(f"scene {sequence} {start}")
        lines = []
        while True:
            line = self.line()
            if line == "end":
                return lines
            lines.append(line)

    def rows(self, revision):
        self.ask(f"rows {revision}")
        return int(self.line())

    def state(self):
        self.ask("state")
        phase, *words = self.line().split()
        return dict(zip(words[::2], map(int, words[1::2])), phase=phase)

    def close(self):
        """Ends it; anything but exit 0 (a leak too) is a failure."""
        self.ask("quit")
        status = self.process.wait(60)
        assert status == 0, f"it ended with {status}:\n{self.told()}"
        self.process.stdout.close()
        self.log.close()


def _text(message, field=None):
    if field is None:
        return ' "' + message.encode().hex()
    return ' "' + getattr(message, field).encode().hex() if message.HasField(field) else " -"


def _button(side, button):
    line = f"button {side} {button.id} {int(not button.enabled)} {int(button.edit_button)}"
    return line + "".join(_text(button, f) for f in ("system", "title", "action", "view"))


def _target(connection):
    if connection.HasField("placeholder"):
        return connection.placeholder
    return connection.node


def _node(node):
    line = f"node {node.id} {node.parent} {int(node.enabled)} {int(node.hidden)}"
    for field in ("class_name", "module", "key", "xib_id", "text", "placeholder"):
        line += _text(node, field)
    if node.HasField("frame"):
        frame = node.frame
        line += f" frame {frame.x:g} {frame.y:g} {frame.width:g} {frame.height:g}"
    for title in node.titles:
        line += _text(title.state) + _text(title.title)
    for action in node.actions:
        line += _text(action, "event") + _text(action.selector) + f" {action.target}"
    for outlet in node.outlets:
        line += _text(outlet.property) + f" {_target(outlet)} {int(outlet.collection)}"
    if node.HasField("background"):
        line += f" background {node.background.alpha:g}"
    for color in node.colors:
        line += _text(color, "key") + _text(color.color, "name")
    line += "".join(map(_text, node.autoresizing))
    for setting in node.settings:
        line += _text(setting.key) + _text(setting.value)
    for constraint in node.constraints:
        for field in ("first_attribute", "second_guide", "constant"):
            line += _text(constraint, field)
    return line


def _controller(controller):
    c, made = controller, controller.item
    yield (f"controller {c.id} {c.kind} {c.table} {c.row} {c.section} {int(c.view_loaded)}"
           f" {int(c.editing)} {int(c.gone)}" + _text(c, "class_name") + _text(c, "nib_name"))
    yield (f"item {int(made.hides_back)} {int(made.left_supplements_back)}"
           + _text(made, "title") + _text(made, "title_view") + _text(made, "prompt"))
    for button in made.left:
        yield _button("left", button)
    for button in made.right:
        yield _button("right", button)
    if made.HasField("back"):
        yield _button("back", made.back)
    yield from map(_node, c.nodes)
    for view in c.item_views:
        yield f"view {view.button}"
        yield from map(_node, view.nodes)


def _holder(what, holder):
    return (f"{what} {holder.uid} {holder.client} {holder.lease}"
            + _text(holder.actor) + _text(holder.lease_name))


def lines_of(state):
    """The lines that the program tells of a scene, made of what the server says."""
    selected = f" {state.selected}" if state.HasField("selected") else " more"
    lines = [f"scene {state.sequence} {state.visible}{selected}"
             + _text(state, "name") + _text(state, "language")]
    for stack in state.stacks:
        lines.append(f"stack {stack.id}" + _text(stack, "tab_title"))
        for controller in stack.controllers:
            lines += _controller(controller)
    if state.HasField("more"):
        lines += ["more", *_controller(state.more)]
    bar = state.bar
    lines.append("bar" + _text(bar, "title") + _text(bar, "title_view") + _text(bar, "prompt"))
    if bar.HasField("back"):
        lines.append(_button("back", bar.back))
    lines += [_button("left", b) for b in bar.left] + [_button("right", b) for b in bar.right]
    lines += [_holder("attached", h) for h in state.attached]
    for responder in state.responders:
        lines.append(_holder("responder", responder.holder)
                     + f" {responder.controller} {responder.column} {responder.node}")
    return lines


def _check_equal(live, state, start):
    got, wanted = live.scene(state.sequence, start), lines_of(state)
    for index, (one, other) in enumerate(zip(got, wanted)):
        assert one == other, f"line {index}: {one}\n  expected: {other}\n{live.told()}"
    assert len(got) == len(wanted)


def _start(client):
    """The daemon's start, as events of a scene tell it."""
    client.subscribe(scene="main", scene_only=True)
    while True:
        event = client.event()
        if event.WhichOneof("body") == "scene":
            return event.scene.start


@seeded
def test_two_live_scenes_are_equal_over_kills(ctx):
    """Random steps by three clients; two copies in C, one where every 599th allocation fails, are
    what the server says, also after kill -9 of the server."""
    random = ctx.random
    folder = os.path.join(ctx.folder, "views")
    os.mkdir(folder)
    for name, text in {"Plain": OWN, "Logo": TITLE}.items():
        with open(os.path.join(folder, name + ".xib"), "w", encoding="utf-8") as file:
            file.write(text)
    daemon = ctx.daemon(options=["--bundle", folder])
    clients = [ctx.client(daemon, f"c{n}") for n in range(3)]
    rows = [clients[0].insert(name=f"r{n}") for n in range(6)]
    step(clients[0], "main", "MAKE")
    # A whole state has to fit between two failures: one of many nodes takes some hundreds.
    lives = [LiveScene(daemon), LiveScene(daemon, fail_every=599)]
    counts = {"steps": 0, "kills": 0, "events": 0, "gaps": 0}
    for turn in range(int(os.environ.get("HPD_TURNS", "8"))):
        for _ in range(50):
            client = random.choice(clients)
            state = show(client, "main")
            nodes = [
                n.id for s in state.stacks for c in s.controllers
                for n in list(c.nodes) + [n for v in c.item_views for n in v.nodes]
            ]
            choice = random.random()
            if choice < 0.15 and nodes:
                frame = ClientFrame()
                frame.set_view_node.scene = "main"
                frame.set_view_node.node = random.choice(nodes)
                frame.set_view_node.title = random.choice("ABC")
                frame.set_view_node.hidden = random.random() < 0.3
            elif choice < 0.25:
                buttons = [random.choice([EDIT, {"title": "Go"}, {"view": "Logo"}])]
                frame = step_frame("main", "SET_ITEM", item=item(
                    "T", right=buttons, title_view=random.choice(["Logo", "Plain", "Unknown"])))
            else:
                frame = _random_step(random, state, rows)
            counts["steps"] += 1
            client.send(frame)
            client.reply()
            if random.random() < 0.08:
                gone = rows.pop(random.randrange(len(rows)))
                random.choice(clients).batch(delete(gone))
                rows.append(random.choice(clients).insert(name="new"))
        state = show(clients[0], "main")
        check(state)
        start = _start(clients[0])
        for live in lives:
            _check_equal(live, state, start)
        if turn % 2:
            daemon.kill()
            daemon.start()
            counts["kills"] += 1
            clients = [ctx.client(daemon, f"c{n}") for n in range(3)]
            show(clients[0], "main")
    for live in lives:
        told = live.state()
        counts["events"] += told["events"]
        counts["gaps"] += told["gaps"]
        assert live.rows(0) >= 6
        live.close()
    return counts


def test_a_live_scene_ends_with_its_scene(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    live = LiveScene(daemon)
    # There is none of that name: it is refused, and not asked for again.
    wait_until("its end", lambda: live.state()["phase"] == "ended")
    assert "no scene has that name" in live.told()
    live.close()
    step(client, "main", "MAKE")
    state = show(client, "main")
    live = LiveScene(daemon)
    _check_equal(live, state, _start(client))
    assert live.state()["phase"] == "live"
    step(client, "main", "REMOVE")
    wait_until("its end", lambda: live.state()["phase"] == "ended")
    assert "gap scene_removed" in live.told()
    live.close()
    # Likewise where it goes while there is no connection.
    step(client, "main", "MAKE", root={"kind": VIEW, "class_name": "Panel"})
    live = LiveScene(daemon)
    _check_equal(live, show(client, "main"), _start(client))
    live.process.send_signal(19)
    daemon.kill()
    daemon.start()
    client = ctx.client(daemon)
    step(client, "main", "REMOVE")
    live.process.send_signal(18)
    wait_until("its end", lambda: live.state()["phase"] == "ended")
    assert "gap scene_removed" in live.told(), live.told()
    live.close()


def test_what_a_revision_causes_comes_after_it_in_both(ctx):
    """Contract L6: one stream; the scene's event of a deleted row comes when the row is gone."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    row = client.insert(name="Kettle")
    step(client, "main", "MAKE", root={"kind": ITEMS, "table": "items"})
    live = LiveScene(daemon)
    start = _start(client)
    for _ in range(20):
        step(client, "main", "PUSH", root={"kind": 2, "table": "items", "row": row})
        client.batch(delete(row))
        row = client.insert(name="Kettle")
        _check_equal(live, show(client, "main"), start)
    assert live.rows(0) == 1 and live.state()["gaps"] == 0
    live.close()


def test_the_example_follows_a_restart(ctx):
    """Sequences count anew with each start of hpd: the same number may be another state."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    step(client, "main", "MAKE")
    before = show(client, "main").sequence
    example = subprocess.Popen(
        [program(name="example-scene"), "main"], env={**os.environ, "HPD_SOCKET": daemon.socket},
        stdout=subprocess.PIPE)

    def told():
        ready, _, _ = select.select([example.stdout], [], [], 30)
        return os.read(example.stdout.fileno(), 1 << 12).decode() if ready else "nothing"

    try:
        line = f"main {before}: items, 0 rows, 0 here\n"
        assert told() == line
        daemon.kill()
        daemon.start()
        assert told() == line, "the state after the restart"
        assert show(ctx.client(daemon), "main").sequence == before
    finally:
        example.kill()
        example.wait()
        example.stdout.close()

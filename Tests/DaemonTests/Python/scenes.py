"""Scenes as a client sees them: steps, and a copy that is kept by folding events."""

from schema import ClientFrame, scene as schema

ITEMS = schema.CONTROLLER_KIND_ITEMS
DETAIL = schema.CONTROLLER_KIND_DETAIL
SECTIONS = schema.CONTROLLER_KIND_SECTIONS
VIEW = schema.CONTROLLER_KIND_VIEW


def kind(event):
    """An event's kind without its prefix: NAVIGATION."""
    return schema.SceneEventKind.Name(event.kind).removeprefix("SCENE_EVENT_")


def step_frame(name, step, key=None, root=None, roots=(), **fields):
    """A frame with a step; roots are dictionaries of ControllerSpec's fields, table by name."""
    frame = ClientFrame()
    if key is not None:
        frame.key = key
    frame.scene.scene = name
    frame.scene.step = schema.SceneRequest.Step.Value(step)
    for spec in list(roots) + ([root] if root else []):
        made = frame.scene.roots.add()
        for field, value in spec.items():
            if field == "table":
                made.table.name = value
            else:
                setattr(made, field, value)
    item = fields.pop("item", None)
    if item is not None:
        frame.scene.item.CopyFrom(item)
    for field, value in fields.items():
        setattr(frame.scene, field, value)
    return frame


def step(client, name, what, **fields):
    """Takes a step; returns the reply."""
    return client.request(step_frame(name, what, **fields)).scene


def show(client, name):
    """The scene as the daemon has it."""
    (state,) = step(client, name, "SHOW").scenes
    return state


def listed(client):
    frame = ClientFrame()
    frame.scene.step = schema.SceneRequest.LIST
    return [scene.name for scene in client.request(frame).scene.scenes]


def item(title=None, left=(), right=(), **fields):
    """A navigation item; buttons are dictionaries of BarButton's fields."""
    made = schema.NavigationItem(**fields)
    if title is not None:
        made.title = title
    for side, buttons in (("left", left), ("right", right)):
        for button in buttons:
            getattr(made, side).add(**button)
    return made


EDIT = {"edit_button": True}


class SceneCopy:
    """A scene kept equal by its events alone (Docs/protocol.md)."""

    def __init__(self, client, name, table=None, **fields):
        self.client = client
        fields.setdefault("scene_only", table is None)
        self.reply = client.subscribe(table=table, scene=name, **fields)
        self.subscription = self.reply.subscription
        self.state = None
        self.removed = False
        self.ended = None
        # What came, in order: (kind or body's name, event).
        self.log = []

    def take(self, event):
        """Folds one event of the connection, if it is this subscription's."""
        if event.subscription != self.subscription:
            return
        body = event.WhichOneof("body")
        if body == "ended":
            self.ended = event.ended.reason
        if body != "scene":
            self.log.append((body, event))
            return
        self.log.append((kind(event.scene), event.scene))
        self.fold(event.scene)

    def fold(self, event):
        name = kind(event)
        if name == "STATE":
            self.state = schema.SceneState()
            self.state.CopyFrom(event.state)
            assert self.state.sequence == event.sequence
            return
        if self.state is None:
            return  # an event before the state: nothing to fold it into
        state = self.state
        assert event.sequence == state.sequence + 1, (event.sequence, state.sequence)
        state.sequence = event.sequence
        getattr(self, "on_" + name.lower(), lambda *_: None)(state, event)
        if event.HasField("bar"):
            state.bar.CopyFrom(event.bar)
        if event.HasField("visible"):
            state.visible = event.visible

    def controllers(self):
        for stack in self.state.stacks:
            yield from stack.controllers
        if self.state.HasField("more"):
            yield self.state.more

    def find(self, number):
        return next(c for c in self.controllers() if c.id == number)

    def on_navigation(self, state, event):
        known = {c.id: c for c in self.controllers()}
        stack = next(s for s in state.stacks if s.id == event.stack.id)
        made = [
            known[c.id] if not c.HasField("class_name") else c for c in event.stack.controllers
        ]
        made = [schema.Controller.FromString(c.SerializeToString()) for c in made]
        del stack.controllers[:]
        stack.controllers.extend(made)

    def on_tab_selected(self, state, event):
        if event.HasField("selected"):
            state.selected = event.selected
        else:
            state.ClearField("selected")

    def on_tabs(self, state, event):
        known = {s.id: s for s in state.stacks}
        made = [known[s.id] if not s.controllers else s for s in event.stacks]
        made = [schema.NavigationStack.FromString(s.SerializeToString()) for s in made]
        del state.stacks[:]
        state.stacks.extend(made)
        self.on_tab_selected(state, event)
        if event.HasField("more"):
            state.more.CopyFrom(event.more)
        else:
            state.ClearField("more")

    def replace(self, state, event):
        found = self.find(event.controller.id)
        nodes, views = list(found.nodes), list(found.item_views)
        found.CopyFrom(event.controller)
        if not event.controller.nodes:
            found.nodes.extend(nodes)
        if kind(event) not in ("ITEM", "VIEW_LOADED"):
            found.item_views.extend(views)

    on_item = on_view_loaded = on_editing = on_gone = replace

    def on_button_title(self, state, event):
        controller = self.find(event.controller.id)
        for button in list(controller.item.left) + list(controller.item.right):
            if button.id == event.sender:
                button.title = event.title

    def on_node(self, state, event):
        controller = self.find(event.controller.id)
        (node,) = [
            n for nodes in [controller.nodes] + [v.nodes for v in controller.item_views]
            for n in nodes if n.id == event.node.id
        ]
        node.CopyFrom(event.node)

    @staticmethod
    def same(one, other):
        if one.lease or other.lease:
            return one.lease == other.lease
        return one.client == other.client

    def on_responder(self, state, event):
        kept = [r for r in state.responders if not self.same(r.holder, event.by)]
        at = next(
            (i for i, r in enumerate(state.responders) if self.same(r.holder, event.by)), len(kept)
        )
        kept[at:at] = list(event.responders)
        kept = [schema.Responder.FromString(r.SerializeToString()) for r in kept]
        del state.responders[:]
        state.responders.extend(kept)

    def on_attached(self, state, event):
        state.attached.add().CopyFrom(event.by)

    def on_detached(self, state, event):
        kept = [h for h in state.attached if not self.same(h, event.by)]
        kept = [type(h).FromString(h.SerializeToString()) for h in kept]
        del state.attached[:]
        state.attached.extend(kept)

    def on_removed(self, state, event):
        self.removed = True

    def drain(self):
        """Takes what is there already."""
        while self.client.events:
            self.take(self.client.events.popleft())

    def wait_for(self, sequence):
        """Folds events until a number of them is reached."""
        while self.state is None or self.state.sequence < sequence:
            self.take(self.client.event())
        return self

    def wait_state(self):
        while self.state is None:
            self.take(self.client.event())
        return self

    def kinds(self, *without):
        """The kinds that came after the state, in order."""
        names = [name for name, _ in self.log]
        start = max(i for i, name in enumerate(names) if name == "STATE") + 1
        return [name for name in names[start:] if name not in without + ("progress",)]


def check(state):
    """What always holds of a scene's state."""
    assert state.stacks, "a scene has a tab"
    visible = []
    ids = set()
    for index, stack in enumerate(state.stacks):
        assert stack.controllers, "the root stays"
        assert stack.controllers[0].kind != DETAIL
        if state.HasField("selected") and state.selected == index:
            visible.append(stack.controllers[-1].id)
        for controller in stack.controllers:
            assert controller.id not in ids, "an id twice"
            ids.add(controller.id)
    if not state.HasField("selected"):
        assert len(state.stacks) > 5 and state.HasField("more")
        visible.append(state.more.id)
    assert visible == [state.visible], "exactly one is visible"
    assert state.HasField("more") == (len(state.stacks) > 5)
    top = next(
        c for s in list(state.stacks) for c in s.controllers if c.id == state.visible
    ) if state.HasField("selected") else state.more
    assert top.view_loaded, "what is visible is loaded"
    for button in list(top.item.left) + list(top.item.right) + list(state.bar.left) + list(
        state.bar.right
    ):
        if button.edit_button:
            assert button.title == ("Done" if top.editing else "Edit"), "the title follows"
    holders = set()
    for responder in state.responders:
        assert responder.controller == state.visible, "a dangling first responder"
        holder = (responder.holder.lease, responder.holder.client)
        assert holder not in holders
        holders.add(holder)

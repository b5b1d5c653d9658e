"""Nodes of a scene's own views: clients set what they show, durable with the scene (contract K3)."""

import os

from client import Refused
from scenes import EDIT, ITEMS, VIEW, SceneCopy, item, show, step, step_frame
from schema import ClientFrame
from suite_scenes import _editing
from suite_views import document

OWN = document("""
    <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="PanelController">
      <connections><outlet property="view" destination="top" id="c-1"/></connections>
    </placeholder>
    <view id="top"><rect key="frame" x="0" y="0" width="320" height="200"/>
      <subviews>
        <button id="go"><rect key="frame" x="1" y="2" width="80" height="36"/>
          <state key="normal" title="Go"/>
          <connections><action selector="go:" destination="-1" eventType="touchUpInside" id="c-2"/>
          </connections></button>
        <button id="tgl"><state key="normal" title="Edit"/>
          <connections><action selector="toggleEditingMode:" destination="-1"
            eventType="touchUpInside" id="c-3"/></connections></button>
        <label id="lbl" text="Hello"/>
        <textField id="fld" placeholder="Name"/>
      </subviews></view>""")

TITLE = document("""
    <view id="top"><subviews><label id="lbl" text="Logo"/>
      <button id="tgl"><state key="normal" title="Edit"/>
        <connections><action selector="toggleEditingMode:" destination="-1"
          eventType="touchUpInside" id="c-1"/></connections></button>
    </subviews></view>""")


def set_node(client, node=0, scene="main", frame=None, key=None, lease=None, table=None, **fields):
    """The frame that sets something on a node or a button of a scene."""
    request = ClientFrame()
    if key is not None:
        request.key = key
    if lease is not None:
        request.lease = lease
    if scene is not None:
        request.set_view_node.scene = scene
    if table is not None:
        request.set_view_node.table.name = table
    if node:
        request.set_view_node.node = node
    for name, value in fields.items():
        setattr(request.set_view_node, name, value)
    for name, value in (frame or {}).items():
        setattr(request.set_view_node.frame, name, value)
    return client.request(request).scene


def refusal(client, *args, **fields):
    """The error code that a change of a node is refused with, and its value."""
    try:
        set_node(client, *args, **fields)
    except Refused as refused:
        return refused.code, refused.error.value
    raise AssertionError("it is not refused")


def _panel(ctx, **files):
    """A panel pushed on the items of a scene, and two clients that follow it."""
    folder = os.path.join(ctx.folder, "views")
    os.mkdir(folder)
    for name, text in {"Panel": OWN, "Logo": TITLE, **files}.items():
        with open(os.path.join(folder, name + ".xib"), "w", encoding="utf-8") as file:
            file.write(text)
    daemon = ctx.daemon(options=["--bundle", folder])
    one, two = ctx.client(daemon, "one"), ctx.client(daemon, "two")
    step(one, "main", "MAKE")
    step(one, "main", "PUSH", root={"kind": VIEW, "class_name": "PanelController"})
    copies = [SceneCopy(c, "main").wait_state() for c in (one, two)]
    return daemon, one, two, copies


def _top(state):
    return next(c for s in state.stacks for c in s.controllers if c.id == state.visible)


def _nodes(controller, button=None):
    """The nodes of a controller's own view by their names in the file."""
    return {n.xib_id: n for n in controller.nodes}


def _item_nodes(controller, button=0):
    return {
        n.xib_id: n for view in controller.item_views if view.button == button for n in view.nodes
    }


def _synced(copies, client, sequence):
    state = show(client, "main")
    for copy in copies:
        copy.wait_for(sequence)
        assert copy.state == state
    return state


def test_nodes_of_a_controllers_view(ctx):
    """Title, text, enabled, hidden, frame: told to all as they are set, unchanged told to none."""
    daemon, one, two, copies = _panel(ctx)
    nodes = _nodes(_top(show(one, "main")))
    before = show(one, "main").sequence
    reply = set_node(one, nodes["go"].id, title="Start", enabled=False, hidden=True,
                     frame={"x": 9, "width": 100})
    assert reply.sequence == before + 1 and not reply.unchanged
    state = _synced(copies, two, reply.sequence)
    go = _nodes(_top(state))["go"]
    assert go.titles[0].title == "Start" and not go.enabled and go.hidden
    assert (go.frame.x, go.frame.y, go.frame.width, go.frame.height) == (9, 2, 100, 36)
    assert copies[1].kinds() == ["NODE"]
    (event,) = [e for name, e in copies[1].log if name == "NODE"]
    assert event.by.actor == "one" and event.controller.id == state.visible
    # A label's title is its text; another state of a title is another title.
    set_node(two, nodes["lbl"].id, title="Two\nlines", controller=state.visible)
    reply = set_node(two, nodes["go"].id, title="Pressed", state="highlighted")
    top = _nodes(_top(_synced(copies, one, reply.sequence)))
    assert top["lbl"].text == "Two\nlines"
    assert [(t.state, t.title) for t in top["go"].titles] == [
        ("normal", "Start"), ("highlighted", "Pressed")]
    again = set_node(one, nodes["go"].id, title="Start", hidden=True)
    assert again.unchanged and again.sequence == reply.sequence, "nothing is new"
    refused = one.refused(step_frame("main", "SEND_EVENT", node=nodes["go"].id))
    assert refused.code == "BAD_REQUEST", "it is hidden"
    # So is what lies in something that is hidden.
    step(one, "main", "SEND_EVENT", node=nodes["tgl"].id)
    step(one, "main", "SEND_EVENT", node=nodes["tgl"].id)
    set_node(one, nodes["top"].id, hidden=True)
    for what, name in (("SEND_EVENT", "tgl"), ("BECOME_FIRST_RESPONDER", "fld")):
        refused = one.refused(step_frame("main", what, node=nodes[name].id))
        assert refused.code == "BAD_REQUEST"
    set_node(one, nodes["top"].id, hidden=False)
    # What toggles says what the flag says, whatever is set.
    reply = set_node(one, nodes["tgl"].id, title="Mine")
    assert _nodes(_top(_synced(copies, one, reply.sequence)))["tgl"].titles[0].title == "Edit"
    # A lease's and a retried one.
    frame = {"key": b"k" * 16, "title": "Kept"}
    first = set_node(one, nodes["go"].id, **frame)
    second = set_node(one, nodes["go"].id, **frame)
    assert second.replayed and second.sequence == first.sequence
    _synced(copies, one, first.sequence)


def test_what_is_set_outlives_a_restart(ctx):
    """Durable with the scene: after kill -9 the view is loaded anew with what was set."""
    daemon, one, two, copies = _panel(ctx)
    nodes = _nodes(_top(show(one, "main")))
    set_node(one, nodes["go"].id, title="Start", enabled=False, frame={"height": 50})
    set_node(one, nodes["lbl"].id, title="Bye", hidden=True)
    before = _nodes(_top(show(one, "main")))
    daemon.kill()
    # The file may have changed meanwhile; what it no longer has is left out.
    with open(os.path.join(ctx.folder, "views", "Panel.xib"), "w", encoding="utf-8") as file:
        file.write(OWN.replace('id="lbl"', 'id="other"').replace('title="Edit"', 'title="Alter"'))
    daemon.start()
    one = ctx.client(daemon, "one")
    copy = SceneCopy(one, "main").wait_state()
    after = _nodes(_top(copy.state))
    assert set(after) == {"top", "go", "tgl", "other", "fld"}
    go, old = after["go"], before["go"]
    assert (list(go.titles), go.enabled, go.frame) == (list(old.titles), False, old.frame)
    assert after["other"].text == "Hello" and not after["other"].hidden
    with open(os.path.join(ctx.folder, "views", "Panel.xib"), "w", encoding="utf-8") as file:
        file.write(OWN)
    daemon.kill()
    daemon.start()
    top = _nodes(_top(show(ctx.client(daemon, "one"), "main")))
    assert top["lbl"].text == "Bye" and top["lbl"].hidden


def test_refusals_name_what_is_not_there(ctx):
    daemon, one, two, copies = _panel(ctx)
    state = show(one, "main")
    node = _nodes(_top(state))["go"].id
    root = state.stacks[0].controllers[0].id
    cases = [
        ({"node": node, "scene": "other", "title": "x"}, ("NOT_FOUND", "other")),
        ({"node": node, "controller": 999, "title": "x"}, ("NOT_FOUND", "999")),
        ({"node": 99_999, "title": "x"}, ("NOT_FOUND", "99999")),
        ({"node": node, "controller": root, "title": "x"}, ("NOT_FOUND", str(node))),
        ({"title": "x"}, ("NOT_FOUND", "0")),
        ({"button": 999, "title": "x"}, ("NOT_FOUND", "999")),
        ({"node": node, "button": 5, "title": "x"}, ("BAD_REQUEST", "")),
        ({"button": 5, "hidden": True}, ("BAD_REQUEST", "")),
        ({"node": node, "table": "items", "title": "x"}, ("BAD_REQUEST", "")),
        ({"node": node, "title": "x" * 4097}, ("BAD_VALUE", "")),
        ({"node": node, "title": "a\x07"}, ("BAD_VALUE", "")),
        ({"node": node, "title": "a", "state": "a\nb"}, ("BAD_VALUE", "")),
        ({"node": node, "frame": {"x": float("nan")}}, ("BAD_VALUE", "")),
        ({"node": node, "frame": {"width": float("inf")}}, ("BAD_VALUE", "")),
        ({"node": node, "scene": None, "table": "items", "controller": 1}, ("BAD_REQUEST", "")),
    ]
    for fields, expected in cases:
        assert refusal(one, **fields) == expected, fields
    # More is set than a scene may hold: nothing of the last one stays.
    sequence = show(one, "main").sequence
    states, code = 0, None
    while code is None and states < 200:
        try:
            set_node(one, node, title="x" * 4000, state=f"s{states}")
            states += 1
        except Refused as refused:
            code = refused.code
    assert code == "TOO_MANY_ELEMENTS" and 40 < states < 70, (code, states)
    state = show(one, "main")
    assert state.sequence == sequence + states
    assert len(_nodes(_top(state))["go"].titles) == states + 1
    daemon.kill()
    daemon.start()
    again = show(ctx.client(daemon, "one"), "main")
    assert len(_nodes(_top(again))["go"].titles) == states + 1


def test_bar_buttons_are_set_without_their_item(ctx):
    daemon, one, two, copies = _panel(ctx)
    add = {"title": "Add", "action": "go:"}
    reply = step(one, "main", "SET_ITEM", item=item("Panel", left=[EDIT], right=[add]))
    state = _synced(copies, one, reply.sequence)
    (edit,), (button,) = state.bar.left, state.bar.right
    reply = set_node(two, button=button.id, title="Insert", enabled=False)
    state = _synced(copies, one, reply.sequence)
    assert state.bar.right[0].title == "Insert" and not state.bar.right[0].enabled
    assert copies[0].kinds()[-1] == "ITEM"
    refused = one.refused(step_frame("main", "TAP_BAR_BUTTON", button=button.id))
    assert refused.code == "BAD_REQUEST"
    assert refusal(one, button=edit.id, title="Mine") == ("BAD_REQUEST", "")
    assert set_node(one, button=button.id, title="Insert").unchanged
    set_node(one, button=edit.id, enabled=False)
    daemon.kill()
    daemon.start()
    state = show(ctx.client(daemon, "one"), "main")
    assert state.bar.right[0].title == "Insert" and not state.bar.left[0].enabled


def test_views_of_an_item(ctx):
    """Semantics N12: views that stand for the title and for buttons, where the bundle has them."""
    daemon, one, two, copies = _panel(ctx, Bad=OWN[:300])
    wish = item("Panel", right=[{"view": "Logo"}, {"view": "ClientsOwn"}], title_view="Logo")
    reply = step(one, "main", "SET_ITEM", item=wish)
    state = _synced(copies, one, reply.sequence)
    top = _top(state)
    with_view, without = top.item.right
    assert [v.button for v in top.item_views] == [0, with_view.id], "ClientsOwn is in no bundle"
    title, button = _item_nodes(top), _item_nodes(top, with_view.id)
    assert set(title) == set(button) == {"top", "lbl", "tgl"}
    assert len({n.id for v in top.item_views for n in v.nodes} | {n.id for n in top.nodes}) == 11
    reply = set_node(two, title["lbl"].id, title="Brand", hidden=True)
    top = _top(_synced(copies, one, reply.sequence))
    assert _item_nodes(top)["lbl"].text == "Brand"
    assert _item_nodes(top, with_view.id)["lbl"].text == "Logo", "each view has its own"
    # Their events go to the controller, and what toggles follows its flag.
    reply = step(two, "main", "SEND_EVENT", node=button["tgl"].id)
    top = _top(_synced(copies, one, reply.sequence))
    assert top.editing and _item_nodes(top)["tgl"].titles[0].title == "Done"
    assert copies[0].kinds()[-4:] == ["NODE"] * 3 + ["EDITING"], copies[0].kinds()
    # The same view stays with its nodes; another name loads another one.
    wish.title = "Other"
    wish.right[0].id, wish.right[1].id = with_view.id, without.id
    reply = step(one, "main", "SET_ITEM", item=wish)
    top = _top(_synced(copies, one, reply.sequence))
    assert _item_nodes(top)["lbl"].id == title["lbl"].id
    wish.right[0].view = "Panel"
    reply = step(one, "main", "SET_ITEM", item=wish)
    top = _top(_synced(copies, one, reply.sequence))
    assert set(_item_nodes(top, with_view.id)) == {"top", "go", "tgl", "lbl", "fld"}
    for view, code in (("Bad", "BAD_XIB"), ("../Logo", "BAD_NAME")):
        frame = step_frame("main", "SET_ITEM", item=item("Panel", title_view=view))
        assert one.refused(frame).code == code
    assert _top(show(one, "main")) == top, "nothing of a refused item stays"
    # A restart keeps what was set; without the view it goes.
    daemon.kill()
    daemon.start()
    one = ctx.client(daemon, "one")
    copy = SceneCopy(one, "main").wait_state()
    label = _item_nodes(_top(copy.state))["lbl"]
    assert label.text == "Brand" and label.hidden
    for view in ("Panel", "Logo"):
        reply = step(one, "main", "SET_ITEM", item=item("Panel", title_view=view))
        copy.wait_for(reply.sequence)
    assert copy.state == show(one, "main")
    assert _item_nodes(_top(copy.state))["lbl"].text == "Logo"


def test_item_views_of_a_list_follow_its_table(ctx):
    """The views of a list's item are loaded when it is seen; a swipe shows Done as well."""
    daemon, one, two, copies = _panel(ctx)
    state = show(one, "main")
    root = state.stacks[0].controllers[0].id
    row = one.insert(name="Kettle")
    step(one, "main", "ADD_TAB", root={"kind": ITEMS, "table": "items"})
    tab = show(one, "main").stacks[1].controllers[0].id
    reply = step(one, "main", "SET_ITEM", controller=tab, item=item("Items", title_view="Logo"))
    state = _synced(copies, one, reply.sequence)
    assert not state.stacks[1].controllers[0].item_views, "nobody has seen it"
    reply = step(one, "main", "SELECT_TAB", index=1)
    state = _synced(copies, one, reply.sequence)
    assert copies[0].kinds()[-2:] == ["TAB_SELECTED", "VIEW_LOADED"] and root != tab
    toggle = _item_nodes(_top(state))["tgl"]
    for editing in (True, False):
        reply = step(two, "main", "SEND_EVENT", node=toggle.id)
        assert reply.performed == ["toggleEditingMode:"]
        state = _synced(copies, one, reply.sequence)
        title = _item_nodes(_top(state))["tgl"].titles[0].title
        assert title == ("Done" if editing else "Edit")
        names = copies[0].kinds()
        assert names[-3:] == ["NODE", "EDITING", "EDITING"], "the title, then both lists' flags"
    for step_name, title in (("OPEN", "Done"), ("CANCEL", "Edit")):
        _editing(two, "swipe", step=step_name, row=row)
        state = _synced(copies, one, show(one, "main").sequence)
        assert _item_nodes(_top(state))["tgl"].titles[0].title == title
        assert copies[0].kinds()[-1] == "NODE", "after the flag"


def test_a_text_field_takes_the_keyboard(ctx):
    """Semantics N8: of a node of the controller's own view, for each holder; gone with what hides it."""
    daemon, one, two, copies = _panel(ctx)
    nodes = _nodes(_top(show(one, "main")))
    field = nodes["fld"].id
    reply = step(one, "main", "BECOME_FIRST_RESPONDER", node=field)
    step(two, "main", "BECOME_FIRST_RESPONDER", node=field)
    state = _synced(copies, one, reply.sequence + 1)
    assert [(r.node, r.holder.actor) for r in state.responders] == [(field, "one"), (field, "two")]
    assert step(one, "main", "BECOME_FIRST_RESPONDER", node=field).unchanged
    for fields, code in [
        ({"node": nodes["go"].id}, "BAD_REQUEST"), ({"node": 99_999}, "NOT_FOUND"), ({}, "BAD_REQUEST"),
        ({"node": field, "column": "name"}, "BAD_REQUEST"), ({"column": "name"}, "BAD_REQUEST"),
        ({"node": field, "controller": state.stacks[0].controllers[0].id}, "BAD_REQUEST"),
        ({"node": field, "controller": 999}, "NOT_FOUND"),
    ]:
        frame = step_frame("main", "BECOME_FIRST_RESPONDER", **fields)
        assert one.refused(frame).code == code, fields
    reply = step(one, "main", "END_EDITING")
    assert reply.resigned and not reply.unchanged
    reply = set_node(one, field, enabled=False)
    state = _synced(copies, one, reply.sequence)
    assert not state.responders and copies[0].kinds()[-2:] == ["RESPONDER", "NODE"]
    assert one.refused(
        step_frame("main", "BECOME_FIRST_RESPONDER", node=field)).code == "BAD_REQUEST"
    set_node(one, field, enabled=True)
    step(two, "main", "BECOME_FIRST_RESPONDER", node=field)
    reply = set_node(one, nodes["top"].id, hidden=True)
    assert not _synced(copies, one, reply.sequence).responders, "it can't be seen any more"
    set_node(one, nodes["top"].id, hidden=False)
    step(two, "main", "BECOME_FIRST_RESPONDER", node=field)
    reply = step(one, "main", "POP")
    assert not _synced(copies, one, reply.sequence).responders, "it left with its screen"


def test_lists_and_details_have_nibs_too(ctx):
    """Semantics X11: a nib-backed controller loads its nib when its view is first needed."""
    list_nib = OWN.replace("PanelController", "HPItemsController")
    daemon, one, two, copies = _panel(
        ctx, List=list_nib, HPDetail=OWN.replace("PanelController", "HPDetailController"))
    row = one.insert(name="Kettle")
    assert not show(one, "main").stacks[0].controllers[0].nodes, "no nib of the list's class"
    reply = step(one, "main", "ADD_TAB", root={
        "kind": ITEMS, "table": "items", "nib_name": "List"})
    step(one, "main", "SELECT_TAB", index=1)
    reply = step(one, "main", "PUSH", root={"kind": 2, "table": "items", "row": row})
    state = _synced(copies, one, reply.sequence)
    top, root = _top(state), state.stacks[1].controllers[0]
    assert set(_nodes(root)) == set(_nodes(top)) == {"top", "go", "tgl", "lbl", "fld"}
    # Its actions are the list's, and what toggles follows its table.
    step(one, "main", "POP")
    reply = step(two, "main", "SEND_EVENT", node=_nodes(root)["tgl"].id)
    assert reply.performed == ["toggleEditingMode:"] and reply.editing
    state = _synced(copies, one, reply.sequence)
    assert _nodes(_top(state))["tgl"].titles[0].title == "Done"
    set_node(one, _nodes(root)["lbl"].id, title="Mine")
    daemon.kill()
    daemon.start()
    assert _nodes(_top(show(ctx.client(daemon, "one"), "main")))["lbl"].text == "Mine"
    refused = ctx.client(daemon, "one").refused(step_frame("main", "PUSH", root={
        "kind": ITEMS, "table": "items", "nib_name": "Logo"}))
    assert refused.code == "NO_SUCH_OUTLET", "that nib has no view for its owner"


def test_a_view_that_went_bad_is_logged_once(ctx):
    """The log says which file and line, once for each fault and not at each look."""
    daemon, one, two, copies = _panel(ctx)
    daemon.kill()
    path = os.path.join(ctx.folder, "views", "Panel.xib")

    def spoil(text):
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def told():
        with open(daemon.log, encoding="utf-8") as file:
            return [line for line in file if "a view can't be loaded" in line]

    spoil(OWN[:300])
    daemon.start()
    one = ctx.client(daemon, "one")
    for _ in range(3):
        assert not _top(show(one, "main")).view_loaded
    (line,) = told()
    assert "file=Panel.xib:" in line and "class=PanelController" in line, line
    spoil("\n\n" + OWN[:300])
    show(one, "main"), show(one, "main")
    assert len(told()) == 2
    spoil(OWN)
    assert _top(show(one, "main")).view_loaded

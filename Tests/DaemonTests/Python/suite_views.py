"""Views: .xib files of the bundle as data (semantics 1.5, 2.9, 3 X, 4; contract K3)."""

import os

from client import Refused, batch_frame, insert, insert_section
from live import kind_name, toggle
from schema import ClientFrame, batch as batch_schema, model, view

TYPE = "com.apple.InterfaceBuilder3.CocoaTouch.XIB"

HEADER = """<?xml version="1.0" encoding="UTF-8"?>
<document type="%s" version="3.0">
  <objects>
    <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="HPItemsController">
      <connections><outlet property="headerView" destination="top" id="c1"/></connections>
    </placeholder>
    <view id="top">
      <rect key="frame" x="0.0" y="0.0" width="360" height="48"/>
      <subviews>
        <button id="edit"><state key="normal" title="Edit"/><connections>
          <action selector="toggleEditingMode:" destination="-1" eventType="touchUpInside" id="c2"/>
        </connections></button>
        <button id="new"><state key="normal" title="New"/><connections>
          <action selector="addNewItem:" destination="-1" eventType="touchUpInside" id="c3"/>
          <action selector="toggleEditingMode:" destination="-1" eventType="touchUpInside" id="c4"/>
        </connections></button>
      </subviews>
      <color key="backgroundColor" white="1" alpha="0.0" colorSpace="custom"
        customColorSpace="calibratedWhite"/>
    </view>
  </objects>
</document>
""" % TYPE


def document(objects):
    return '<document type="%s"><objects>\n%s\n</objects></document>' % (TYPE, objects)


class Bundle:
    """A folder of .xib files."""

    def __init__(self, ctx, name="bundle"):
        self.path = os.path.join(ctx.folder, name)
        os.makedirs(self.path)

    def write(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(path + ".new", path)


def load(client, name=None, parts=None, **fields):
    frame = ClientFrame()
    frame.load_nib.SetInParent()
    if name is not None:
        frame.load_nib.name = name
    for key, value in fields.items():
        if isinstance(value, list):
            getattr(frame.load_nib, key).extend(value)
        else:
            setattr(frame.load_nib, key, value)
    client.send(frame)
    whole = None
    while True:
        reply = client.reply()
        if reply.HasField("error"):
            raise Refused(reply.error)
        if parts is not None:
            parts.append(reply)
        whole = whole or view.NibLoaded()
        whole.MergeFrom(reply.nib)
        if not reply.more:
            return whole


def refusal(client, name=None, **fields):
    try:
        load(client, name, **fields)
    except Refused as refused:
        return refused.error, refused.code
    raise AssertionError(f"{name} was loaded")


def test_two_clients_load_a_header(ctx):
    """semantics X1, X2, X8, X9."""
    bundle = Bundle(ctx)
    bundle.write("HeaderView.xib", HEADER)
    daemon = ctx.daemon()
    ids = set()
    for client in (ctx.client(daemon), ctx.client(daemon)):
        for _ in range(2):
            nib = load(client, "HeaderView", owner_class="HPItemsController")
            view, edit, new = nib.nodes
            assert [node.class_name for node in nib.nodes] == ["UIView", "UIButton", "UIButton"]
            assert [node.parent for node in nib.nodes] == [0, view.id, view.id]
            assert list(nib.top_level) == [view.id] and not nib.dropped
            (outlet,) = nib.owner_outlets
            assert (outlet.property, outlet.node) == ("headerView", view.id)
            assert nib.file == "HeaderView.xib" and list(nib.tried)[-1] == nib.file
            assert not nib.warnings
            assert view.background.alpha == 0 and view.frame.height == 48
            assert edit.titles[0].title == "Edit" and edit.titles[0].state == "normal"
            assert [(a.event, a.selector, a.target) for a in new.actions] == [
                ("touchUpInside", "addNewItem:", -1),
                ("touchUpInside", "toggleEditingMode:", -1),
            ]
            fresh = {node.id for node in nib.nodes}
            assert not fresh & ids, "each call makes new objects"
            ids |= fresh


def test_the_bundle_may_lie_elsewhere(ctx):
    bundle = Bundle(ctx, "views")
    bundle.write("HeaderView.xib", HEADER)
    client = ctx.client(ctx.daemon(options=["--bundle", bundle.path]))
    assert len(load(client, "HeaderView").nodes) == 3
    plain = ctx.client(ctx.daemon("other"))
    error, code = refusal(plain, "HeaderView")
    assert code == "NOT_FOUND" and error.value == "HeaderView"


def test_owners_and_outlets(ctx):
    """semantics X3: another class is a warning, a missing outlet an error."""
    Bundle(ctx).write("HeaderView.xib", HEADER)
    client = ctx.client(ctx.daemon())
    nib = load(client, "HeaderView", owner_class="Other")
    assert len(nib.warnings) == 1 and "HPItemsController" in nib.warnings[0]
    load(client, "HeaderView", owner_class="Other", outlets=["view", "headerView"])
    error, code = refusal(client, "HeaderView", owner_class="Other", outlets=["view"])
    assert code == "NO_SUCH_OUTLET"
    assert (error.file, error.line, error.value) == ("HeaderView.xib", 5, "headerView")


def test_unreferenced_trees_are_gone(ctx):
    """semantics X5."""
    bundle = Bundle(ctx)
    bundle.write(
        "Two.xib",
        document(
            '<placeholder id="-1"><connections>'
            '<outlet property="kept" destination="a" id="c1"/></connections></placeholder>'
            '<view id="a"/><view id="b"><subviews><button id="c"/></subviews></view>'
        ),
    )
    bundle.write("Empty.xib", document('<placeholder id="-1"/><placeholder id="-2"/>'))
    client = ctx.client(ctx.daemon())
    nib = load(client, "Two", owner_class="C")
    assert [node.xib_id for node in nib.nodes] == ["a"]
    assert len(nib.top_level) == 2 and list(nib.dropped) == [nib.top_level[1]]
    for fields in ({}, {"owner_class": "C", "keep": True}):
        assert len(load(client, "Two", **fields).nodes) == 3
    assert not load(client, "Empty", owner_class="C").top_level


def test_languages_and_the_search_for_a_view(ctx):
    """semantics 2.9, X10."""
    bundle = Bundle(ctx)
    nib = (
        '<placeholder id="-1"><connections><outlet property="view" destination="v" id="c"/>'
        '</connections></placeholder><view customClass="%s" id="v"/>'
    )
    bundle.write("ItemsView.xib", document(nib % "Plain"))
    bundle.write("fr.lproj/ItemsView.xib", document(nib % "French"))
    bundle.write("HeaderView.xib", HEADER)
    client = ctx.client(ctx.daemon())

    def found(**fields):
        nib = load(client, **fields)
        (outlet,) = [o for o in nib.owner_outlets if o.property == "view"]
        (node,) = [n for n in nib.nodes if n.id == outlet.node]
        return node.class_name, nib.file, list(nib.tried)

    assert found(controller_class="ItemsViewController")[:2] == ("Plain", "ItemsView.xib")
    assert found(controller_class="ItemsViewController", language="fr-CA") == (
        "French", "fr.lproj/ItemsView.xib",
        ["fr-CA.lproj/ItemsView.xib", "fr.lproj/ItemsView.xib"],
    )
    assert found(controller_class="Detail", name="ItemsView")[0] == "Plain"
    assert found(controller_class="Detail") == (
        "UIView", "", ["Base.lproj/Detail.xib", "Detail.xib"]
    )
    for name in ("ItemsTableViewController", "HPItemsController"):
        nib = load(client, controller_class=name)
        (table,) = nib.nodes
        assert table.class_name == "UITableView" and not nib.file
        assert [(o.property, o.placeholder) for o in table.outlets] == [
            ("dataSource", -1), ("delegate", -1)]
    error, code = refusal(client, controller_class="HeaderViewController")
    assert code == "NO_SUCH_OUTLET" and error.file == "HeaderView.xib"
    assert error.message == 'loaded the "HeaderView" nib but the view outlet was not set.'


BAD = {
    "Broken": ("<document", "BAD_XIB", 1),
    "Cut": (HEADER[: len(HEADER) // 2], "BAD_XIB", None),
    "Bomb": (
        '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<document type="&b;"/>',
        "BAD_XIB", 1,
    ),
    "Outside": (
        '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<document type="&a;"/>',
        "BAD_XIB", 1,
    ),
    "Dangling": (
        document('<view id="a">\n<connections><outlet property="x" destination="b" id="c"/>'
                 "</connections></view>"), "BAD_XIB", 3,
    ),
    "Twice": (document('<view id="a"/>\n<view id="a"/>'), "BAD_XIB", 3),
    "Deep": (
        document("\n" + "<view><subviews>" * 100 + "</subviews></view>" * 100), "BAD_XIB", 3),
    "Many": (document("\n" + "<view/>" * 100_000), "BAD_XIB", 3),
    "Other": ("<plist/>", "BAD_XIB", 1),
    "Nothing": ("", "BAD_XIB", 1),
    "Old": ("<?xml version='1.0'?>\n<archive version='8.00'><data/></archive>", "LEGACY_XIB", 2),
}


def test_bad_files_are_refused_by_file_and_line(ctx):
    bundle = Bundle(ctx)
    for name, (text, _, _) in BAD.items():
        bundle.write(name + ".xib", text)
    bundle.write("Good.xib", HEADER)
    os.mkdir(os.path.join(bundle.path, "Folder.xib"))
    os.mkfifo(os.path.join(bundle.path, "Pipe.xib"))
    bundle.write("Large.xib", " " * (9 << 20))
    client = ctx.client(ctx.daemon())
    first = load(client, "Good").nodes[0].id
    for name, (_, wanted, line) in BAD.items():
        for _ in range(2):
            error, code = refusal(client, name)
            assert code == wanted, (name, error)
            assert error.file == name + ".xib" and error.line, (name, error)
            assert line is None or error.line == line, (name, error)
            assert error.expected
    for name in ("Folder", "Pipe", "Large"):
        error, code = refusal(client, name)
        assert code == "BAD_XIB" and error.file == name + ".xib"
    # Nothing was made of them.
    assert load(client, "Good").nodes[0].id == first + 3


def test_tricks_in_names_are_refused(ctx):
    bundle = Bundle(ctx)
    bundle.write("HeaderView.xib", HEADER)
    with open(os.path.join(ctx.folder, "Outside.xib"), "w", encoding="utf-8") as file:
        file.write(HEADER)
    client = ctx.client(ctx.daemon())
    for name in ("", ".", "..", "../Outside", "/etc/passwd", "a/b", "a\\b", ".HeaderView",
                 "a\nb", "a" * 200):
        assert refusal(client, name)[1] == "BAD_NAME", name
        assert refusal(client, name, controller_class="C")[1] == "BAD_NAME", name
        assert refusal(client, "HeaderView", language=name)[1] == "BAD_NAME", name
    assert refusal(client, "a\0b")[1] == "BAD_TEXT"
    assert refusal(client)[1] == "BAD_NAME"
    for name in ("Gone", "HeaderView.xib", "Outside"):
        error, code = refusal(client, name)
        assert code == "NOT_FOUND" and f"{name}.xib" in error.hint


def test_changed_files_are_noticed(ctx):
    """On request, and never half: a reader sees one file or another, or a fault."""
    bundle = Bundle(ctx)
    client = ctx.client(ctx.daemon())
    path = os.path.join(bundle.path, "V.xib")
    for turn in range(100):
        text = document(f'<button title="{turn % 10}" id="b"/>' + "<view/>" * 50)
        if turn % 2:
            bundle.write("V.xib", text)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text[: len(text) // 2])
                file.flush()
                assert refusal(client, "V")[1] == "BAD_XIB"
                file.write(text[len(text) // 2 :])
        nib = load(client, "V")
        assert nib.nodes[0].titles[0].title == str(turn % 10), turn
        assert len(nib.nodes) == 51
    os.remove(path)
    assert refusal(client, "V")[1] == "NOT_FOUND"


def test_large_ones_come_in_parts(ctx):
    bundle = Bundle(ctx)
    buttons = "".join(
        f'<button id="b{n}"><rect key="frame" x="{n}" y="0" width="80" height="36"/>'
        f'<state key="normal" title="Button {n}"/><connections><action selector="press:" '
        f'destination="-1" eventType="touchUpInside" id="c{n}"/></connections></button>\n'
        for n in range(9_999)
    )
    bundle.write("Large.xib", document(f'<view id="top"><subviews>{buttons}</subviews></view>'))
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    parts = []
    nib = load(client, "Large", parts=parts)
    assert len(nib.nodes) == 10_000 and len(parts) > 1
    assert all(part.ByteSize() < 1 << 20 for part in parts)
    assert nib.nodes[9_999].titles[0].title == "Button 9998"
    # One who does not read hinders nobody.
    slow = ctx.client(daemon)
    frame = ClientFrame()
    frame.load_nib.name = "Large"
    for _ in range(30):
        slow.send(frame)
    assert len(load(client, "Large").nodes) == 10_000


def set_header(client, footer=False, section=None, **value):
    """Sets a header or footer; without a value it is taken away."""
    op = batch_schema.Operation()
    op.set_header_footer.footer = footer
    if section is not None:
        op.set_header_footer.section.id = section
    if value:
        op.set_header_footer.value.CopyFrom(model.HeaderFooter(**value))
    return client.batch(op)


def get_header(client, footer=False, section=None):
    frame = ClientFrame()
    frame.get_header.table.name = "items"
    frame.get_header.footer = footer
    if section is not None:
        frame.get_header.section.id = section
    client.send(frame)
    whole = view.HeaderShown()
    while True:
        reply = client.reply()
        if reply.HasField("error"):
            raise Refused(reply.error)
        whole.MergeFrom(reply.header)
        if not reply.more:
            return whole


def set_node(client, node, frame=None, **fields):
    request = ClientFrame()
    request.set_view_node.table.name = "items"
    request.set_view_node.node = node
    for key, value in fields.items():
        setattr(request.set_view_node, key, value)
    for key, value in (frame or {}).items():
        setattr(request.set_view_node.frame, key, value)
    return client.request(request).editing


class Screen:
    """A client that follows live state, in order."""

    def __init__(self, ctx, daemon):
        self.client = ctx.client(daemon)
        self.number = self.client.subscribe(live_state=True).subscription
        self.token = 0
        self.events()

    def events(self):
        """What came since the last time: revisions and live events."""
        self.token += 1
        self.client.barrier(self.number, self.token)
        order = []
        while True:
            event = self.client.event()
            body = event.WhichOneof("body")
            if body == "barrier" and event.barrier.token == self.token:
                return order
            if body == "change":
                order.append(event.change.revision)
            elif body == "live_state":
                order.append(event.live_state)

    def nodes(self):
        """What came since the last time: nodes only."""
        return [e.node for e in self.events() if not isinstance(e, int)
                and kind_name(e) == "VIEW_CHANGED"]


def test_a_header_is_loaded_once_and_shared(ctx):
    """semantics X1, X7; contract K3."""
    bundle = Bundle(ctx)
    bundle.write("HeaderView.xib", HEADER)
    daemon = ctx.daemon()
    first, second = ctx.client(daemon), ctx.client(daemon)
    assert not get_header(first).HasField("value")
    done = set_header(first, view="HeaderView", owner="HPItemsController", language="fr")
    assert done.cursor.revision and not done.unchanged
    assert set_header(first, view="HeaderView", owner="HPItemsController", language="fr").unchanged
    shown = get_header(first)
    assert shown.value == first.table().header
    assert (shown.value.owner, shown.value.language) == ("HPItemsController", "fr")
    assert shown.present and shown.height == 48 and shown.loads == 1
    assert [t.title for n in shown.view.nodes for t in n.titles] == ["Edit", "New"]
    assert shown.view.owner_outlets[0].node == shown.view.nodes[0].id
    assert get_header(second) == shown and get_header(first) == shown
    # A file that changes is a matter of the next load.
    bundle.write("HeaderView.xib", HEADER.replace("New", "Add"))
    assert get_header(second) == shown
    # Another header is another view; the durable part survives a restart.
    set_header(second, view="HeaderView", owner="HPItemsController")
    again = get_header(first)
    assert again.view.nodes[0].id > shown.view.nodes[-1].id
    assert [t.title for n in again.view.nodes for t in n.titles] == ["Edit", "Add"]
    daemon.kill()
    daemon.start()
    assert get_header(ctx.client(daemon)).value == again.value


def test_heights_and_what_is_hidden(ctx):
    """semantics 2.8."""
    bundle = Bundle(ctx)
    bundle.write("HeaderView.xib", HEADER)
    bundle.write("Bare.xib", document('<view id="a"/>'))
    client = ctx.client(ctx.daemon())
    section = client.table().sections[0].id
    for of in (None, section):
        for footer in (False, True):
            def height(**value):
                set_header(client, footer, of, **value)
                shown = get_header(client, footer, of)
                assert shown.present == (shown.height != 0), shown
                assert shown.HasField("view") == (shown.present and "view" in value)
                return shown.height

            assert height(title="Upstairs") == 28
            assert height(title="") == 28
            assert height(title="Upstairs", height=44.5) == 44.5
            assert height(title="Upstairs", height=0.0) == 0
            assert height(height=44.0) == 0, "neither view nor title"
            assert height(view="HeaderView") == 48
            assert height(view="HeaderView", height=60.0) == 60
            assert height(view="Bare") == 28
            assert height(view="Gone", height=0.0) == 0, "it is not even asked for"
            assert height() == 0
    set_header(client, view="Gone")
    try:
        get_header(client)
    except Refused as refused:
        assert refused.code == "NOT_FOUND" and refused.error.value == "Gone"
    else:
        raise AssertionError("a view that is not there is shown")


def test_nodes_are_live_for_all(ctx):
    """contract K3: no revision, an event to all, in order with the changes."""
    Bundle(ctx).write("HeaderView.xib", HEADER)
    daemon = ctx.daemon()
    one, other = Screen(ctx, daemon), Screen(ctx, daemon)
    section = one.client.table().sections[0].id
    set_header(one.client, view="HeaderView", owner="HPItemsController")
    set_header(one.client, section=section, footer=True, view="HeaderView")
    top, edit, new = get_header(one.client).view.nodes
    below = get_header(one.client, footer=True, section=section).view.nodes[2]
    assert len(one.events()) == len(other.events()) == 2
    revision = one.client.table().last_changed

    reply = set_node(other.client, new.id, title="Another", enabled=False, hidden=True,
                     frame={"x": 7.5})
    assert not reply.unchanged and reply.cursor.revision == revision
    for screen in (one, other):
        (event,) = screen.events()
        assert kind_name(event) == "VIEW_CHANGED" and not event.HasField("section")
        assert event.by.client == other.client.hello.client
        assert event.node.id == new.id and event.node.titles[0].title == "Another"
        assert not event.node.enabled and event.node.hidden and event.node.frame.x == 7.5
        assert event.sequence == reply.sequence
        assert get_header(screen.client).view.nodes[2] == event.node
    assert one.client.table().last_changed == revision

    assert set_node(one.client, new.id, title="Another").unchanged
    set_node(one.client, new.id, title="Pressed", state="highlighted")
    assert [t.state for t in get_header(other.client).view.nodes[2].titles] == [
        "normal", "highlighted"]
    set_node(one.client, below.id, title="Below")
    events = other.events()
    assert [kind_name(e) for e in events] == ["VIEW_CHANGED"] * 2
    assert events[1].section == section and events[1].footer

    # The view goes with its header.
    set_header(one.client)
    for node in (top.id, 0, 1 << 40):
        try:
            set_node(one.client, node, hidden=True)
        except Refused as refused:
            assert refused.code == "NOT_FOUND", refused
        else:
            raise AssertionError("a node that nobody sees was changed")
    assert [e for e in other.events() if not isinstance(e, int)] == []


def test_headers_name_what_can_be_a_file(ctx):
    """A name that no file of the bundle can have is refused where it is set, in every operation."""
    client = ctx.client(ctx.daemon(), "one")
    before = client.table()
    for value, code in (
        ({"view": "../x"}, "BAD_NAME"), ({"view": ""}, "BAD_NAME"),
        ({"view": "a\\b"}, "BAD_NAME"), ({"view": "x" * 129}, "BAD_NAME"),
        ({"view": "V", "owner": "O", "language": "../fr"}, "BAD_NAME"),
        ({"title": "T", "height": 1e308}, "BAD_VALUE"), ({"title": "T", "height": -1}, "BAD_VALUE"),
    ):
        whole = model.HeaderFooter(**value)
        for footer in (False, True):
            op = batch_schema.Operation()
            op.set_header_footer.footer = footer
            op.set_header_footer.value.CopyFrom(whole)
            section = batch_schema.Operation()
            field = section.insert_section.footer if footer else section.insert_section.header
            field.CopyFrom(whole)
            for made in (op, section):
                refused = client.refused(batch_frame(insert({"name": "x"}), made))
                assert (refused.code, refused.error.operation) == (code, 1), (made, refused)
    assert client.table() == before


def test_frames_have_a_size(ctx):
    """A frame is finite, in reach, of no negative size: set by a client, or in a file."""
    bundle = Bundle(ctx)
    bundle.write("Header.xib", document('<button id="a"><state key="normal" title="A"/></button>'))
    client = ctx.client(ctx.daemon(options=["--bundle", bundle.path]), "one")
    set_header(client, view="Header")
    node = next(n.id for n in get_header(client).view.nodes if n.titles)
    for frame in (
        {"width": -1}, {"height": -0.5}, {"x": 1e308}, {"y": -1e8}, {"width": float("inf")},
        {"height": float("nan")}, {"width": 1e300, "height": 1},
    ):
        try:
            set_node(client, node, frame=frame)
        except Refused as refused:
            assert refused.code == "BAD_VALUE", refused
        else:
            raise AssertionError(frame)
    set_node(client, node, frame={"x": -5, "y": 1e7, "width": 0, "height": 3})
    for number in ("1e308", "-1e9"):
        bundle.write("Far.xib", document(
            f'<view id="a"><rect key="frame" x="{number}" y="0" width="1" height="1"/></view>'))
        assert refusal(client, "Far")[1] == "BAD_XIB"


def test_a_header_says_edit_or_done(ctx):
    """semantics 2.5.9: the title follows the editing state, whoever changed it."""
    Bundle(ctx).write("HeaderView.xib", HEADER)
    daemon = ctx.daemon()
    one, other = Screen(ctx, daemon), Screen(ctx, daemon)
    set_header(one.client, view="HeaderView", owner="HPItemsController")
    edit = get_header(one.client).view.nodes[1].id
    one.events(), other.events()
    for client, title in ((one.client, "Done"), (other.client, "Edit"), (other.client, "Done")):
        toggle(client)
        for screen in (one, other):
            nodes = {node.id: node for node in screen.nodes()}
            assert nodes[edit].titles[0].title == title
            assert get_header(screen.client).view.nodes[1].titles[0].title == title
    # It can't be told to say something else.
    set_node(one.client, edit, title="Stop")
    assert other.nodes()[-1].titles[0].title == "Done"
    other.client.close()
    toggle(one.client)
    assert get_header(one.client).view.nodes[1].titles[0].title in ("Edit", "Done")


def test_the_nodes_of_all_headers_are_bounded(ctx):
    """100,000 nodes in headers and footers together; what is shown no more makes room."""
    bundle = Bundle(ctx)
    bundle.write("Large.xib", document("<view/>" * 14_990))
    client = ctx.client(ctx.daemon())
    sections = []
    for n in range(7):
        sections.append(client.batch(insert_section(f"s{n}")).inserted_sections[0].first)
        set_header(client, section=sections[n], view="Large")
    for section in sections[:6]:
        assert len(get_header(client, section=section).view.nodes) == 14_990
    frame = ClientFrame()
    frame.get_header.table.name = "items"
    frame.get_header.section.id = sections[6]
    refused = client.refused(frame)
    assert refused.code == "TOO_MANY_ELEMENTS" and "100000" in refused.error.expected
    assert get_header(client, section=sections[0]).loads == 1, "the others stay"
    set_header(client, section=sections[0], title="Text")
    assert len(get_header(client, section=sections[6]).view.nodes) == 14_990

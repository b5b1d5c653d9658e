"""Views: .xib files of the bundle as data (semantics 1.5, 2.9, 3 X, 4; contract K3)."""

import os

from client import Refused
from schema import ClientFrame, view

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
    number = client.send(frame)
    whole = None
    while True:
        reply = client.reply(number)
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

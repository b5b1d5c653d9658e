"""Scenes: screens that several clients share (SPEC 7, semantics 1.6 and 2.10, contracts L2, L6)."""

import os

from client import Refused, batch_frame, delete, delete_section, insert, insert_section, update
from daemon import wait_until
from run import seeded
from scenes import (
    DETAIL, EDIT, ITEMS, SECTIONS, VIEW, SceneCopy, check, item, kind, listed, show, step,
    step_frame,
)
from schema import ClientFrame, feed, live
from suite_views import get_header, set_header, set_node


def pair(ctx, daemon=None):
    """Two clients of one daemon."""
    daemon = daemon or ctx.daemon()
    return daemon, ctx.client(daemon, "one"), ctx.client(daemon, "two")


def test_a_scene_is_made_listed_and_removed(ctx):
    daemon, one, two = pair(ctx)
    reply = step(one, "main", "MAKE", language="fr")
    (state,) = reply.scenes
    assert state.name == "main" and state.language == "fr" and state.selected == 0
    (stack,) = state.stacks
    (root,) = stack.controllers
    assert root.kind == ITEMS and root.class_name == "HPItemsController" and root.view_loaded
    assert root.item.title == "items" == state.bar.title and state.visible == root.id
    assert listed(two) == ["main"]
    for frame, code in [
        (step_frame("MAIN", "MAKE"), "NAME_IN_USE"),
        (step_frame("hpd_x", "MAKE"), "BAD_NAME"),
        (step_frame("other", "SHOW"), "NOT_FOUND"),
        (step_frame("other", "POP"), "NOT_FOUND"),
        (step_frame("other", "MAKE", root={"kind": ITEMS, "table": "none"}), "NO_SUCH_TABLE"),
        (step_frame("other", "MAKE", root={"kind": ITEMS}), "BAD_REQUEST"),
        (step_frame("other", "MAKE", root={"kind": DETAIL, "table": "items", "row": 1}),
         "NO_SUCH_ROW"),
        (step_frame("other", "MAKE", root={"kind": VIEW, "class_name": "a\x07"}), "BAD_VALUE"),
        (step_frame("other", "MAKE", root={"table": "items"}), "BAD_REQUEST"),
    ]:
        assert two.refused(frame).code == code, frame
    frame = ClientFrame()
    frame.scene.scene = "main"
    assert two.refused(frame).code == "BAD_REQUEST", "no step"
    assert listed(one) == ["main"]
    copy = SceneCopy(two, "main").wait_state()
    step(one, "main", "REMOVE")
    while copy.ended is None:
        copy.take(two.event())
    assert copy.removed and copy.ended == feed.END_REASON_SCENE_REMOVED
    assert listed(one) == [] and two.refused(step_frame("main", "SHOW")).code == "NOT_FOUND"


def test_push_and_pop(ctx):
    """Semantics N1 (cases): pop at the root, push, push of the same instance; two clients."""
    daemon, one, two = pair(ctx)
    row = one.insert(name="Kettle")
    step(one, "main", "MAKE")
    copy = SceneCopy(two, "main").wait_state()
    reply = step(one, "main", "POP")
    assert reply.unchanged and not reply.popped
    reply = step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": row})
    pushed = reply.pushed
    refused = one.refused(step_frame("main", "PUSH", controller=pushed))
    assert refused.code == "ALREADY_ON_STACK"
    refused = one.refused(
        step_frame("main", "PUSH", root={"kind": VIEW, "class_name": "UITabBarController"}))
    assert refused.code == "BAD_REQUEST"
    copy.wait_for(reply.sequence)
    assert copy.kinds() == ["NAVIGATION", "VIEW_LOADED"], "no event of the pop, none of refusals"
    event = next(e for n, e in copy.log if n == "NAVIGATION")
    assert event.animated and event.by.actor == "one" and event.visible == pushed
    assert event.bar.back.title == "items"
    assert copy.state == show(one, "main")
    again = step(one, "main", "PUSH", root={"kind": VIEW, "class_name": "Plain"}, animated=False)
    assert step(two, "main", "POP_TO", controller=pushed).popped == [again.pushed]
    assert two.refused(step_frame("main", "POP_TO", controller=again.pushed)).code == "NOT_FOUND"
    assert two.refused(step_frame("main", "PUSH", controller=again.pushed)).code == "NOT_FOUND"
    reply = step(two, "main", "POP_TO_ROOT")
    assert reply.popped == [pushed]
    copy.wait_for(reply.sequence)
    assert copy.state == show(one, "main")
    check(copy.state)


def test_tabs_and_more(ctx):
    daemon, one, two = pair(ctx)
    step(one, "main", "MAKE", roots=[
        {"kind": ITEMS, "table": "items", "tab_title": "Items"},
        {"kind": SECTIONS, "table": "items", "title": "Rooms", "tab_title": "Rooms"},
    ])
    copy = SceneCopy(two, "main").wait_state()
    assert step(one, "main", "SELECT_TAB", index=1).sequence
    assert one.refused(step_frame("main", "SELECT_TAB", index=2)).code == "OUT_OF_RANGE"
    assert one.refused(step_frame("main", "SELECT_TAB")).code == "NOT_FOUND", "no More"
    for number in range(4):
        step(one, "main", "ADD_TAB", root={
            "kind": VIEW, "class_name": f"Class{number}", "tab_title": f"Tab {number}"})
    reply = step(two, "main", "SELECT_TAB")
    copy.wait_for(reply.sequence)
    state = show(one, "main")
    assert copy.state == state and not state.HasField("selected") and state.bar.title == "More"
    check(state)
    refused = one.refused(step_frame("main", "PUSH", root={"kind": ITEMS, "table": "items"}))
    assert refused.code == "BAD_REQUEST"
    reply = step(one, "main", "SELECT_TAB", index=5)
    copy.wait_for(reply.sequence)
    assert copy.state.selected == 5 and copy.state == show(one, "main")
    reply = step(one, "main", "REMOVE_TAB", index=0)
    copy.wait_for(reply.sequence)
    assert copy.state.selected == 4 and copy.state == show(one, "main")
    check(copy.state)


def test_more_keeps_its_item(ctx):
    daemon, one, two = pair(ctx)
    step(one, "main", "MAKE", roots=[{"kind": ITEMS, "table": "items"}] * 6)
    step(one, "main", "SELECT_TAB")
    refused = one.refused(step_frame("main", "SET_ITEM", item=item("Mine")))
    assert refused.code == "BAD_REQUEST" and show(one, "main").bar.title == "More"


def test_the_bar_and_its_buttons(ctx):
    daemon, one, two = pair(ctx)
    step(one, "main", "MAKE")
    copy = SceneCopy(two, "main", table="items").wait_state()
    reply = step(one, "main", "SET_ITEM", item=item(
        "Homepwner", right=[{"system": "add", "action": "addNewItem:"}],
        left=[{"title": "Sort", "action": "sort:"}], prompt="All of it"))
    copy.wait_for(reply.sequence)
    bar = copy.state.bar
    assert bar.title == "Homepwner" and bar.prompt == "All of it" and not bar.HasField("back")
    add, sort = bar.right[0].id, bar.left[0].id
    reply = step(two, "main", "TAP_BAR_BUTTON", button=add)
    assert reply.performed == ["addNewItem:"] and len(reply.revisions) == 1
    (run,) = reply.inserted
    assert one.get(run.first).rows, "the reply to a step with a change has both"
    reply = step(one, "main", "TAP_BAR_BUTTON", button=sort)
    assert reply.sent == ["sort:"] and not reply.performed
    copy.wait_for(reply.sequence)
    assert copy.kinds() == ["ITEM", "change", "ACTION"], "one ordered stream"
    action = copy.log[-1][1]
    assert (action.selector, action.sender, action.by.actor) == ("sort:", sort, "one")
    assert one.refused(step_frame("main", "TAP_BAR_BUTTON", button=999)).code == "NOT_FOUND"
    assert one.refused(step_frame("main", "TAP_BAR_BUTTON")).code == "NOT_FOUND", "no back button"
    step(one, "main", "PUSH", root={"kind": VIEW, "class_name": "Plain"})
    reply = step(one, "main", "TAP_BAR_BUTTON")
    assert len(reply.popped) == 1
    copy.wait_for(reply.sequence)
    assert copy.state == show(one, "main")


def test_a_plain_controller_edits_by_itself(ctx):
    """Contract L2: only plain controllers have a flag of their own; the title is told first."""
    daemon, one, two = pair(ctx)
    step(one, "main", "MAKE", root={"kind": VIEW, "class_name": "Plain"})
    step(one, "main", "SET_ITEM", item=item("Plain", left=[EDIT]))
    copy = SceneCopy(two, "main").wait_state()
    button = copy.state.bar.left[0]
    assert button.title == "Edit" and button.action == "setEditing:animated:"
    reply = step(one, "main", "TAP_BAR_BUTTON", button=button.id)
    assert reply.editing and reply.performed == ["setEditing:animated:"]
    copy.wait_for(reply.sequence)
    assert copy.kinds() == ["BUTTON_TITLE", "EDITING"]
    assert copy.state.bar.left[0].title == "Done" and copy.state == show(one, "main")
    reply = step(two, "main", "SET_EDITING", editing=False)
    copy.wait_for(reply.sequence)
    assert copy.state.bar.left[0].title == "Edit" and copy.state == show(one, "main")
    assert step(two, "main", "SET_EDITING", editing=False).unchanged
    # Its own flag is live state (contract L7): it ends with the process, a table's with its holder.
    step(one, "main", "SET_EDITING", editing=True)
    daemon.kill()
    daemon.start()
    state = show(ctx.client(daemon, "one"), "main")
    assert not state.stacks[0].controllers[0].editing and state.bar.left[0].title == "Edit"


def test_a_restart_keeps_the_scene(ctx):
    """Contracts L6, L7: durable before the reply; after kill -9 it is announced as full state."""
    daemon, one, two = pair(ctx)
    row = one.insert(name="Kettle")
    step(one, "main", "MAKE", language="de")
    step(one, "main", "SET_ITEM", item=item("Homepwner", left=[EDIT]))
    step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": row})
    step(one, "main", "ATTACH")
    before = show(two, "main")
    start = one.hello.start
    daemon.kill()
    daemon.start()
    one = ctx.client(daemon, "one")
    copy = SceneCopy(one, "main").wait_state()
    state = show(one, "main")
    assert copy.state == state
    assert copy.log[-1][1].start == one.hello.start != start
    assert [c.id for c in state.stacks[0].controllers] == [
        c.id for c in before.stacks[0].controllers]
    assert state.bar == before.bar and state.language == "de" and not state.attached
    root = state.stacks[0].controllers[0]
    assert root.item.left == before.stacks[0].controllers[0].item.left
    again = step(one, "main", "PUSH", root={"kind": VIEW, "class_name": "Plain"}).pushed
    assert again > max(c.id for c in before.stacks[0].controllers), "ids are not used again"


def test_rows_and_tables_that_go(ctx):
    """A screen of a deleted row is popped right after its revision; a root says that it is empty."""
    daemon, one, two = pair(ctx)
    one.request(_create("tools"))
    first, second = one.insert(name="Kettle"), one.insert(name="Pan")
    step(one, "main", "MAKE", roots=[
        {"kind": ITEMS, "table": "items"}, {"kind": ITEMS, "table": "tools"}])
    low = step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": first}).pushed
    high = step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": second}).pushed
    copy = SceneCopy(two, "main", table="items").wait_state()
    revision = one.batch(update(second, name="Big pan")).cursor.revision
    later = one.batch(delete(first)).cursor.revision
    copy.wait_for(copy.state.sequence + 1)
    assert copy.kinds() == ["change", "change", "NAVIGATION"]
    event = copy.log[-1][1]
    assert event.popped == [low, high] and event.reason == "gone" and event.revision == later
    assert not event.HasField("by") and revision < later
    assert copy.state == show(one, "main") and len(copy.state.stacks[0].controllers) == 1
    frame = ClientFrame()
    frame.drop_table.table.name = "tools"
    one.request(frame)
    copy.wait_for(copy.state.sequence + 1)
    assert copy.kinds()[-1] == "GONE" and copy.state.stacks[1].controllers[0].gone
    assert copy.state == show(one, "main")
    daemon.kill()
    daemon.start()
    one = ctx.client(daemon)
    state = show(one, "main")
    assert state.stacks[1].controllers[0].gone and len(state.stacks[0].controllers) == 1


def _create(name):
    frame = ClientFrame()
    frame.create_table.name = name
    return frame


def test_a_change_and_its_pop_are_one_turn(ctx):
    """The deletion, the pop and a step of the same turn: what is told is what there is."""
    daemon, one, two = pair(ctx)
    row = one.insert(name="Kettle")
    step(one, "main", "MAKE")
    step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": row})
    copy = SceneCopy(two, "main", table="items").wait_state()
    # Both frames at once: they are handled in one turn.
    frames = [batch_frame(delete(row)), step_frame("main", "POP")]
    for frame in frames:
        one.send(frame)
    replies = [one.reply() for _ in frames]
    assert replies[0].batch.counts.rows_deleted == 1
    assert replies[1].scene.unchanged and not replies[1].scene.popped, "popped already"
    copy.wait_for(show(one, "main").sequence)
    assert copy.kinds() == ["change", "NAVIGATION"]
    assert copy.state == show(one, "main")


def test_presence(ctx):
    daemon, one, two = pair(ctx)
    step(one, "main", "MAKE")
    copy = SceneCopy(two, "main").wait_state()
    step(one, "main", "ATTACH")
    assert step(one, "main", "ATTACH").unchanged
    reply = step(two, "main", "ATTACH")
    copy.wait_for(reply.sequence)
    assert [h.client for h in copy.state.attached] == [one.hello.client, two.hello.client]
    one.close()
    copy.wait_for(reply.sequence + 1)
    event = copy.log[-1][1]
    assert kind(event) == "DETACHED" and event.by.client == one.hello.client
    assert [h.actor for h in copy.state.attached] == ["two"]
    step(two, "main", "DETACH")
    assert not show(two, "main").attached


def test_first_responders_leave_with_their_screen(ctx):
    daemon, one, two = pair(ctx)
    row = one.insert(name="Kettle")
    step(one, "main", "MAKE")
    assert one.refused(step_frame("main", "BECOME_FIRST_RESPONDER", column="name")).code == (
        "BAD_REQUEST"), "a list has no fields"
    step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": row})
    copy = SceneCopy(two, "main").wait_state()
    step(one, "main", "BECOME_FIRST_RESPONDER", column="name")
    reply = step(two, "main", "BECOME_FIRST_RESPONDER", column="serial")
    assert one.refused(
        step_frame("main", "BECOME_FIRST_RESPONDER", column="colour")).code == "NO_SUCH_COLUMN"
    copy.wait_for(reply.sequence)
    assert len(copy.state.responders) == 2
    check(copy.state)
    assert step(one, "main", "END_EDITING", force=True).resigned
    reply = step(one, "main", "POP")
    copy.wait_for(reply.sequence)
    assert copy.kinds() == ["RESPONDER", "RESPONDER", "RESPONDER", "RESPONDER", "NAVIGATION"]
    assert not copy.state.responders and copy.state == show(one, "main")


def test_a_retried_step_is_taken_once(ctx):
    """Contract E5, K5: a scene step can carry an idempotency key."""
    daemon, one, two = pair(ctx)
    step(one, "main", "MAKE", key="make")
    root = {"kind": VIEW, "class_name": "Plain"}
    pushed = step(one, "main", "PUSH", root=root, key="push").pushed
    daemon.kill()
    daemon.start()
    one = ctx.client(daemon, "one")
    again = step(one, "main", "PUSH", root=root, key="push")
    assert again.replayed and again.pushed == pushed
    assert step(one, "main", "MAKE", key="make").replayed
    assert len(show(one, "main").stacks[0].controllers) == 2
    refused = one.refused(step_frame("main", "POP", key="push"))
    assert refused.code == "KEY_REUSED"


def test_a_subscription_resumes_with_changes_then_state(ctx):
    """Contract K3: changes from history, one full state, then live; live state is not replayed."""
    daemon, one, two = pair(ctx)
    step(one, "main", "MAKE")
    copy = SceneCopy(two, "main", table="items").wait_state()
    cursor = (copy.reply.__getattribute__("from").epoch,
              copy.reply.__getattribute__("from").revision)
    two.close()
    one.insert(name="Kettle")
    step(one, "main", "PUSH", root={"kind": VIEW, "class_name": "Plain"})
    one.insert(name="Pan")
    three = ctx.client(daemon, "three")
    copy = SceneCopy(three, "main", table="items", since=cursor).wait_state()
    assert [name for name, _ in copy.log] == ["change", "change", "live", "STATE"]
    assert copy.state == show(one, "main")
    reply = step(one, "main", "POP")
    copy.wait_for(reply.sequence)
    assert copy.kinds() == ["NAVIGATION"] and copy.state == show(one, "main")
    assert three.refused(_subscribe("nowhere")).code == "NOT_FOUND"


def _subscribe(name):
    frame = ClientFrame()
    frame.subscribe.scene = name
    return frame


@seeded
def test_random_steps_by_three_clients_with_kills(ctx):
    """The rules hold after every step, all copies are equal, a kill -9 loses no durable step."""
    random = ctx.random
    daemon = ctx.daemon()
    counts = {"steps": 0, "refused": 0, "kills": 0, "events": 0}
    clients = [ctx.client(daemon, f"c{n}") for n in range(3)]
    rows = [clients[0].insert(name=f"r{n}") for n in range(6)]
    step(clients[0], "main", "MAKE")
    copies = [SceneCopy(c, "main", table="items" if n else None) for n, c in enumerate(clients)]
    for turn in range(6):
        sent = []
        for _ in range(60):
            client = random.choice(clients)
            state = show(client, "main")
            frame = _random_step(random, state, rows)
            counts["steps"] += 1
            client.send(frame)
            reply = client.reply()
            if reply.HasField("error"):
                counts["refused"] += 1
            sent.append((frame, reply))
            if random.random() < 0.08 and rows:
                gone = rows.pop(random.randrange(len(rows)))
                random.choice(clients).batch(delete(gone))
                rows.append(random.choice(clients).insert(name="new"))
        state = show(clients[0], "main")
        check(state)
        for client, copy in zip(clients, copies):
            copy.wait_for(state.sequence)
            assert copy.state == state, f"turn {turn}: a copy differs"
            counts["events"] += len(copy.log)
        if turn % 2:
            # One more step, whose reply was read: it is durable.
            root = {"kind": VIEW, "class_name": f"Turn{turn}", "tab_title": f"T{turn}"}
            try:
                step(clients[1], "main", "ADD_TAB", root=root)
            except Exception as refused:
                assert getattr(refused, "code", "") == "TOO_MANY_ELEMENTS"
            state = show(clients[1], "main")
            daemon.kill()
            daemon.start()
            counts["kills"] += 1
            clients = [ctx.client(daemon, f"c{n}") for n in range(3)]
            copies = [
                SceneCopy(c, "main", table="items" if n else None).wait_state()
                for n, c in enumerate(clients)
            ]
            after = show(clients[0], "main")
            check(after)
            assert _durable(after) == _durable(state), f"turn {turn}: a durable step is lost"
    return counts


def _durable(state):
    """What a restart keeps."""
    kept = type(state).FromString(state.SerializeToString())
    for field in ("attached", "responders", "sequence", "bar"):
        kept.ClearField(field)
    for controller in [c for s in kept.stacks for c in s.controllers] + [kept.more]:
        controller.ClearField("view_loaded")
        controller.ClearField("editing")
        controller.ClearField("nodes")
        controller.ClearField("item_views")
        for button in list(controller.item.left) + list(controller.item.right):
            if button.edit_button:
                button.ClearField("title")
    return kept


def _random_step(random, state, rows):
    every = [c.id for s in state.stacks for c in s.controllers]
    choice = random.randrange(16)
    if choice < 4:
        root = random.choice([
            {"kind": DETAIL, "table": "items", "row": random.choice(rows)},
            {"kind": DETAIL, "table": "items", "row": random.choice(rows)},
            {"kind": VIEW, "class_name": "Plain"},
            {"kind": SECTIONS, "table": "items"},
        ])
        return step_frame("main", "PUSH", root=root)
    if choice == 4:
        return step_frame("main", "POP")
    if choice == 5:
        return step_frame("main", "POP_TO", controller=random.choice(every))
    if choice == 6:
        return step_frame("main", "SELECT_TAB", index=random.randrange(len(state.stacks) + 1))
    if choice == 7:
        if random.random() < 0.5:
            return step_frame("main", "SELECT_TAB")
        return step_frame("main", "POP_TO_ROOT")
    if choice == 8:
        return step_frame("main", "ADD_TAB", root={"kind": ITEMS, "table": "items"})
    if choice == 9:
        return step_frame("main", "REMOVE_TAB", index=random.randrange(len(state.stacks) + 1))
    if choice == 10:
        buttons = random.choice([[], [EDIT], [{"system": "add", "action": "addNewItem:"}]])
        return step_frame(
            "main", "SET_ITEM", controller=random.choice(every),
            item=item(random.choice([None, "T", "U"]), left=buttons,
                      hides_back=random.random() < 0.3))
    if choice == 11:
        buttons = list(state.bar.left) + list(state.bar.right)
        if buttons:
            return step_frame("main", "TAP_BAR_BUTTON", button=random.choice(buttons).id)
        return step_frame("main", "TAP_BAR_BUTTON")
    if choice == 12:
        return step_frame(
            "main", "BECOME_FIRST_RESPONDER", column=random.choice(["name", "serial"]))
    if choice == 13:
        return step_frame("main", random.choice(["ATTACH", "DETACH"]))
    if choice == 14:
        return step_frame("main", "END_EDITING", force=True)
    return step_frame(
        "main", "SET_EDITING", controller=random.choice(every), editing=random.random() < 0.5)


# Editing and scenes together


def _editing(client, what, table="items", lease=None, **fields):
    """One request of editing on a table: toggle_editing, set_editing, swipe, draft."""
    frame = ClientFrame()
    if lease is not None:
        frame.lease = lease
    body = getattr(frame, what)
    body.table.name = table
    for field, value in fields.items():
        if field == "row" and what != "draft":
            body.row.id = value
        elif field == "step":
            body.step = type(body).Step.Value(value)
        else:
            setattr(body, field, value)
    return client.request(frame)


def _lease(client, name):
    frame = ClientFrame()
    frame.take_lease.name = name
    return client.request(frame).leases.leases[0].id


def _told(copy):
    """What came since the state, live state of the table by its kind; and forgets it."""
    names = []
    for name, event in copy.log:
        if name == "live_state":
            kinds = live.LiveEventKind.Name(event.live_state.kind)
            names.append(kinds.removeprefix("LIVE_EVENT_").lower())
        elif name != "progress":
            names.append(name)
    copy.log.clear()
    return names


def _titled(state):
    """The edit buttons' titles, as they stand in the bar and in the items."""
    titles = [b.title for b in list(state.bar.left) + list(state.bar.right) if b.edit_button]
    for stack in state.stacks:
        for controller in stack.controllers:
            titles += [b.title for b in controller.item.left if b.edit_button]
    return set(titles)


def _edited(ctx):
    """A scene with the rows of items and an edit button, and two copies with live state."""
    daemon, one, two = pair(ctx)
    rows = [one.insert(name=f"i{n}") for n in range(4)]
    step(one, "main", "MAKE")
    reply = step(one, "main", "SET_ITEM", item=item("Items", left=[EDIT]))
    copies = [SceneCopy(c, "main", table="items", live_state=True) for c in (one, two)]
    for copy in copies:
        copy.wait_state()
        assert copy.state.sequence == reply.sequence
        copy.log.clear()
    return daemon, one, two, rows, copies


def _all_told(copies, sequence):
    """What both copies were told up to an event: the same."""
    told = []
    for copy in copies:
        copy.client.barrier(copy.subscription, token=sequence)
        while True:
            event = copy.client.event()
            if event.WhichOneof("body") == "barrier":
                break
            copy.take(event)
        assert copy.state.sequence >= sequence
        told.append(_told(copy))
    assert told[0] == told[1], told
    return told[0]


def test_toggles_and_titles(ctx):
    """Semantics E1, E4 and N14: the title first, then the flag; whoever changes it (contract L2)."""
    daemon, one, two, rows, copies = _edited(ctx)
    button = copies[0].state.bar.left[0]
    assert button.title == "Edit"
    reply = step(one, "main", "TAP_BAR_BUTTON", button=button.id)
    assert reply.performed == ["setEditing:animated:"] and reply.editing
    assert _all_told(copies, reply.sequence) == ["BUTTON_TITLE", "editing_changed", "EDITING"]
    assert _titled(copies[1].state) == {"Done"} and copies[1].state == show(one, "main")
    check(copies[0].state)
    # Another client's toggle, by the table.
    _editing(two, "toggle_editing")
    sequence = show(one, "main").sequence
    assert sequence == reply.sequence + 2
    assert _all_told(copies, sequence) == ["BUTTON_TITLE", "editing_changed", "EDITING"]
    assert _titled(copies[0].state) == {"Edit"} and copies[0].state == show(two, "main")
    # A lease's, which outlives a kill.
    lease = _lease(one, "cron")
    _editing(one, "set_editing", lease=lease, on=True)
    sequence = show(one, "main").sequence
    assert _all_told(copies, sequence)[:2] == ["BUTTON_TITLE", "editing_changed"]
    assert _titled(copies[1].state) == {"Done"}
    daemon.kill()
    daemon.start()
    one = ctx.client(daemon, "one")
    state = show(one, "main")
    assert _titled(state) == {"Done"} and state.stacks[0].controllers[0].editing
    copy = SceneCopy(one, "main", table="items", live_state=True).wait_state()
    frame = ClientFrame()
    frame.end_lease.name = "cron"
    one.request(frame)
    sequence = show(one, "main").sequence
    copy.wait_for(sequence)
    assert _titled(copy.state) == {"Edit"} and copy.state == show(one, "main")


def test_a_holder_that_vanishes_takes_the_flag_along(ctx):
    daemon, one, two, rows, copies = _edited(ctx)
    button = copies[0].state.bar.left[0].id
    reply = step(one, "main", "TAP_BAR_BUTTON", button=button)
    step(one, "main", "ATTACH")
    one.close()
    copy = copies[1].wait_for(reply.sequence + 1)
    while _titled(copy.state) != {"Edit"} or copy.state.attached:
        copy.take(two.event())
    assert copy.state == show(two, "main")


def test_a_swipe_shows_done(ctx):
    """Semantics E4, E5: willBegin, the flag, then "Done"; didEnd, the flag, then "Edit"."""
    daemon, one, two, rows, copies = _edited(ctx)
    _editing(one, "swipe", step="OPEN", row=rows[2])
    sequence = show(one, "main").sequence
    told = _all_told(copies, sequence)
    assert told == [
        "will_begin_editing", "editing_changed", "EDITING", "BUTTON_TITLE", "swipe_opened"], told
    assert _titled(copies[1].state) == {"Done"}
    _editing(one, "swipe", step="CANCEL")
    sequence = show(one, "main").sequence
    told = _all_told(copies, sequence)
    assert told.index("did_end_editing") < told.index("editing_changed") < told.index("EDITING")
    assert told.index("EDITING") < told.index("BUTTON_TITLE")
    assert _titled(copies[1].state) == {"Edit"} and copies[1].state == show(one, "main")
    _editing(two, "swipe", step="OPEN", row=rows[2])
    _editing(two, "swipe", step="CONFIRM")
    sequence = show(one, "main").sequence
    told = _all_told(copies, sequence)
    assert told.index("change") < told.index("did_end_editing"), told
    assert told[-1] == "BUTTON_TITLE" and _titled(copies[0].state) == {"Edit"}
    # Toggling while a row is swiped closes the swipe and does not enter editing (2.5.6).
    _editing(two, "swipe", step="OPEN", row=rows[1])
    button = copies[0].state.bar.left[0].id
    reply = step(one, "main", "TAP_BAR_BUTTON", button=button)
    assert not reply.editing
    _all_told(copies, reply.sequence)
    assert _titled(copies[0].state) == {"Edit"} and copies[0].state == show(two, "main")


def test_a_flag_that_was_up_before_the_first_scene(ctx):
    """Contract L2: who makes the first scene is told when a flag goes down that was up already."""
    daemon, one, two = pair(ctx)
    rows = [one.insert(name=f"i{n}") for n in range(2)]
    _editing(one, "swipe", step="OPEN", row=rows[0])
    step(two, "main", "MAKE")
    copy = SceneCopy(two, "main").wait_state()
    assert next(copy.controllers()).editing
    _editing(one, "swipe", step="CONFIRM", row=rows[0])
    now = show(two, "main")
    assert not next(c for s in now.stacks for c in s.controllers).editing
    assert copy.wait_for(now.sequence).state == now


def test_a_table_that_goes_while_it_is_edited(ctx):
    """Contract L2: the flag of a dropped table is down, and every copy is told so."""
    daemon, one, two = pair(ctx)
    for begin, button in (("set_editing", True), ("swipe", True), ("swipe", False)):
        one.request(_create("tools"))
        row = one.insert(table="tools", name="Saw")
        step(one, "main", "MAKE", roots=[{"kind": ITEMS, "table": "tools"}] * 2)
        if button:
            step(one, "main", "SET_ITEM", item=item("Tools", left=[EDIT]))
        fields = {"on": True} if begin == "set_editing" else {"step": "OPEN", "row": row}
        _editing(one, begin, table="tools", **fields)
        copy = SceneCopy(two, "main").wait_state()
        assert all(c.editing for c in copy.controllers())
        frame = ClientFrame()
        frame.drop_table.table.name = "tools"
        one.request(frame)
        state = show(one, "main")
        assert copy.wait_for(state.sequence).state == state, (begin, button)
        assert all(c.gone and not c.editing for c in copy.controllers())
        assert _titled(state) == ({"Edit"} if button else set())
        assert copy.kinds() == ["BUTTON_TITLE"] * button + ["EDITING"] * 2 + ["GONE"] * 2
        step(one, "main", "REMOVE")
        while not copy.removed:
            copy.take(two.event())


def test_a_section_that_comes_back(ctx):
    """A root says that its section is gone for as long as it is; its flag is the table's."""
    daemon, one, two = pair(ctx)
    made = one.batch(insert_section("Tools", rows=[{"name": "Saw"}]))
    section = made.inserted_sections[0].first
    step(one, "main", "MAKE", root={"kind": ITEMS, "table": "items", "section": section})
    step(one, "main", "SET_ITEM", item=item("Tools", left=[EDIT]))
    copy = SceneCopy(two, "main").wait_state()
    one.batch(delete_section(section))
    state = show(one, "main")
    assert copy.wait_for(state.sequence).state == state and copy.find(state.visible).gone
    _editing(one, "set_editing", on=True)
    state = show(one, "main")
    assert copy.wait_for(state.sequence).state == state and _titled(state) == {"Done"}
    frame = ClientFrame()
    frame.undo.table.name = "items"
    one.request(frame)
    state = show(one, "main")
    assert copy.wait_for(state.sequence).state == state and not copy.find(state.visible).gone
    assert copy.kinds() == ["GONE", "BUTTON_TITLE", "EDITING", "GONE"]
    daemon.kill()
    daemon.start()
    state = show(ctx.client(daemon, "one"), "main")
    assert not state.stacks[0].controllers[0].gone


@seeded
def test_tables_and_sections_come_and_go(ctx):
    """Whatever goes, comes back or is edited meanwhile: a copy folds to what SHOW says."""
    random, counts = ctx.random, {"dropped": 0, "gone": 0, "refused": 0}
    daemon, one, two = pair(ctx)
    one.request(_create("tools"))
    copy = None

    def attempt(body):
        try:
            return body()
        except Refused:
            counts["refused"] += 1
            return None

    def undo():
        frame = ClientFrame()
        frame.undo.table.name = random.choice(["items", "tools"])
        one.request(frame)

    def drop():
        frame = ClientFrame()
        frame.drop_table.table.name = "tools"
        one.request(frame)
        one.request(_create("tools"))
        counts["dropped"] += 1

    for number in range(250):
        table = random.choice(["items", "tools"])
        sections = [s.id for s in one.table(table).sections]
        rows = [r.row.id for r in one.rows(table)]
        if copy is None:
            section = random.choice([0, random.choice(sections or [0])])
            root = {"kind": random.choice([ITEMS, SECTIONS]), "table": table}
            step(one, "main", "MAKE", roots=[
                {"kind": ITEMS, "table": table, "section": section} if section else root,
                {"kind": ITEMS, "table": "tools"}])
            for controller in [s.controllers[0].id for s in show(one, "main").stacks]:
                if random.random() < 0.7:
                    step(one, "main", "SET_ITEM", controller=controller, item=item("T", left=[EDIT]))
            copy = SceneCopy(two, "main").wait_state()
        deed = random.choice([
            lambda: one.batch(insert_section("S", rows=[{"name": "r"}]), table=table),
            lambda: one.batch(delete_section(random.choice(sections)), table=table),
            lambda: one.batch(delete(random.choice(rows)), table=table),
            undo, undo, drop,
            lambda: _editing(one, "set_editing", table=table, on=random.random() < 0.7),
            lambda: _editing(two, "swipe", table=table, step="OPEN", row=random.choice(rows)),
            lambda: _editing(two, "swipe", table=table, step="CANCEL"),
            lambda: step(one, "main", "PUSH", root={
                "kind": DETAIL, "table": table, "row": random.choice(rows)}),
            lambda: step(one, "main", "BECOME_FIRST_RESPONDER", column="name"),
            lambda: step(one, "main", "SELECT_TAB", index=random.randrange(2)),
            lambda: step(one, "main", "POP"),
        ])
        if rows and sections:
            attempt(deed)
        else:
            one.batch(insert_section("S", rows=[{"name": "r"}]), table=table)
        state = show(one, "main")
        assert copy.wait_for(state.sequence).state == state, number
        check(state)
        counts["gone"] += sum(c.gone for c in copy.controllers())
        if random.random() < 0.05:
            step(one, "main", "REMOVE")
            while not copy.removed:
                copy.take(two.event())
            copy = None
    assert counts["dropped"] > 3 and counts["gone"] > 3, counts
    return counts


def test_one_keyboard_for_one_cell(ctx):
    """Who goes on with a cell in another scene writes there: the first scene is told, the text
    stays, and leaving the first screen ends nothing."""
    daemon, one, two, rows, copies = _edited(ctx)
    step(one, "other", "MAKE")
    for name in ("main", "other"):
        step(one, name, "PUSH", root={"kind": DETAIL, "table": "items", "row": rows[0]})
        step(one, name, "BECOME_FIRST_RESPONDER", column="name")
        _editing(one, "draft", step="TEXT", text=f"In {name}")
    state = show(one, "main")
    assert not state.responders and len(show(one, "other").responders) == 1
    assert copies[1].wait_for(state.sequence).state == state
    assert not step(one, "main", "POP").revisions
    assert len(show(one, "other").responders) == 1
    assert len(step(one, "other", "POP").revisions) == 1
    assert one.get(rows[0]).rows[0].row.cells[0].text == "In other"


def test_looking_skips_what_it_does_not_know(ctx):
    """Contract K7: SHOW and LIST are reads, a field of a later version is skipped."""
    daemon, one, two = pair(ctx)
    step(one, "main", "MAKE")
    for what in ("SHOW", "LIST", "POP"):
        frame = step_frame("main", what)
        frame.scene.MergeFromString(b"\xba\x3e\x01x")  # field 999
        if what == "POP":
            assert one.refused(frame).code == "UNKNOWN_FIELD"
        else:
            assert len(one.request(frame).scene.scenes) == 1


def test_the_detail_screen_writes_what_is_valid(ctx):
    """Semantics N7, N8, contracts L5, L6: leaving ends editing with force; one reply with both."""
    daemon, one, two, rows, copies = _edited(ctx)
    row = rows[1]
    pushed = step(
        one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": row}).pushed
    reply = step(one, "main", "BECOME_FIRST_RESPONDER", column="name")
    again = step(one, "main", "BECOME_FIRST_RESPONDER", column="name")
    assert again.unchanged
    _all_told(copies, reply.sequence)
    (responder,) = copies[1].state.responders
    assert responder.controller == pushed and responder.holder.actor == "one"
    _editing(one, "draft", step="TEXT", text="Big kettle")
    reply = step(one, "main", "POP")
    assert reply.popped == [pushed] and len(reply.revisions) == 1 and not reply.rejected
    told = _all_told(copies, reply.sequence)
    assert told == ["draft_text", "change", "draft_ended", "RESPONDER", "NAVIGATION"], told
    (cell,) = one.get(row).rows[0].row.cells[:1]
    assert cell.text == "Big kettle"
    for copy in copies:
        check(copy.state)
        assert copy.state == show(one, "main")
    # The list behind it is told of that row alone.
    cursor = reply.cursor
    assert reply.revisions[0] == cursor.revision


def test_what_is_invalid_is_refused_with_its_reason(ctx):
    daemon, one, two, rows, copies = _edited(ctx)
    row = rows[0]
    step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": row})
    step(one, "main", "BECOME_FIRST_RESPONDER", column="value")
    _editing(one, "draft", step="TEXT", text="much")
    step(two, "main", "BECOME_FIRST_RESPONDER", column="serial")
    _editing(two, "draft", step="TEXT", text="S-1")
    reply = step(one, "main", "END_EDITING")
    assert not reply.resigned and [r.reason for r in reply.rejected] == ["BAD_VALUE"]
    # Selecting another field ends the one before: two's serial is written, its name begun.
    reply = step(two, "main", "BECOME_FIRST_RESPONDER", column="name")
    assert len(reply.revisions) == 1
    _editing(two, "draft", step="TEXT", text="Both")
    step(two, "main", "ADD_TAB", root={"kind": ITEMS, "table": "items"})
    # Another tab leaves the screen as well: whoever wrote is told what became of it.
    reply = step(one, "main", "SELECT_TAB", index=1)
    assert [(r.reason, r.text, r.row) for r in reply.rejected] == [("BAD_VALUE", "much", row)]
    assert len(reply.revisions) == 1
    told = _all_told(copies, reply.sequence)
    assert told.index("REJECTED") < told.index("TAB_SELECTED")
    cells = {c.column: c for c in one.get(row).rows[0].row.cells}
    texts = {c.text for c in cells.values() if c.HasField("text")}
    assert texts == {"Both", "S-1"} and not any(c.HasField("decimal") for c in cells.values())
    state = show(two, "main")
    assert not state.responders and copies[0].state == state
    # Discarding the draft by hand takes the keyboard as well.
    step(one, "main", "SELECT_TAB", index=0)
    step(one, "main", "BECOME_FIRST_RESPONDER", column="name")
    assert len(show(two, "main").responders) == 1
    _editing(one, "draft", step="DISCARD")
    assert not show(two, "main").responders
    frame = ClientFrame()
    one.batch(delete(row))
    state = show(two, "main")
    assert len(state.stacks[0].controllers) == 1 and not state.responders


def test_an_action_ends_editing(ctx):
    """SPEC 7: endEditing: as an action of a button takes the keyboard, by force (semantics N8)."""
    daemon, one, two, rows, copies = _edited(ctx)
    step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": rows[0]})
    done = {"system": "done", "action": "endEditing:"}
    step(one, "main", "SET_ITEM", item=item("Kettle", right=[done]))
    button = show(one, "main").bar.right[0].id
    for column, text, count in (("name", "Big", 1), ("value", "much", 0)):
        step(one, "main", "BECOME_FIRST_RESPONDER", column=column)
        _editing(one, "draft", step="TEXT", text=text)
        reply = step(one, "main", "TAP_BAR_BUTTON", button=button)
        assert reply.performed == ["endEditing:"] and reply.resigned
        assert len(reply.revisions) == count and len(reply.rejected) == 1 - count
        assert not show(two, "main").responders
    # Another's keyboard is not taken.
    step(two, "main", "BECOME_FIRST_RESPONDER", column="name")
    step(one, "main", "TAP_BAR_BUTTON", button=button)
    assert len(show(two, "main").responders) == 1


def test_one_row_in_two_scenes(ctx):
    """Semantics N8: a first responder for each holder and scene; contract L5: who writes first wins."""
    daemon, one, two, rows, copies = _edited(ctx)
    detail = {"kind": DETAIL, "table": "items", "row": rows[0]}
    step(one, "other", "MAKE")
    for name in ("main", "other"):
        step(one, name, "PUSH", root=detail)
    step(one, "main", "BECOME_FIRST_RESPONDER", column="name")
    step(two, "other", "BECOME_FIRST_RESPONDER", column="name")
    assert [r.holder.actor for r in show(one, "main").responders] == ["one"]
    assert [r.holder.actor for r in show(one, "other").responders] == ["two"]
    _editing(one, "draft", step="TEXT", text="Mine")
    _editing(two, "draft", step="TEXT", text="Yours")
    reply = step(one, "main", "POP")
    assert len(reply.revisions) == 1 and not reply.rejected
    assert len(show(one, "other").responders) == 1, "the other scene is as it was"
    reply = step(one, "other", "POP")
    assert [(r.reason, r.text, r.holder.actor) for r in reply.rejected] == [
        ("CONFLICT", "Yours", "two")]
    assert one.get(rows[0]).rows[0].row.cells[0].text == "Mine"
    # One holder in both: the same cell is one draft, another one ends the first.
    for name in ("main", "other"):
        step(one, name, "PUSH", root=detail)
        step(one, name, "BECOME_FIRST_RESPONDER", column="name")
    _editing(one, "draft", step="TEXT", text="Both")
    reply = step(one, "other", "BECOME_FIRST_RESPONDER", column="serial")
    assert len(reply.revisions) == 1 and not show(one, "main").responders
    (responder,) = show(one, "other").responders
    _editing(one, "draft", step="TEXT", text="S-1")
    reply = step(one, "main", "BECOME_FIRST_RESPONDER", column="value")
    assert len(reply.revisions) == 1 and not show(one, "other").responders
    assert {c.text for c in one.get(rows[0]).rows[0].row.cells} >= {"Both", "S-1"}
    # The row goes: both screens are popped, each with its event.
    other = SceneCopy(two, "other").wait_state()
    one.batch(delete(rows[0]))
    for name, copy in (("main", copies[0]), ("other", other)):
        state = show(one, name)
        assert len(state.stacks[0].controllers) == 1 and not state.responders
        assert copy.wait_for(state.sequence).state == state
        gone = [e for kind_, e in copy.log if kind_ == "NAVIGATION" and e.reason == "gone"]
        assert len(gone) == 1 and not gone[0].HasField("by")


def test_a_lease_takes_part(ctx):
    """Contract K4: what one call begins the next one ends, by the lease's name."""
    daemon, one, two, rows, copies = _edited(ctx)
    lease = _lease(one, "script")

    def take(what, **fields):
        frame = step_frame("main", what, **fields)
        frame.lease = lease
        client = ctx.client(daemon, "one")
        try:
            return client.request(frame).scene
        finally:
            client.close()

    take("ATTACH")
    take("PUSH", root={"kind": DETAIL, "table": "items", "row": rows[0]})
    take("BECOME_FIRST_RESPONDER", column="name")
    state = show(two, "main")
    assert state.attached[0].lease == lease and state.attached[0].lease_name == "script"
    assert state.responders[0].holder.lease == lease
    _editing(one, "draft", lease=lease, step="TEXT", text="By script")
    reply = take("POP")
    assert len(reply.revisions) == 1
    frame = ClientFrame()
    frame.end_lease.lease = lease
    one.request(frame)
    assert not show(two, "main").attached
    assert one.refused(_leased(lease)).code in ("LEASE_EXPIRED", "NOT_FOUND")


def _leased(lease):
    frame = step_frame("main", "ATTACH")
    frame.lease = lease
    return frame


def test_exclusive_holding_refuses_the_buttons_of_others(ctx):
    """Contract L3: toggles and drafts of others are refused while somebody holds exclusively."""
    daemon, one, two, rows, copies = _edited(ctx)
    _editing(one, "set_editing", on=True, exclusive=True)
    button = show(two, "main").bar.left[0].id
    refused = two.refused(step_frame("main", "TAP_BAR_BUTTON", button=button))
    assert refused.code == "HELD_EXCLUSIVELY"
    step(two, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": rows[0]})
    refused = two.refused(step_frame("main", "BECOME_FIRST_RESPONDER", column="name"))
    assert refused.code == "HELD_EXCLUSIVELY"
    assert not show(two, "main").responders


# Headers: target and action (semantics X1, X2, X6)


def _button(title, *actions):
    connections = "".join(
        f'<action selector="{selector}" destination="{target}" eventType="{event}" id="{title}-{n}"/>'
        for n, (selector, target, event) in enumerate(actions)
    )
    return (
        f'<button id="{title}"><rect key="frame" x="0" y="0" width="80" height="36"/>'
        f'<state key="normal" title="{title}"/><connections>{connections}</connections></button>'
    )


HEADER = """<?xml version="1.0" encoding="UTF-8"?>
<document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0">
<objects>
  <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="HPItemsController">
    <connections><outlet property="headerView" destination="top" id="o"/></connections>
  </placeholder>
  <placeholder placeholderIdentifier="IBFirstResponder" id="-2" customClass="UIResponder"/>
  <view id="top"><rect key="frame" x="0" y="0" width="360" height="48"/><subviews>
    %s
  </subviews></view>
</objects>
</document>
""" % "".join([
    _button("Edit", ("toggleEditingMode:", "-1", "touchUpInside")),
    _button("New", ("addNewItem:", "-1", "touchUpInside")),
    _button("Both", ("addNewItem:", "-1", "touchUpInside"),
            ("toggleEditingMode:", "-2", "touchUpInside"), ("beep:", "-3", "touchUpInside"),
            ("touched:", "-1", "touchDown")),
])


def _headed(ctx):
    """Items with a header view, a scene of it, two clients that follow both."""
    folder = os.path.join(ctx.folder, "views")
    os.mkdir(folder)
    with open(os.path.join(folder, "HeaderView.xib"), "w", encoding="utf-8") as file:
        file.write(HEADER)
    daemon = ctx.daemon(options=["--bundle", folder])
    one, two = ctx.client(daemon, "one"), ctx.client(daemon, "two")
    set_header(one, view="HeaderView", owner="HPItemsController")
    step(one, "main", "MAKE")
    step(one, "main", "SET_ITEM", item=item("Items", left=[EDIT]))
    nodes = {n.titles[0].title: n for n in get_header(one).view.nodes if n.titles}
    copies = [SceneCopy(c, "main", table="items", live_state=True) for c in (one, two)]
    for copy in copies:
        copy.wait_state().log.clear()
    return daemon, one, two, nodes, copies


def test_a_header_is_the_tables_own(ctx):
    """Semantics X1: one load, the same ids for all who look, the owner's outlet set."""
    daemon, one, two, nodes, copies = _headed(ctx)
    first, second = get_header(one), get_header(two)
    assert first == second and first.loads == 1 and set(nodes) == {"Edit", "New", "Both"}
    assert first.view.owner_outlets[0].property == "headerView"


def test_new_adds_and_edit_toggles(ctx):
    """The header's New adds a random item; Edit toggles, and its title follows in both clients,
    also where the other client, the bar's button or a lease toggles."""
    daemon, one, two, nodes, copies = _headed(ctx)
    reply = step(one, "main", "SEND_EVENT", node=nodes["New"].id, event="touchUpInside")
    assert reply.performed == ["addNewItem:"] and len(reply.inserted) == len(reply.revisions) == 1
    row = one.get(reply.inserted[0].first).rows[0].row
    assert row.cells[0].text.split()[0] in ("Fluffy", "Rusty", "Shiny")
    assert _all_told(copies, reply.sequence) == ["change"]

    def titles():
        return {
            n.titles[0].title for c in (one, two) for n in get_header(c).view.nodes
            if n.id == nodes["Edit"].id
        } | _titled(show(one, "main"))

    told = ["view_changed", "BUTTON_TITLE", "editing_changed", "EDITING"]
    reply = step(one, "main", "SEND_EVENT", node=nodes["Edit"].id)
    assert reply.performed == ["toggleEditingMode:"] and reply.editing
    assert _all_told(copies, reply.sequence) == told, "the titles first, then the flag"
    assert titles() == {"Done"}
    _editing(two, "toggle_editing")
    assert _all_told(copies, show(one, "main").sequence) == told and titles() == {"Edit"}
    reply = step(two, "main", "TAP_BAR_BUTTON", button=copies[0].state.bar.left[0].id)
    assert _all_told(copies, reply.sequence) == told and titles() == {"Done"}
    _editing(one, "toggle_editing")
    _all_told(copies, show(one, "main").sequence)
    lease = _lease(one, "cron")
    _editing(one, "set_editing", lease=lease, on=True)
    assert _all_told(copies, show(one, "main").sequence) == told and titles() == {"Done"}
    frame = ClientFrame()
    frame.end_lease.lease = lease
    one.request(frame)
    _all_told(copies, show(one, "main").sequence)
    assert titles() == {"Edit"}
    # A swipe shows Done as well, after the flag.
    _editing(one, "swipe", step="OPEN", row=row.id)
    names = _all_told(copies, show(one, "main").sequence)
    assert names.index("editing_changed") < names.index("view_changed") and titles() == {"Done"}
    _editing(one, "swipe", step="CANCEL")
    _all_told(copies, show(one, "main").sequence)
    assert titles() == {"Edit"}
    assert copies[0].state == copies[1].state == show(one, "main")


def test_several_actions_run_in_the_files_order(ctx):
    """Semantics X2; what hpd does not know goes to those who look on."""
    daemon, one, two, nodes, copies = _headed(ctx)
    both = nodes["Both"].id
    reply = step(one, "main", "SEND_EVENT", node=both, event="touchUpInside")
    assert reply.performed == ["addNewItem:", "toggleEditingMode:"] and reply.sent == ["beep:"]
    told = _all_told(copies, reply.sequence)
    assert told == [
        "change", "view_changed", "BUTTON_TITLE", "editing_changed", "EDITING", "ACTION"], told
    reply = step(one, "main", "SEND_EVENT", node=both, event="touchDown")
    assert reply.sent == ["touched:"] and not reply.performed
    assert step(one, "main", "SEND_EVENT", node=both, event="valueChanged").unchanged
    # One that is refused after another was performed is named, and ends the row.
    _editing(one, "set_editing", on=False)
    _editing(two, "set_editing", on=True, exclusive=True)
    reply = step(one, "main", "SEND_EVENT", node=both)
    assert reply.performed == ["addNewItem:"] and not reply.sent
    assert (reply.refused, reply.refused_code) == ("toggleEditingMode:", "HELD_EXCLUSIVELY")
    refused = one.refused(step_frame("main", "SEND_EVENT", node=nodes["Edit"].id))
    assert refused.code == "HELD_EXCLUSIVELY"
    # Nodes that are not there, or take no events.
    assert one.refused(step_frame("main", "SEND_EVENT", node=99_999_999)).code == "NOT_FOUND"
    assert one.refused(step_frame("main", "SEND_EVENT")).code == "BAD_REQUEST"
    set_node(one, nodes["New"].id, enabled=False)
    refused = one.refused(step_frame("main", "SEND_EVENT", node=nodes["New"].id))
    assert refused.code == "BAD_REQUEST"
    row = one.rows()[0].row.id
    step(one, "main", "PUSH", root={"kind": DETAIL, "table": "items", "row": row})
    refused = one.refused(step_frame("main", "SEND_EVENT", node=both))
    assert refused.code == "NOT_FOUND", "the header can't be seen"


def test_a_controller_has_its_classs_view(ctx):
    """Semantics 2.9, X10, X11: the search of loadView, once; a plain toggle's title follows."""
    daemon, one, two, nodes, copies = _headed(ctx)
    folder = os.path.join(ctx.folder, "views")
    plain = HEADER.replace("HPItemsController", "PlainController").replace("headerView", "view")
    with open(os.path.join(folder, "Plain.xib"), "w", encoding="utf-8") as file:
        file.write(plain)
    with open(os.path.join(folder, "Broken.xib"), "w", encoding="utf-8") as file:
        file.write(plain[:200])
    frame = step_frame("main", "PUSH", root={"kind": VIEW, "class_name": "HeaderViewController"})
    refused = one.refused(frame)
    assert refused.code == "NO_SUCH_OUTLET" and "view outlet was not set" in refused.error.message
    frame = step_frame("main", "PUSH", root={
        "kind": VIEW, "class_name": "PlainController", "nib_name": "Broken"})
    refused = one.refused(frame)
    assert refused.code == "BAD_XIB" and refused.error.file == "Broken.xib"
    frame = step_frame("bad", "MAKE", root={
        "kind": VIEW, "class_name": "PlainController", "nib_name": "Broken"})
    assert one.refused(frame).code == "BAD_XIB" and listed(one) == ["main"]
    assert len(show(one, "main").stacks[0].controllers) == 1, "nothing is pushed halfway"
    reply = step(one, "main", "PUSH", root={"kind": VIEW, "class_name": "PlainController"})
    step(one, "main", "SET_ITEM", item=item("Plain", right=[EDIT]))
    _all_told(copies, reply.sequence + 1)
    state = show(one, "main")
    top = state.stacks[0].controllers[-1]
    made = {n.titles[0].title: n for n in top.nodes if n.titles}
    assert set(made) == {"Edit", "New", "Both"} and copies[1].state == state
    reply = step(two, "main", "SEND_EVENT", node=made["Edit"].id)
    assert reply.performed == ["toggleEditingMode:"] and reply.editing
    assert _all_told(copies, reply.sequence) == ["NODE", "BUTTON_TITLE", "EDITING"]
    state = show(one, "main")
    assert copies[0].state == state and _titled(state) == {"Done", "Edit"}, "the list has its own"
    titles = [n.titles[0].title for n in state.stacks[0].controllers[-1].nodes if n.titles]
    assert titles == ["Done", "New", "Both"]
    refused = one.refused(step_frame("main", "SEND_EVENT", node=made["New"].id))
    assert refused.code == "BAD_REQUEST", "it shows no table"
    assert one.refused(
        step_frame("main", "SEND_EVENT", node=nodes["New"].id)).code == "NOT_FOUND"
    # Without a nib the view is blank.
    reply = step(one, "main", "PUSH", root={"kind": VIEW, "class_name": "Nothing"})
    _all_told(copies, reply.sequence)
    (blank,) = show(one, "main").stacks[0].controllers[-1].nodes
    assert blank.class_name == "UIView" and copies[0].state == show(one, "main")
    # After a restart views are loaded again when somebody looks.
    daemon.kill()
    daemon.start()
    one = ctx.client(daemon, "one")
    state = show(one, "main")
    assert state.stacks[0].controllers[-1].view_loaded
    assert not state.stacks[0].controllers[1].view_loaded
    copy = SceneCopy(one, "main").wait_state()
    reply = step(one, "main", "POP")
    copy.wait_for(reply.sequence)
    assert copy.kinds() == ["NAVIGATION", "VIEW_LOADED"]
    assert copy.state == show(one, "main") and len(copy.state.stacks[0].controllers[1].nodes) == 4

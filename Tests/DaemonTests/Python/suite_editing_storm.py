"""Clients that edit, swipe, drag, select, write and vanish at random, also by kill -9.

Whatever happens: nothing is held by who is gone, each folded copy (rows and live state) is the
daemon's, a retried request with a key is applied once, a restart keeps what it promises.
"""

import os
import signal
import time

from client import Client, Refused, delete, insert, insert_section, move, update
from fold import snapshot
from live import end_lease, leases, select_frame, state, step_frame, take_lease
from run import seeded
from schema import ClientFrame
from suite_editing import Watcher, set_policy

SECONDS = 8
# What may be said to a step in the wrong state; anything else is a fault of the daemon.
REFUSALS = {
    "NOT_EDITABLE", "NOT_MOVABLE", "STYLE_MISMATCH", "STYLE_NOT_DELETE", "IN_EDITING_MODE",
    "NOT_EDITING", "NO_SWIPE", "NO_CONFIRM", "NO_DRAG", "NO_DRAFT", "DRAFT_OPEN", "DRAG_OPEN",
    "NOT_SELECTABLE", "HELD_EXCLUSIVELY", "HELD_BY_OTHERS", "NOT_HOLDER", "LEASE_EXPIRED",
    "CONFLICT", "NO_SUCH_ROW", "READ_ONLY", "BAD_VALUE", "NO_SUCH_SECTION", "OUT_OF_RANGE",
}


class Storm:
    def __init__(self, ctx):
        self.ctx, self.random = ctx, ctx.random
        self.daemon = ctx.daemon()
        self.clients = [None, None, None]
        for place in range(3):
            self.enter(place)
        self.section = self.clients[0].table().sections[0].id
        self.clients[0].batch(
            set_policy(section=self.section, sentinel="No more items!"),
            set_policy(allows_multiple_selection=True), insert_section("Far"))
        for number in range(12):
            self.clients[0].insert(("first_of", self.section), name=f"i{number}")
        self.leases = []
        self.keys = 0
        self.steps = self.refused = self.replays = self.deaths = self.restarts = 0
        self.watchers = [
            Watcher(ctx.client(self.daemon, "w1")), Watcher(ctx.client(self.daemon, "w2"), None)]

    def enter(self, place):
        self.clients[place] = Client(self.daemon.socket, f"c{place}")
        self.ctx.clients.append(self.clients[place])

    def ids(self, client):
        return [row.row.id for row in client.rows()]

    def pick(self, client):
        rows = self.ids(client)
        return self.random.choice(rows) if rows and self.random.random() < 0.95 else 1

    def lease(self):
        if self.leases and self.random.random() < 0.35:
            return self.random.choice(self.leases)
        return None

    # Steps

    def frame(self, client):
        """A random step of editing."""
        random, row = self.random, self.pick(client)
        target = (random.randrange(3), random.randrange(14))
        kind = random.randrange(22)
        lease = self.lease()
        if kind < 3:
            return step_frame(
                "set_editing", on=kind > 0, exclusive=random.random() < 0.1, lease=lease)
        if kind == 3:
            return step_frame("toggle_editing", lease=lease)
        if kind < 6:
            return step_frame("swipe", random.choice(["CONFIRM", "CANCEL"]),
                              row if kind == 4 else None, lease=lease)
        if kind == 6:
            return step_frame("swipe", "OPEN", row, lease=lease)
        if kind == 7:
            return step_frame("confirm", "OPEN", row, lease=lease)
        if kind == 8:
            return step_frame("confirm", random.choice(["CONFIRM", "CANCEL"]), lease=lease)
        if kind == 9:
            return step_frame("drag", "BEGIN", row, lease=lease)
        if kind < 12:
            return step_frame("drag", random.choice(["HOVER", "HOVER", "DROP"]), target=target,
                              lease=lease)
        if kind == 12:
            return step_frame("drag", "CANCEL", lease=lease)
        if kind < 15:
            rows = [self.pick(client) for _ in range(random.randrange(1, 4))]
            return select_frame(
                rows, on=random.random() < 0.7, clear_others=random.random() < 0.3, lease=lease)
        if kind < 17:
            return step_frame("draft", "BEGIN", row, lease=lease,
                              column=random.choice(["name", "serial", "value"]))
        if kind == 17:
            return step_frame("draft", "TEXT", text=random.choice(["a", "12", "1.5", "x1"]),
                              lease=lease)
        if kind == 18:
            return step_frame("draft", "END", force=random.random() < 0.5, lease=lease)
        if kind == 19:
            return step_frame("draft", "DISCARD", lease=lease)
        if kind == 20:
            frame = step_frame("reload_data")
            return frame if random.random() < 0.1 else self.change(client)
        return step_frame("commit_editing", row=row, style=1, lease=lease)

    def change(self, client):
        """A random batch of somebody who does not care who edits."""
        random, row = self.random, self.pick(client)
        frame = ClientFrame()
        frame.batch.table.name = "items"
        place = random.choice([("first_of", self.section), ("after", row)])
        operation = random.choice([
            insert({"name": "new"}, place), insert({"name": "new"}, place), delete(row),
            move(row, ("first_of", self.section)), update(row, name=f"n{random.randrange(5)}"),
            set_policy(row=row, delete_title="Remove", can_move=random.random() < 0.8)])
        frame.batch.operations.append(operation)
        frame.batch.basis.current = True
        return frame

    def send(self, client, frame):
        """Sends a step, sometimes with a key and twice."""
        self.steps += 1
        keyed = self.random.random() < 0.25
        if keyed:
            self.keys += 1
            frame.key = f"k{self.keys}"
        try:
            first = client.request(frame)
        except Refused as refused:
            assert refused.code in REFUSALS, f"{frame}: {refused}"
            self.refused += 1
            return
        if not keyed:
            return
        before = state(client)
        again = self.random.choice(self.clients).request(frame)
        kind = first.WhichOneof("result")
        assert again.WhichOneof("result") == kind
        first, again = getattr(first, kind), getattr(again, kind)
        assert again.replayed and again.cursor == first.cursor, f"{frame}: {again}"
        assert state(client) == before, "a retry has changed something"
        self.replays += 1

    # Ends

    def vanish(self, place):
        """One closes, or is killed in the middle of what it does."""
        client = self.clients[place]
        if self.random.random() < 0.5:
            client.close()
        else:
            self.kill_one(self.random.randrange(1 << 30))
            client.close()
        self.deaths += 1
        self.enter(place)

    def kill_one(self, seed):
        """A process of its own holds this and that, and gets SIGKILL."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                signal.alarm(0)
                self.random.seed(seed)
                client = Client(self.daemon.socket, "doomed")
                for _ in range(6):
                    frame = self.frame(client)
                    frame.ClearField("lease")
                    try:
                        client.request(frame)
                    except Refused:
                        pass
                os.write(writer, b"x")
                time.sleep(60)
            finally:
                os._exit(1)
        os.close(writer)
        assert os.read(reader, 1) == b"x", "the child failed"
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def change_leases(self):
        client = self.random.choice(self.clients)
        if self.leases and self.random.random() < 0.3:
            end_lease(client, self.leases.pop(self.random.randrange(len(self.leases))))
        elif len(self.leases) < 3:
            lease = take_lease(client, f"l{self.random.randrange(4)}")
            if lease.id not in self.leases:
                self.leases.append(lease.id)

    def restart(self):
        held = {h for h in state(self.clients[0])["holders"] if h[0] == "lease"}
        exclusive = state(self.clients[0])["exclusive"]
        self.daemon.kill()
        self.daemon.start()
        for place in range(3):
            self.enter(place)
        now = state(self.clients[0])
        assert set(now["holders"]) == held, f"{held} held, now {now}"
        assert now["exclusive"] == (exclusive if exclusive in held else None)
        assert not now["drag"] and not now["swipe"] and not now["drafts"]
        assert sorted(lease.id for lease in leases(self.clients[0])) == sorted(self.leases)
        for place, watcher in enumerate(self.watchers):
            table = None if place == 1 else "items"
            self.watchers[place] = Watcher(
                self.ctx.client(self.daemon, f"w{place}"), table, copy=watcher.copy)
        self.restarts += 1

    def check(self):
        table = self.clients[0].table().id
        now = state(self.clients[1])
        fresh = snapshot(self.clients[2]).canonical()
        there = {("client", c.hello.client) for c in self.clients}
        there |= {("lease", lease) for lease in self.leases}
        held = set(now["holders"]) | set(now["selections"]) | {key[0] for key in now["drafts"]}
        held |= {now[name][1] for name in ("swipe", "confirm", "drag") if now[name]}
        assert held <= there, f"held by who is gone: {held - there}"
        for watcher in self.watchers:
            watcher.catch_up()
            assert watcher.live.state(table) == now
            assert watcher.copy.canonical()[table] == fresh[table]


@seeded
def test_nothing_is_left_behind(ctx):
    storm = Storm(ctx)
    end = time.monotonic() + SECONDS
    restart_at = end - SECONDS / 2
    while time.monotonic() < end:
        for _ in range(20):
            client = storm.random.choice(storm.clients)
            frame = storm.change(client) if storm.random.random() < 0.2 else storm.frame(client)
            storm.send(client, frame)
        if storm.random.random() < 0.4:
            storm.vanish(storm.random.randrange(3))
        if storm.random.random() < 0.4:
            storm.change_leases()
        storm.check()
        if time.monotonic() > restart_at:
            storm.restart()
            restart_at = end + 1
            storm.check()
    for lease in storm.leases:
        end_lease(storm.clients[0], lease)
    storm.leases = []
    for place in (1, 2):
        storm.clients[place].close()
        storm.enter(place)
    storm.clients[0].close()
    storm.enter(0)
    storm.check()
    idle = state(storm.clients[0])
    assert not idle["editing"] and idle["title"] == "Edit", idle
    assert not idle["selections"] and not idle["drafts"] and not idle["drag"], idle
    return (f"{storm.steps} steps, {storm.refused} refused, {storm.replays} retried, "
            f"{storm.deaths} vanished, {storm.restarts} restart")

"""What it costs that a hundred people type at once (make with HPD=a release build for the figure)."""

import os
import select as waiting
import time

from client import Client, framed
from live import step, step_frame
from schema import ClientFrame

CLIENTS, TEXTS, SECONDS = 100, 20, 3
TICK = os.sysconf("SC_CLK_TCK")


def spent(pid):
    """Seconds of processor time that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def drain(sockets):
    """Takes whatever has come; it is not looked at."""
    for ready in waiting.select(sockets, [], [], 0)[0]:
        assert ready.recv(1 << 18), "the daemon has ended a connection"


def test_a_hundred_clients_type_twenty_texts_a_second(ctx):
    daemon = ctx.daemon()
    first = ctx.client(daemon)
    rows = [first.insert(name=f"i{number}") for number in range(CLIENTS)]
    clients = [Client(daemon.socket, f"c{number}") for number in range(CLIENTS)]
    ctx.clients += clients
    for client, row in zip(clients, rows):
        step(client, "draft", "BEGIN", row, column="name")
    watcher = ctx.client(daemon)
    watcher.subscribe(live_state=True)
    frames = []
    for number in range(TEXTS):
        frame = step_frame("draft", "TEXT", text=f"what somebody types, letter {number}")
        frame.id = 1000 + number
        frames.append(framed(frame))
    told = info(first)["live_events"]
    sockets = [client.socket for client in clients] + [watcher.socket]
    for one in sockets:
        one.setblocking(True)
    began, used = time.monotonic(), spent(daemon.pid)
    for number in range(TEXTS * SECONDS):
        due = began + number / TEXTS
        for place, client in enumerate(clients):
            # Spread over the interval, as people are.
            wait = due + place / CLIENTS / TEXTS - time.monotonic()
            if wait > 0:
                drain(sockets)
                wait = due + place / CLIENTS / TEXTS - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
            client.socket.sendall(frames[number % TEXTS])
    drain(sockets)
    seconds, used = time.monotonic() - began, spent(daemon.pid) - used
    told = info(first)["live_events"] - told
    wanted = CLIENTS * TEXTS * SECONDS
    assert told >= wanted - CLIENTS, f"{told} of {wanted} texts were told"
    assert used < seconds, "the daemon can't keep up"
    return (f"{told / seconds:.0f} texts/s to one watcher: {100 * used / seconds:.1f} % of a core, "
            f"{1e6 * used / told:.1f} µs each")


def info(client):
    frame = ClientFrame()
    frame.info.SetInParent()
    return {counter.name: counter.value for counter in client.request(frame).info.counters}

"""The handshake, and what each connection may do (contracts K7, K8, K10)."""

import os
import time

from client import Closed, batch_frame, framed, insert
from daemon import wait_until
from schema import ClientFrame, code_name


def test_hello_tells_all(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    hello = client.hello
    assert hello.version == 1
    assert hello.server
    assert hello.epoch
    assert hello.client
    assert hello.uid == os.getuid()
    assert hello.durability == 0
    assert hello.HasField("revision") and hello.HasField("oldest_revision")
    assert hello.running_clock >= 0 and hello.HasField("running_clock")
    limits = hello.limits
    assert limits.frame_up == 1 << 20 and limits.frame_down == 4 << 20
    assert limits.text == 64 << 10 and limits.depth == 16
    assert limits.row == 512 << 10 and limits.columns == 256 and limits.sections == 100_000
    assert limits.title == 4 << 10 and limits.key == 64 and limits.elements == 200_000
    assert limits.subscriptions == 1024 and limits.requests_in_flight == 1024
    for name in ("clients", "clients_per_uid", "output", "history_revisions", "key_seconds",
                 "request_seconds"):
        assert getattr(limits, name) > 0, name


def test_clients_have_numbers_of_their_own(ctx):
    daemon = ctx.daemon()
    numbers = {ctx.client(daemon).hello.client for _ in range(5)}
    assert len(numbers) == 5


def test_hello_picks_the_highest_common_version(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon, hello=False)
    frame = ClientFrame()
    frame.hello.version_min, frame.hello.version_max = 1, 99
    assert client.request(frame).hello.version == 1


def test_hello_without_a_common_version_gets_the_range(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon, hello=False)
    frame = ClientFrame()
    frame.hello.version_min, frame.hello.version_max = 90, 99
    client.send(frame)
    goodbye = client.read_to_end()
    assert code_name(goodbye.code) == "VERSION"
    assert goodbye.version_min == 1 and goodbye.version_max == 1


def test_unknown_fields_of_a_hello_are_skipped(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon, hello=False)
    frame = ClientFrame(id=1)
    frame.hello.version_min = frame.hello.version_max = 1
    frame.hello.MergeFromString(b"\xa2\x06\x03new")  # field 100
    client.send(frame)
    assert client.reply().hello.version == 1


def test_anything_before_hello_is_refused(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon, hello=False)
    frame = ClientFrame()
    frame.ping.payload = b"x"
    client.send(frame)
    try:
        reply = client.reply()
        assert code_name(reply.error.code) == "HELLO_EXPECTED"
    except Closed as closed:
        assert code_name(closed.goodbye.code) == "HELLO_EXPECTED"


def test_a_second_hello_is_refused(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    frame = ClientFrame()
    frame.hello.version_min = frame.hello.version_max = 1
    client.send(frame)
    try:
        reply = client.reply()
        assert reply.HasField("error")
    except Closed as closed:
        assert closed.goodbye is not None


def test_a_slow_hello_is_ended(ctx):
    daemon = ctx.daemon()
    began = time.monotonic()
    client = ctx.client(daemon, hello=False)
    goodbye = client.read_to_end(20)
    assert code_name(goodbye.code) == "TIMEOUT"
    assert 3 < time.monotonic() - began < 10


def test_an_unfinished_frame_is_ended_by_its_whole_time(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    bystander = ctx.client(daemon)
    frame = ClientFrame(id=2)
    frame.ping.payload = bytes(1000)
    data = framed(frame)
    began = time.monotonic()
    client.send_bytes(data[:1])
    sent = 1
    while True:  # a byte now and then does not help
        try:
            client.receive(0.5)
            break
        except TimeoutError:
            assert time.monotonic() - began < 20, "still open after 20 s"
            bystander.ping()
            if sent < len(data) - 100:
                client.send_bytes(data[sent : sent + 1])
                sent += 1
    assert code_name(client.goodbye.code) == "TIMEOUT"
    assert time.monotonic() - began > 7
    bystander.ping()


def test_pipelined_replies_come_in_order(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    data = b""
    for number in range(2, 1002):
        if number % 3 == 0:
            frame = batch_frame(insert({"name": f"n{number}"}))
        else:
            frame = ClientFrame()
            frame.ping.payload = str(number).encode()
        frame.id = number
        data += framed(frame)
    client.send_bytes(data)
    for number in range(2, 1002):
        reply = client.reply()
        assert reply.id == number
        assert reply.HasField("batch" if number % 3 == 0 else "pong"), reply
    assert len(client.rows()) == 333


def test_requests_beyond_the_limit_are_not_lost_in_silence(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    data = b""
    for number in range(2, 5002):
        frame = ClientFrame(id=number)
        frame.ping.payload = b"x"
        data += framed(frame)
    client.send_bytes(data)
    expected = 2
    try:
        while expected < 5002:
            reply = client.reply()
            assert reply.id == expected
            expected += 1
            if reply.HasField("error"):
                assert code_name(reply.error.code) == "TOO_MANY_REQUESTS"
    except Closed as closed:
        assert code_name(closed.goodbye.code) == "TOO_MANY_REQUESTS"


def test_info_and_tables(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.insert(name="a")
    frame = ClientFrame()
    frame.info.SetInParent()
    info = client.request(frame).info
    assert info.pid == daemon.pid
    assert info.socket == daemon.socket
    assert info.store == daemon.store
    assert info.cursor.epoch == client.hello.epoch
    assert info.clients == 1
    assert [table.name for table in info.tables] == ["items"]
    frame = ClientFrame()
    frame.list_tables.SetInParent()
    tables = client.request(frame).tables
    assert [table.name for table in tables.tables] == ["items"]
    assert tables.tables[0].rows == 1


def test_a_new_store_has_items(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    table = client.table("items")
    assert [c.name for c in table.columns] == ["name", "serial", "value", "created"]
    assert [c.kind for c in table.columns] == [1, 1, 3, 5]
    value, created = table.columns[2], table.columns[3]
    assert value.scale == 2 and value.currency == "USD"
    assert created.read_only
    assert len(table.sections) == 1 and not table.sections[0].HasField("title")
    row = client.insert(name="Kettle", value=3995)
    cells = {c.column: c for c in client.get(row).rows[0].row.cells}
    now = time.time() * 1e6
    assert abs(cells[created.id].timestamp - now) < 60e6
    assert cells[value.id].decimal == 3995
    assert table.columns[1].id not in cells


def test_a_hundred_clients(ctx):
    daemon = ctx.daemon()
    clients = [ctx.client(daemon, f"client-{n}") for n in range(100)]
    for number, client in enumerate(clients):
        client.send(batch_frame(insert({"name": f"row {number}"})))
    for client in clients:
        assert client.reply().HasField("batch")
    assert len(clients[0].rows()) == 100
    frame = ClientFrame()
    frame.list_clients.SetInParent()
    names = {c.name for c in clients[0].request(frame).clients.clients}
    assert {f"client-{n}" for n in range(100)} <= names
    for client in clients[1:]:
        client.close()

    def alone():
        frame = ClientFrame()
        frame.info.SetInParent()
        return clients[0].request(frame).info.clients == 1

    wait_until("the others' end", alone)


def test_requests_of_later_versions_are_unsupported(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)

    later = [ClientFrame() for _ in range(1)]
    later[0].backup.path = "copy.db"
    for frame in later:
        refused = client.refused(frame)
        assert refused.code == "UNSUPPORTED", f"{frame}: {refused}"
    client.ping()


def test_info_tells_the_longest_turn(ctx):
    """A turn that begins with much input is among the longest, and info knows (contract F10)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)

    def longest():
        frame = ClientFrame()
        frame.info.SetInParent()
        counters = {c.name: c.value for c in client.request(frame).info.counters}
        return counters["longest_turn_us"], counters["longest_turn_of_minute_us"]

    client.ping()
    always, lately = longest()
    assert 0 < lately <= always, (always, lately)
    client.batch(*[insert({"name": f"row {n}"}) for n in range(4_000)])
    later, lately = longest()
    assert always < later == lately, (always, later, lately)

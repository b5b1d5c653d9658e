"""Malformed input: each class of it gets its typed answer, and nobody else notices (SPEC 9)."""

from client import Closed, batch_frame, framed, insert, update, varint
from run import seeded
from schema import ClientFrame, code_name


def field(number, wire_type, payload=b""):
    return varint(number << 3 | wire_type) + payload


def text(number, data):
    return field(number, 2, varint(len(data)) + data)


def answer(client):
    """The code of the error or of the goodbye that comes next, and which of the two it was."""
    try:
        reply = client.reply()
    except Closed as closed:
        assert closed.goodbye is not None, "closed in silence"
        return code_name(closed.goodbye.code), closed.goodbye
    assert reply.HasField("error"), f"not refused: {reply}"
    return code_name(reply.error.code), reply.error


def frame_id(number):
    return field(1, 0, varint(number))


def batch_bytes(*operations):
    """A batch frame's bytes from raw operations."""
    table = text(1, text(2, b"items"))
    body = table + text(3, field(1, 0, b"\x01"))
    for operation in operations:
        body += text(5, operation)
    return frame_id(2) + text(50, body)


def insert_bytes(cell):
    """A raw InsertRow operation with one raw cell."""
    return text(1, text(2, text(1, cell)))


NAME = text(8, b"name")

# What is sent after a good hello, as whole payloads, and the codes that may answer.
PAYLOADS = {
    "empty": (b"", {"BAD_REQUEST", "UNKNOWN_REQUEST", "BAD_FRAME"}),
    "only an id": (frame_id(2), {"BAD_REQUEST", "UNKNOWN_REQUEST"}),
    "unknown request": (frame_id(2) + text(900, b""), {"UNKNOWN_REQUEST"}),
    "cut in a tag": (frame_id(2) + b"\x8a", {"BAD_FRAME"}),
    "cut in a length": (frame_id(2) + b"\x8a\x01\x80", {"BAD_FRAME"}),
    "cut in a text": (frame_id(2) + b"\x8a\x01\x05abc", {"BAD_FRAME"}),
    "field number 0": (frame_id(2) + b"\x02\x00" + text(17, b""), {"BAD_FRAME"}),
    "start of a group": (frame_id(2) + field(17, 3) + field(17, 4), {"BAD_FRAME"}),
    "unknown group": (frame_id(2) + text(17, field(9, 3) + field(9, 4)), {"BAD_FRAME"}),
    "wire type 6": (frame_id(2) + text(17, field(9, 6)), {"BAD_FRAME"}),
    "wire type 7": (frame_id(2) + text(17, field(9, 7)), {"BAD_FRAME"}),
    "id as text": (text(1, b"x") + text(17, b""), {"BAD_FRAME"}),
    "request as number": (frame_id(2) + field(17, 0, b"\x01"), {"BAD_FRAME"}),
    "payload as number": (frame_id(2) + text(17, field(1, 0, b"\x01")), {"BAD_FRAME"}),
    "endless varint": (field(1, 0, b"\xff" * 11 + b"\x01"), {"BAD_FRAME"}),
    "varint over 64 bits": (field(1, 0, b"\xff" * 9 + b"\x7f") + text(17, b""), {"BAD_FRAME"}),
    "id twice": (frame_id(2) + frame_id(3) + text(17, b""), {"BAD_FRAME"}),
    "two requests": (frame_id(2) + text(17, b"") + text(18, b""), {"BAD_FRAME"}),
    "the same request twice": (frame_id(2) + text(17, b"") + text(17, b""), {"BAD_FRAME"}),
    "bad UTF-8 in a name": (
        frame_id(2) + text(31, text(1, text(2, b"it\xffems"))), {"BAD_TEXT"}),
    "surrogate in a name": (
        frame_id(2) + text(31, text(1, text(2, b"\xed\xa0\x80"))), {"BAD_TEXT"}),
    "overlong UTF-8": (frame_id(2) + text(31, text(1, text(2, b"\xc0\xaf"))), {"BAD_TEXT"}),
    "inner NUL in a name": (
        frame_id(2) + text(31, text(1, text(2, b"items\0"))), {"BAD_TEXT"}),
    "bad UTF-8 in a cell": (batch_bytes(insert_bytes(NAME + text(2, b"\xfe"))), {"BAD_TEXT"}),
    "inner NUL in a cell": (batch_bytes(insert_bytes(NAME + text(2, b"a\0b"))), {"BAD_TEXT"}),
    "bool of 2": (
        frame_id(2) + text(50, text(1, text(2, b"items")) + field(7, 0, b"\x02")),
        {"BAD_FRAME", "BAD_VALUE"}),
    "wide enum": (
        frame_id(2)
        + text(50, text(1, text(2, b"items")) + field(2, 0, varint((1 << 32) + 1))),
        {"BAD_FRAME", "BAD_VALUE"}),
    "unknown enum value": (
        frame_id(2) + text(50, text(1, text(2, b"items")) + field(2, 0, b"\x37")),
        {"BAD_FRAME", "BAD_VALUE", "UNSUPPORTED", "UNKNOWN_FIELD", "BAD_REQUEST"}),
    "cell of two values": (
        batch_bytes(insert_bytes(NAME + text(2, b"a") + field(3, 0, b"\x02"))), {"BAD_FRAME"}),
    "operation of two kinds": (batch_bytes(text(1, b"") + text(2, b"")), {"BAD_FRAME"}),
    "operation of no kind": (batch_bytes(b""), {"BAD_REQUEST", "BAD_FRAME"}),
    "operation of an unknown kind": (
        batch_bytes(text(90, b"")), {"UNKNOWN_FIELD", "UNSUPPORTED", "UNKNOWN_REQUEST"}),
    "unknown field of a batch": (
        frame_id(2) + text(50, text(1, text(2, b"items")) + field(99, 0, b"\x01")),
        {"UNKNOWN_FIELD"}),
    "unknown field of an operation": (
        batch_bytes(insert_bytes(NAME + text(2, b"a")) + field(98, 0, b"\x01")),
        {"UNKNOWN_FIELD"}),
    "unknown field of a cell": (
        batch_bytes(insert_bytes(NAME + text(2, b"a") + text(97, b"x"))), {"UNKNOWN_FIELD"}),
    "unknown field of a frame with a batch": (
        batch_bytes(insert_bytes(NAME + text(2, b"a"))) + field(1000, 0, b"\x01"),
        {"UNKNOWN_FIELD"}),
    "many elements": (
        batch_bytes(*[b""] * 200_001), {"TOO_MANY_ELEMENTS"}),
    "many unknown fields": (
        frame_id(2) + text(31, field(99, 0, b"\x01") * 200_001), {"TOO_MANY_ELEMENTS"}),
    "many ids": (
        frame_id(2) + text(32, text(1, text(2, b"items")) + text(2, b"\x01" * 200_001)),
        {"TOO_MANY_ELEMENTS"}),
    "text of 64 KiB and one": (
        batch_bytes(insert_bytes(NAME + text(2, b"a" * ((64 << 10) + 1)))), {"TEXT_TOO_LONG"}),
    "long key": (
        text(2, b"k" * 65) + batch_bytes(insert_bytes(NAME + text(2, b"a"))),
        {"TEXT_TOO_LONG", "BAD_REQUEST", "BAD_VALUE"}),
}

UNKNOWN_NUMBERS = {
    "unknown field of a batch": 99,
    "unknown field of an operation": 98,
    "unknown field of a cell": 97,
    "unknown field of a frame with a batch": 1000,
}


def test_every_malformed_payload_has_its_answer(ctx):
    daemon = ctx.daemon()
    bystander = ctx.client(daemon, "bystander")
    subscribed = bystander.subscribe()
    wrong = []
    for name, (payload, codes) in PAYLOADS.items():
        client = ctx.client(daemon, "bad")
        client.send_bytes(framed(payload))
        try:
            code, details = answer(client)
        except (AssertionError, TimeoutError) as fault:
            wrong.append(f"{name}: {fault!r}")
            continue
        if code not in codes:
            wrong.append(f"{name}: {code} ({details.message}), expected {sorted(codes)}")
        elif name in UNKNOWN_NUMBERS and details.field != UNKNOWN_NUMBERS[name]:
            wrong.append(f"{name}: names field {details.field}")
        if client.goodbye is None:  # an error leaves the connection usable
            client.ping()
        client.close()
        bystander.ping()
    assert daemon.alive()
    assert not wrong, "\n".join(wrong)
    assert bystander.rows() == []
    bystander.barrier(subscribed.subscription, 7)
    kinds = set()
    while True:
        event = bystander.event()
        kinds.add(event.WhichOneof("body"))
        if event.HasField("barrier"):
            break
    assert "change" not in kinds
    return f"{len(PAYLOADS)} payloads"


def test_lengths_are_judged_before_memory_is_taken(ctx):
    daemon = ctx.daemon()
    before = daemon.resident()
    lengths = [
        (varint((1 << 20) + 1), {"FRAME_TOO_LARGE"}),
        (varint((1 << 32) - 1), {"FRAME_TOO_LARGE"}),
        (b"\xff\xff\xff\xff\x7f", {"FRAME_TOO_LARGE", "BAD_FRAME"}),
        (b"\xff" * 10, {"BAD_FRAME", "FRAME_TOO_LARGE"}),
        (b"\x80" * 10 + b"\x00", {"BAD_FRAME"}),
    ]
    for data, codes in lengths:
        client = ctx.client(daemon)
        client.send_bytes(data)
        goodbye = client.read_to_end()
        assert goodbye is not None, f"{data!r}: closed in silence"
        assert code_name(goodbye.code) in codes, f"{data!r}: {goodbye}"
    assert daemon.resident() < before + (8 << 20)
    ctx.client(daemon).ping()


def test_unknown_fields_of_reads_are_skipped(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    row = client.insert(name="a")
    payload = frame_id(2) + text(
        32, text(1, text(2, b"items")) + text(2, varint(row)) + text(99, b"new"))
    client.send_bytes(framed(payload + field(1000, 5, b"1234")))
    reply = client.reply()
    assert reply.rows.rows[0].row.id == row, reply


def frame_of(size):
    """A batch frame of exactly so many bytes."""
    frame = batch_frame(*[insert({"name": "x" * 60_000}) for _ in range(17)])
    frame.id = 2
    last = frame.batch.operations.add()
    last.insert_row.row.cells.add(column_name="name", text="y" * 20_000)
    cell = last.insert_row.row.cells[0]
    cell.text = "y" * (20_000 + size - frame.ByteSize())
    assert frame.ByteSize() == size
    return frame


def test_the_largest_frame_is_taken(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.send_bytes(framed(frame_of(1 << 20)))
    assert client.reply().batch.counts.rows_inserted == 18
    client.send_bytes(framed(frame_of((1 << 20) + 1)))
    assert code_name(client.read_to_end().code) == "FRAME_TOO_LARGE"
    assert len(ctx.client(daemon).rows()) == 18


def conversation():
    """Bytes of a hello, a ping and an insert, and the number of replies to them."""
    hello = ClientFrame(id=1)
    hello.hello.version_min = hello.hello.version_max = 1
    hello.hello.client_name = "cut"
    ping = ClientFrame(id=2)
    ping.ping.payload = b"p" * 130  # a length of two bytes
    add = batch_frame(insert({"name": "Kettle", "serial": "0007", "value": 3995}))
    add.id = 3
    return framed(hello) + framed(ping) + framed(add)


def check_conversation(client):
    assert client.reply().hello.version == 1
    assert client.reply().pong.payload == b"p" * 130
    assert client.reply().batch.counts.rows_inserted == 1


def test_frames_cut_at_every_byte(ctx):
    daemon = ctx.daemon()
    pacer = ctx.client(daemon)
    data = conversation()
    for cut in range(1, len(data)):
        client = ctx.client(daemon, hello=False)
        client.send_bytes(data[:cut])
        pacer.ping()  # the daemon has had a turn with the first piece
        client.send_bytes(data[cut:])
        check_conversation(client)
        client.close()
    assert len(pacer.rows()) == len(data) - 1
    return f"{len(data) - 1} cuts"


def test_frames_byte_by_byte(ctx):
    daemon = ctx.daemon()
    pacer = ctx.client(daemon)
    client = ctx.client(daemon, hello=False)
    for byte in conversation():
        client.send_bytes(bytes([byte]))
        pacer.ping()
    check_conversation(client)


def test_a_connection_may_end_at_every_byte(ctx):
    daemon = ctx.daemon()
    pacer = ctx.client(daemon)
    data = conversation()
    for cut in range(len(data)):
        client = ctx.client(daemon, hello=False)
        client.send_bytes(data[:cut])
        client.close()
    pacer.ping()
    assert len(pacer.rows()) == 0
    assert daemon.alive()


@seeded
def test_random_damage_never_kills(ctx):
    daemon = ctx.daemon()
    bystander = ctx.client(daemon)
    row = bystander.insert(name="mine")
    good = [
        batch_frame(insert({"name": "x", "value": 1}), update(row, serial="1"), key="k"),
        ClientFrame(),
        ClientFrame(),
        ClientFrame(),
    ]
    good[1].list_rows.table.name = "items"
    good[2].subscribe.table.name = "items"
    good[3].describe_table.table.name = "items"
    for number, frame in enumerate(good):
        frame.id = number + 2
    payloads = [frame.SerializeToString() for frame in good]
    for round_number in range(600):
        payload = bytearray(ctx.random.choice(payloads))
        for _ in range(ctx.random.randrange(1, 4)):
            place = ctx.random.randrange(len(payload))
            kind = ctx.random.randrange(3)
            if kind == 0:
                payload[place] = ctx.random.randrange(256)
            elif kind == 1:
                del payload[place]
            else:
                payload.insert(place, ctx.random.randrange(256))
            payload = payload or bytearray(b"\0")
        client = ctx.client(daemon, hello=False)
        client.greet()
        client.send_bytes(framed(payload))
        try:  # some answer, whichever: never silence
            client.pump()
        except Closed as closed:
            assert closed.goodbye is not None, f"closed in silence: {bytes(payload)!r}"
        client.close()
        if round_number % 50 == 0:
            bystander.ping()
    assert daemon.alive()
    bystander.ping()

"""A client: frames, request ids, replies, events. Knows nothing but the schema."""

import collections
import socket
import time

from schema import ClientFrame, ServerFrame, batch as batch_schema, code_name


class Closed(Exception):
    """The daemon has closed the connection; `goodbye` is its last frame, or None."""

    def __init__(self, goodbye):
        super().__init__(f"closed, goodbye: {goodbye}")
        self.goodbye = goodbye


class Refused(Exception):
    """A request was answered with an error."""

    def __init__(self, error):
        super().__init__(f"{code_name(error.code)}: {error.message}\n{error}")
        self.error = error
        self.code = code_name(error.code)


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def framed(payload):
    """A message, or its bytes, with the length in front."""
    if not isinstance(payload, (bytes, bytearray)):
        payload = payload.SerializeToString()
    return varint(len(payload)) + bytes(payload)


class Client:
    """One connection. Not for two threads at once."""

    def __init__(self, path, name="test", actor=None, hello=True, patience=20):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.patience = patience
        self.buffer = bytearray()
        self.events = collections.deque()
        self.replies = collections.deque()
        self.goodbye = None
        self.next_id = 1
        self.name = name
        self.actor = actor or name
        if hello:
            self.hello = self.greet()

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    # Frames

    def send_bytes(self, data):
        self.socket.settimeout(self.patience)
        self.socket.sendall(data)

    def send(self, frame):
        """Gives the frame the next id, sends it, and returns the id."""
        frame.id = self.next_id
        self.next_id += 1
        self.send_bytes(framed(frame))
        return frame.id

    def _whole_frame(self):
        size = shift = 0
        for index, byte in enumerate(self.buffer[:5]):
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                end = index + 1 + size
                if len(self.buffer) < end:
                    return None
                payload = bytes(self.buffer[index + 1 : end])
                del self.buffer[:end]
                return payload
        assert len(self.buffer) < 5, "a length of more than five bytes"
        return None

    def receive(self, seconds=None):
        """The next frame. Raises Closed at the end, TimeoutError when none comes in time."""
        deadline = time.monotonic() + (self.patience if seconds is None else seconds)
        while True:
            payload = self._whole_frame()
            if payload is not None:
                frame = ServerFrame.FromString(payload)
                if frame.HasField("goodbye"):
                    self.goodbye = frame.goodbye
                return frame
            self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            try:
                data = self.socket.recv(1 << 18)
            except ConnectionResetError:
                data = b""
            if not data:
                assert not self.buffer or self.goodbye is None, "bytes after the goodbye"
                raise Closed(self.goodbye)
            self.buffer += data

    def pump(self, seconds=None):
        """Receives one frame and puts it where it belongs."""
        frame = self.receive(seconds)
        if frame.HasField("reply"):
            self.replies.append(frame.reply)
        elif frame.HasField("event"):
            self.events.append(frame.event)

    def reply(self, seconds=None):
        """The next reply; events on the way are kept."""
        while not self.replies:
            self.pump(seconds)
        return self.replies.popleft()

    def event(self, seconds=None):
        """The next event; replies on the way are kept."""
        while not self.events:
            self.pump(seconds)
        return self.events.popleft()

    def read_to_end(self, seconds=None):
        """Reads until the daemon closes; returns the goodbye or None."""
        try:
            while True:
                self.pump(seconds)
        except Closed as closed:
            return closed.goodbye

    # Requests

    def request(self, frame):
        """Sends a request and waits for its one reply; raises Refused on an error."""
        number = self.send(frame)
        reply = self.reply()
        assert reply.id == number, f"reply to {reply.id}, not to {number}"
        if reply.HasField("error"):
            raise Refused(reply.error)
        return reply

    def refused(self, frame):
        """Sends a request that must be refused; returns the error with its code's name."""
        try:
            reply = self.request(frame)
        except Refused as refused:
            return refused
        raise AssertionError(f"not refused: {reply}")

    def greet(self):
        frame = ClientFrame()
        frame.hello.version_min = frame.hello.version_max = 1
        frame.hello.client_name = self.name
        frame.hello.actor = self.actor
        return self.request(frame).hello

    def ping(self, payload=b"x"):
        frame = ClientFrame()
        frame.ping.payload = payload
        assert self.request(frame).pong.payload == payload

    def batch(self, *operations, **more):
        return self.request(batch_frame(*operations, **more)).batch

    def insert(self, at=None, table="items", **cells):
        """Inserts one row; returns its id."""
        return self.batch(insert(cells, at), table=table).inserted[0].first

    def get(self, *ids, table="items"):
        frame = ClientFrame()
        frame.get_rows.table.name = table
        frame.get_rows.ids.extend(ids)
        return self.request(frame).rows

    def rows(self, table="items", section=None):
        """Every row, by position, page after page of one snapshot."""
        found, first, snapshot = [], 0, None
        while True:
            frame = ClientFrame()
            frame.list_rows.table.name = table
            if section is not None:
                frame.list_rows.section.id = section
            frame.list_rows.first = first
            if snapshot is not None:
                frame.list_rows.snapshot = snapshot
            page = self.request(frame).rows
            found.extend(page.rows)
            if not page.HasField("next"):
                return found
            assert page.next > first
            first = page.next
            if page.HasField("snapshot"):
                snapshot = page.snapshot

    def table(self, name="items"):
        return self._described(name)[0]

    def table_parts(self, name="items"):
        """In how many parts a table is described."""
        return self._described(name)[1]

    def _described(self, name):
        frame = ClientFrame()
        frame.describe_table.table.name = name
        reply = self.request(frame)
        table, parts = reply.table, 1
        while reply.more:
            reply = self.reply()
            table.MergeFrom(reply.table)
            parts += 1
        return table, parts

    def subscribe(self, table="items", since=None, at_least=None, **fields):
        """The reply to a subscribe request."""
        frame = ClientFrame()
        if at_least is not None:
            frame.at_least.epoch, frame.at_least.revision = at_least
        if table is not None:
            frame.subscribe.table.name = table
        else:
            frame.subscribe.SetInParent()
        if since is not None:
            frame.subscribe.since.epoch, frame.subscribe.since.revision = since
        for name, value in fields.items():
            setattr(frame.subscribe, name, value)
        return self.request(frame).subscribed

    def barrier(self, subscription=0, token=1, sql=False):
        """Asks for a barrier; its event comes later."""
        frame = ClientFrame()
        frame.barrier.subscription = subscription
        frame.barrier.token = token
        if sql:
            frame.barrier.sql = True
        return self.request(frame)


# Operations

KINDS = {"name": "text", "serial": "text", "value": "decimal", "created": "timestamp"}


def fill_cells(target, cells):
    """Cells of `items` by name; None is null, (kind, value) overrides the column's kind."""
    for name, value in cells.items():
        kind = KINDS.get(name, "text")
        if isinstance(value, tuple):
            kind, value = value
        cell = target.add(column_name=name)
        if value is not None:
            setattr(cell, kind, value)


def fill_place(place, at):
    """at: None, (section, row), or one of before, after, first_of, last_of with an id."""
    if at is None:
        return
    what, value = at
    if what in ("before", "after"):
        getattr(place, what).id = value
    elif what in ("first_of", "last_of"):
        section = getattr(place, what)
        if isinstance(value, dict):
            section.handle = value["as"]
        else:
            section.id = value
    else:
        place.path.section, place.path.row = at


def insert(cells, at=None, handle=None):
    op = batch_schema.Operation()
    fill_place(op.insert_row.at, at)
    op.insert_row.row.SetInParent()
    fill_cells(op.insert_row.row.cells, cells)
    if handle is not None:
        setattr(op.insert_row.row, "as", handle)
    return op


def fill_row(ref, row):
    """row: an id, (section, row), or {"as": n}."""
    if isinstance(row, dict):
        ref.handle = row["as"]
    elif isinstance(row, tuple):
        ref.path.section, ref.path.row = row
    else:
        ref.id = row


def delete(row):
    op = batch_schema.Operation()
    fill_row(op.delete_row.row, row)
    return op


def move(row, to):
    op = batch_schema.Operation()
    fill_row(op.move_row.row, row)
    fill_place(op.move_row.to, to)
    return op


def update(row, **cells):
    op = batch_schema.Operation()
    fill_row(op.update_row.row, row)
    fill_cells(op.update_row.cells, cells)
    return op


def reload(row, **cells):
    op = batch_schema.Operation()
    fill_row(op.reload_row.row, row)
    fill_cells(op.reload_row.cells, cells)
    return op


def insert_section(title=None, index=None, rows=(), handle=None):
    op = batch_schema.Operation()
    op.insert_section.SetInParent()
    if title is not None:
        op.insert_section.title = title
    if index is not None:
        op.insert_section.at.index = index
    for cells in rows:
        fill_cells(op.insert_section.rows.add().cells, cells)
    if handle is not None:
        setattr(op.insert_section, "as", handle)
    return op


def delete_section(section):
    op = batch_schema.Operation()
    op.delete_section.section.id = section
    return op


def move_section(section, index):
    op = batch_schema.Operation()
    op.move_section.section.id = section
    op.move_section.to.index = index
    return op


def retitle(section, title):
    op = batch_schema.Operation()
    op.retitle_section.section.id = section
    if title is not None:
        op.retitle_section.title = title
    return op


def batch_frame(
    *operations,
    table="items",
    key=None,
    retry_until=None,
    expect=None,
    conditions=(),
    dry_run=False,
    current=True,
    transition=False,
    counts=(),
):
    """A frame with a batch, a sequence unless said otherwise; paths mean the table as it is, unless `current` is false."""
    frame = ClientFrame()
    frame.batch.table.name = table
    frame.batch.operations.extend(operations)
    frame.batch.conditions.extend(conditions)
    if transition:
        frame.batch.mode = batch_schema.BATCH_MODE_TRANSITION
    frame.batch.section_counts.extend(counts)
    if current:
        frame.batch.basis.current = True
    if dry_run:
        frame.batch.dry_run = True
    if key is not None:
        frame.key = key
    if retry_until is not None:
        frame.retry_until = retry_until
    if expect is not None:
        frame.expect.epoch, frame.expect.revision = expect
    return frame

"""Keeps the rows of a table with asyncio and tells of every change: async_watch.py [SOCKET [TABLE]]

The classes come from: protoc -I Proto --python_out=FOLDER Proto/hp/v1/*.proto"""
import asyncio
import os
import sys

from hp.v1.frame_pb2 import ClientFrame, ServerFrame


async def receive(reader):
    """The next frame; IncompleteReadError at the end of the connection."""
    size = shift = 0
    while (byte := (await reader.readexactly(1))[0]) > 127:
        size, shift = size | (byte & 127) << shift, shift + 7
    return ServerFrame.FromString(await reader.readexactly(size | byte << shift))


def send(writer, frame):
    body, length = frame.SerializeToString(), b""
    size = len(body)
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    writer.write(length + bytes([size]) + body)


class Connection:
    """Requests that may be in flight together; events come one after the other."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.waiting, self.events, self.count = {}, asyncio.Queue(), 0
        self.task = asyncio.create_task(self.run())

    async def run(self):
        try:
            while True:
                frame = await receive(self.reader)
                if frame.HasField("reply"):
                    self.waiting.pop(frame.reply.id).set_result(frame.reply)
                else:
                    await self.events.put(frame)
                    if frame.HasField("goodbye"):
                        break
        except asyncio.IncompleteReadError:
            pass
        await self.events.put(None)
        for future in self.waiting.values():
            future.set_exception(ConnectionError("hpd has gone"))

    async def ask(self, **request):
        """Sends a request, given by its name and message; returns its reply."""
        self.count += 1
        self.waiting[self.count] = asyncio.get_running_loop().create_future()
        future = self.waiting[self.count]
        send(self.writer, ClientFrame(id=self.count, **request))
        await self.writer.drain()
        reply = await future
        if reply.HasField("error"):
            raise RuntimeError(reply.error.message)
        return reply


def cells(row, names):
    """The cells of a row by the names of their columns; decimals are whole smallest units."""
    return {names[cell.column]: getattr(cell, cell.WhichOneof("value")) for cell in row.cells}


async def main(path, table):
    connection = Connection(*await asyncio.open_unix_connection(path))
    versions = {"version_min": 1, "version_max": 1}
    await connection.ask(hello={"client_name": "async_watch.py", **versions})
    # Both are in flight at once; their replies come in this order.
    _, count = await asyncio.gather(
        connection.ask(subscribe={"table": {"name": table}}),
        connection.ask(count_rows={"table": {"name": table}}))
    print("rows:", count.count.rows, flush=True)
    names, rows = {}, {}
    while frame := await connection.events.get():
        event, changes = frame.event, []
        if event.HasField("snapshot"):
            changes = event.snapshot.tables
        elif event.HasField("rows"):
            rows.update((row.id, cells(row, names)) for row in event.rows.rows)
        elif event.HasField("live"):
            print("live at", event.live.cursor.revision, "with", len(rows), flush=True)
        elif event.HasField("change"):
            changes = event.change.tables
        elif frame.HasField("goodbye"):
            print("goodbye:", frame.goodbye.message, flush=True)
        for part in changes:
            names.update((column.id, column.name) for column in part.columns)
            if not event.HasField("change"):
                continue
            for run in part.deleted:
                for row in range(run.first, run.first + run.count):
                    print(event.change.revision, "-", row, rows.pop(row), flush=True)
            for row in part.rows:
                sign = "~" if row.id in rows else "+"
                rows[row.id] = cells(row, names)
                print(event.change.revision, sign, row.id, rows[row.id], flush=True)


if __name__ == "__main__":
    SOCKET = sys.argv[1] if len(sys.argv) > 1 else os.environ["HPD_SOCKET"]
    try:
        asyncio.run(main(SOCKET, sys.argv[2] if len(sys.argv) > 2 else "items"))
    except KeyboardInterrupt:
        sys.exit(130)

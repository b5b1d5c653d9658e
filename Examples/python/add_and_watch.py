"""Adds a row to `items`, then prints what happens: add_and_watch.py [SOCKET [EVENTS]]

The classes come from: protoc -I Proto --python_out=FOLDER Proto/hp/v1/*.proto"""
import os, signal, socket, sys
from hp.v1.frame_pb2 import ClientFrame, ServerFrame

signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
server = socket.socket(socket.AF_UNIX)
server.connect(sys.argv[1] if len(sys.argv) > 1 else os.environ["HPD_SOCKET"])
stream = server.makefile("rb")

def send(frame):
    body, length = frame.SerializeToString(), b""
    size = len(body)
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    server.sendall(length + bytes([size]) + body)

def receive():
    size = shift = 0
    while (byte := stream.read(1)[0]) > 127:
        size, shift = size | (byte & 127) << shift, shift + 7
    return ServerFrame.FromString(stream.read(size | byte << shift))
hello = ClientFrame(id=1)
hello.hello.version_min = hello.hello.version_max = 1
hello.hello.client_name = "add_and_watch.py"
watch = ClientFrame(id=2)
watch.subscribe.table.name, watch.subscribe.only_live = "items", True
add = ClientFrame(id=3)
add.batch.table.name = "items"
row = add.batch.operations.add().insert_row.row
row.cells.add(column_name="name", text="Kettle")
row.cells.add(column_name="value", decimal=3995)
for request in (hello, watch, add):
    send(request)
left = int(sys.argv[2]) if len(sys.argv) > 2 else -1
while left:
    frame = receive()
    print(frame, flush=True)
    left -= frame.event.HasField("change")

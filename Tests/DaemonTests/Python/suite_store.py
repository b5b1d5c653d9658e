"""Store and socket: locks, paths, modes, signals, SQL beside a running hpd (SPEC 8, 12)."""

import os
import resource
import socket
import sqlite3
import stat
import threading
import time

from client import Client, Closed, batch_frame, delete, insert, insert_section, move, update
from daemon import store_status, wait_until
from schema import ClientFrame, code_name


def test_default_paths_and_modes(ctx):
    """Without options: the folders of XDG, made private, whatever the umask."""
    run, home = os.path.join(ctx.folder, "run"), os.path.join(ctx.folder, "home")
    os.mkdir(run, 0o700)
    os.mkdir(home, 0o755)
    store = os.path.join(home, ".local/share/hpd/hpd.db")
    daemon = ctx.daemon(
        environment={"HOME": home, "XDG_RUNTIME_DIR": run}, defaults=True,
        socket_path=os.path.join(run, "hpd/hpd.sock"), store=store)
    assert stat.S_IMODE(os.stat(daemon.socket).st_mode) == 0o600
    for part in (".local", ".local/share", ".local/share/hpd"):
        assert stat.S_IMODE(os.stat(os.path.join(home, part)).st_mode) == 0o700, part
    assert stat.S_IMODE(os.stat(os.path.dirname(daemon.socket)).st_mode) == 0o700
    assert os.path.exists(store)
    assert stat.S_IMODE(os.stat(store).st_mode) & 0o077 == 0
    client = ctx.client(daemon)
    client.insert(name="a")


def test_the_environment_names_the_socket(ctx):
    path = os.path.join(ctx.folder, "named.sock")
    home = os.path.join(ctx.folder, "data")
    daemon = ctx.daemon(
        environment={"HPD_SOCKET": path, "XDG_DATA_HOME": home, "XDG_RUNTIME_DIR": "/nowhere"},
        defaults=True, socket_path=path, store=os.path.join(home, "hpd/hpd.db"))
    ctx.client(daemon).ping()
    assert os.path.exists(daemon.store)


def test_a_stale_socket_file_is_replaced(ctx):
    daemon = ctx.daemon()
    daemon.kill()
    assert os.path.exists(daemon.socket)
    daemon.start()
    ctx.client(daemon).ping()


def test_a_clean_stop_removes_the_socket(ctx):
    daemon = ctx.daemon()
    daemon.stop()
    assert not os.path.exists(daemon.socket)
    daemon.start()
    ctx.client(daemon).ping()


def ended(daemon):
    """Waits for a daemon that must refuse to start; returns status and log."""
    daemon.may_be_dead = True
    status = daemon.wait(20)
    return status, daemon.log_tail()


def test_a_live_socket_is_never_taken(ctx):
    daemon = ctx.daemon()
    before = os.stat(daemon.socket).st_ino
    second = ctx.daemon("second", start=False, socket_path=daemon.socket)
    second.spawn()
    status, log = ended(second)
    assert status == 1, f"{status}: {log}"
    assert daemon.socket in log
    assert os.stat(daemon.socket).st_ino == before
    ctx.client(daemon).ping()


def test_a_file_that_is_no_socket_is_never_removed(ctx):
    path = os.path.join(ctx.folder, "precious")
    with open(path, "w", encoding="ascii") as file:
        file.write("mine")
    daemon = ctx.daemon(start=False, socket_path=path)
    daemon.spawn()
    status, log = ended(daemon)
    assert status == 1, f"{status}: {log}"
    with open(path, encoding="ascii") as file:
        assert file.read() == "mine"


def test_a_second_daemon_on_one_store_is_refused(ctx):
    daemon = ctx.daemon()
    second = ctx.daemon("second", start=False, store=daemon.store)
    second.spawn()
    status, log = ended(second)
    assert status == 1, f"{status}: {log}"
    assert daemon.store in log
    assert not os.path.exists(second.socket)
    ctx.client(daemon).insert(name="a")
    daemon.kill()  # the lock goes with the process
    second.may_be_dead = False
    second.start()
    assert len(ctx.client(second).rows()) == 1


def test_a_long_socket_path_is_named_with_its_length(ctx):
    path = os.path.join(ctx.folder, "x" * 120)
    daemon = ctx.daemon(start=False, socket_path=path)
    daemon.spawn()
    status, log = ended(daemon)
    assert status in (1, 2), f"{status}: {log}"
    assert str(len(path)) in log and "107" in log, log


def test_a_wrong_command_line_is_status_2(ctx):
    for options in (["--nonsense"], ["--durability", "sometimes"], ["--store"]):
        daemon = ctx.daemon("bad", start=False, options=options)
        daemon.spawn()
        status, log = ended(daemon)
        assert status == 2, f"{options}: {status}: {log}"
        assert log.strip()


def test_sigterm_says_goodbye_to_everybody(ctx):
    daemon = ctx.daemon()
    clients = [ctx.client(daemon) for _ in range(5)]
    number = clients[0].subscribe().subscription
    revision = clients[1].batch(insert({"name": "a"})).cursor.revision
    while True:
        event = clients[0].event()
        if event.HasField("change") and event.change.revision == revision:
            break
    daemon.terminate()
    for client in clients:
        goodbye = client.read_to_end()
        assert goodbye is not None, "no goodbye"
        assert code_name(goodbye.code) == "SHUTTING_DOWN"
    reached = {r.subscription: r.revision for r in clients[0].goodbye.reached}
    assert reached == {number: revision}
    assert daemon.wait() == 0


def test_sigterm_finishes_what_was_accepted(ctx):
    """Whatever was answered is there after a stop in the middle of writes, and nothing half."""
    daemon = ctx.daemon()
    acknowledged, lock = [], threading.Lock()

    def write(number):
        client = Client(daemon.socket, f"w{number}")
        try:
            for step in range(100_000):
                name = f"{number}-{step}"
                client.batch(insert({"name": name}), insert({"name": name}))
                with lock:
                    acknowledged.append(name)
        except (OSError, Exception):  # noqa: BLE001  # the daemon went away
            pass
        finally:
            client.close()

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    wait_until("some writes", lambda: len(acknowledged) > 200)
    daemon.stop()
    for thread in threads:
        thread.join()
    daemon.start()
    names = [p.row.cells[0].text for p in ctx.client(daemon).rows()]
    assert all(names.count(name) == 2 for name in set(names))
    assert set(acknowledged) <= set(names)
    assert len(set(names)) <= len(set(acknowledged)) + 4


def test_epoch_and_ids_over_restarts(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    epoch, last = client.hello.epoch, 0
    clients = {client.hello.client}
    for stop in (daemon.stop, daemon.kill, daemon.kill):
        row = client.insert(name="x")
        assert row > last
        client.batch(delete(row))
        last = row
        revision = client.table().last_changed
        stop()
        daemon.start()
        client = ctx.client(daemon)
        assert client.hello.epoch == epoch
        assert client.hello.revision >= revision
        assert client.hello.client not in clients
        clients.add(client.hello.client)
    assert client.insert(name="x") > last


def test_durability_is_stated_and_an_unclean_stop_has_a_new_epoch(ctx):
    for number, mode in ((1, "interval"), (2, "none")):
        daemon = ctx.daemon(mode, options=["--durability", mode])
        client = ctx.client(daemon)
        assert client.hello.durability == number
        epoch = client.hello.epoch
        row = client.insert(name="a")
        daemon.stop()
        daemon.start()
        client = ctx.client(daemon)
        assert client.hello.epoch == epoch
        client.insert(name="b")
        revision = client.table().last_changed
        daemon.kill()
        daemon.start()
        client = ctx.client(daemon)
        assert client.hello.epoch != epoch
        assert client.hello.revision > revision + (1 << 23)
        assert client.insert(name="c") >= row + (1 << 24)
        daemon.stop()


def test_a_copied_store_has_a_new_epoch(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    epoch = client.hello.epoch
    client.insert(name="a")
    daemon.stop()
    copy = os.path.join(ctx.folder, "copy.db")
    with open(daemon.store, "rb") as source, open(copy, "wb") as target:
        target.write(source.read())
    other = ctx.daemon("copy", store=copy)
    client = ctx.client(other)
    assert client.hello.epoch != epoch
    assert len(client.rows()) == 1


def sql(daemon, statement, *values):
    connection = sqlite3.connect(f"file:{daemon.store}?mode=ro", uri=True, timeout=10)
    try:
        return connection.execute(statement, values).fetchall()
    finally:
        connection.close()


def test_the_sql_view_of_a_table(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    a = client.insert(name="Kettle", serial="0007", value=3995)
    b = client.insert(name="Owl", value=-5)
    c = client.insert(serial="x", name=None)
    client.batch(move(c, (0, 0)), insert_section("s", rows=[{"name": "In s", "value": 0}]))
    client.barrier(0, 1, sql=True)
    assert client.event().barrier.token == 1
    rows = sql(
        daemon, "SELECT _id, name, serial, value FROM items ORDER BY _section, _order")
    assert [row[0] for row in rows][:3] == [c, a, b]
    assert rows[1][1:] == ("Kettle", "0007", "39.95")
    assert rows[2][1:] == ("Owl", None, "-0.05")
    assert rows[0][1:] == (None, "x", None)
    assert rows[3][1:] == ("In s", None, "0.00")
    created = sql(daemon, "SELECT created FROM items WHERE _id = ?", a)[0][0]
    assert created.startswith(time.strftime("%Y-", time.gmtime())), created
    revision, materialised = store_status(daemon.store)
    assert revision == materialised == client.table().last_changed


def test_sql_readers_are_not_shut_out(ctx):
    """Every read of another process succeeds while writers are busy (S11)."""
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.insert(name="first")
    client.barrier(0, 1, sql=True)
    client.event()
    reads = 0
    for step in range(200):
        for number in range(20):
            client.send(batch_frame(insert({"name": f"{step} {number}"})))
        count = sql(daemon, "SELECT count(*) FROM items")[0][0]
        assert count >= 1
        reads += 1
        for _ in range(20):
            client.reply()
    assert len(client.rows()) == 4001
    return f"{reads} reads"


def test_rows_are_materialised_when_it_is_quiet(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.batch(*[insert({"name": str(n)}) for n in range(1000)])

    def whole():
        return sql(daemon, "SELECT count(*) FROM items")[0][0] == 1000

    wait_until("materialising", whole)


def test_an_sql_barrier_is_reached_at_once_and_under_load(ctx):
    """The barrier with `sql` comes when rows can be read, whatever else clients ask meanwhile."""
    daemon = ctx.daemon()
    client, busy = ctx.client(daemon), ctx.client(daemon)
    for loaded in (False, True):
        client.insert(name="a")
        revision = client.table().last_changed
        began = time.monotonic()
        client.barrier(0, 1, sql=True)
        while not client.events:
            if loaded:
                busy.ping()
            try:
                client.pump(0.005)
            except TimeoutError:
                assert time.monotonic() - began < 3, f"no barrier in 3 s, loaded: {loaded}"
        assert store_status(daemon.store)[1] >= revision
        client.events.clear()


def test_a_foreign_write_stops_writes_with_a_message(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.insert(name="a")
    client.barrier(0, 1, sql=True)
    client.event()
    connection = sqlite3.connect(daemon.store, timeout=10)
    connection.execute("CREATE TABLE foreign_table (x)")
    connection.commit()
    connection.close()
    refused = client.refused(batch_frame(insert({"name": "b"})))
    assert refused.code == "STORE_CHANGED_OUTSIDE", refused
    assert len(client.rows()) == 1  # reads go on


def test_an_outside_transaction_is_waited_for(ctx):
    daemon = ctx.daemon()
    client, other = ctx.client(daemon), ctx.client(daemon)
    client.insert(name="a")
    client.barrier(0, 1, sql=True)
    client.event()
    connection = sqlite3.connect(daemon.store, timeout=10, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    client.send(batch_frame(insert({"name": "b"})))
    # Whether others are served meanwhile is not promised; that the write comes through is.
    connection.execute("ROLLBACK")
    connection.close()
    reply = client.reply()
    assert reply.HasField("batch"), reply
    other.ping()


def test_a_cell_too_large_for_a_row(ctx):
    client = ctx.client(ctx.daemon())
    row = client.insert(name="n" * 65_536, serial="s" * 65_536)
    client.batch(update(row, name="x" * 65_536))
    assert len(client.get(row).rows[0].row.cells[0].text) == 65_536


def test_the_log_holds_no_cells(ctx):
    daemon = ctx.daemon()
    client = ctx.client(daemon)
    client.insert(name="SECRET-IN-A-CELL")
    client.refused(batch_frame(insert({"name": ("integer", 5), "serial": "SECRET-IN-A-CELL"})))
    frame = ClientFrame()
    frame.list_rows.table.name = "items"
    client.request(frame)
    daemon.stop()
    log = daemon.log_tail(1000)
    assert log.strip(), "no log at all"
    assert "SECRET" not in log


def test_out_of_descriptors_is_survived(ctx):
    daemon = ctx.daemon(start=False)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (48, hard))
    try:
        daemon.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    first = ctx.client(daemon)
    sockets = []
    for _ in range(100):
        extra = socket.socket(socket.AF_UNIX)
        extra.connect(daemon.socket)
        sockets.append(extra)
    first.ping()
    first.insert(name="still")
    for extra in sockets:
        extra.close()

    def welcome():
        try:
            return ctx.client(daemon).hello.version == 1
        except Closed as closed:
            assert code_name(closed.goodbye.code) == "TOO_MANY_CLIENTS"
            return False

    wait_until("a new client", welcome)

"""Imports that are sent while they are read: the same as those that are read as a whole.

An import with -v is always read as a whole, which makes it the measure of the other one.
"""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 60
# Above what is read as a whole in any case.
LEAST = 1 << 20


def field(text):
    return '"%s"' % text.replace('"', '""') if set(text) & set('",\r\n') else text


def file_of(store, rows, bad=None):
    """A file of many forms of values; `bad` are fields of a record at three quarters of it."""
    source = store.random
    lines = ["name,serial,value,created,unknown"]
    for number in range(rows):
        name = source.choice(
            ["Item %d" % number, 'with "quotes" %d' % number, "two\nlines %d" % number,
             "comma, %d" % number, " spaces ", "é日😀 %d" % number])
        serial = source.choice(["%07d" % number, "", "6.37702E+15", "a+b"])
        value = source.choice(
            ["%d" % number, "%d.5" % number, "-%d.25" % number, "", " 7.50 ", "$3", "USD 4",
             ".75", "12345678901234567.89", "-0.01"])
        created = source.choice(
            ["2026-02-%02dT01:02:03Z" % source.randrange(1, 29), "", "2024-02-29",
             "2024-02-29T23:59:59Z", "2026-12-31T00:00:00.125Z", "2026-01-31 10:00:00+02:00"])
        lines.append(",".join(map(field, [name, serial, value, created, "x" * 40])))
        if source.random() < 0.01:
            lines.append(",,,,")
        if source.random() < 0.01:
            lines.append("")
        if bad and number == rows * 3 // 4:
            lines.append(bad)
    text = "\n".join(lines) + "\n"
    assert len(text.encode()) > LEAST
    path = store.path("large.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return path


def cells(store, table):
    return [(row["section"]["title"], row["cells"]) for row in store.rows(table)]


def notes(done):
    """What both ways say: -v says more, and what changes with the time is left out."""
    return [line for line in done.stderr.decode().splitlines()
            if not line.startswith(
                ("hpctl: connected", "hpctl: sending", "hpctl: now at"))]


def test_sent_while_read_is_the_same(store):
    path = file_of(store, 13_000)
    # What is at every empty time has another value each time.
    for options in [["--set-created"], ["--empty", "keep", "--map", "serial="],
                    ["--section", "Attic", "--create-section", "--map", "unknown=serial"],
                    ["--decimal", ".", "--set-created"]]:
        seen = []
        for extra in [[], ["-v"]]:
            table = store.table()
            done = store.hpctl("import", path, "--table", table, *options, *extra)
            seen.append((notes(done), cells(store, table)))
        assert len(seen[0][1]) == 13_000
        for one, other in zip(seen[0][1], seen[1][1]):
            for both in (one[1], other[1]):
                if not (both["created"] or "").startswith(("2024-02-29", "2026-02", "2026-12-31T00",
                                                           "2026-01-31T08")):
                    both["created"] = "now"
        assert seen[0][1] == seen[1][1], options
        assert seen[0][0] == seen[1][0], (seen[0][0], seen[1][0])
        assert any("empty records skipped" in note for note in seen[0][0])


def test_a_bad_record_of_a_large_file(store):
    """Whatever is wrong far behind: nothing is written, and it is told as in a small file."""
    for bad in ["x,y,12.345,,", "x,y,12,2026-13-01,", "x,y", "x,y,,,,,too,many", 'a"b,,,,',
                '"never closed', "\xff,,,,".encode("latin-1").decode("utf-8", "surrogateescape")]:
        path = file_of(store, 13_000)
        with open(path, "r+b") as file:
            text = file.read()
            place = text.index(b"\n", len(text) * 3 // 4) + 1
            file.seek(place)
            file.write(bad.encode("utf-8", "surrogateescape") + b"\n" + text[place:])
        table = store.table()
        before = store.revision()
        told = []
        for extra in [[], ["-v"]]:
            done = store.hpctl(
                "import", path, "--table", table, "--set-created", *extra, check=False)
            assert done.returncode == 6, (bad, done)
            told.append(notes(done))
        assert told[0] == told[1], (bad, told)
        assert any("cannot import: line" in note for note in told[0]), (bad, told)
        assert store.revision() == before and not store.rows(table)


def test_what_the_daemon_refuses_of_a_large_file(store):
    path = file_of(store, 13_000)
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), "DaemonTests", "Python"))
    from client import Client
    from schema import ClientFrame
    store.tables += 1
    frame = ClientFrame()
    frame.create_table.name = table = "t%d" % store.tables
    for name, kind in (("name", 1), ("serial", 1), ("value", 3), ("created", 5), ("needed", 1)):
        frame.create_table.columns.add(name=name, kind=kind, required=name == "needed")
    frame.create_table.columns[2].scale, frame.create_table.columns[2].currency = 2, "USD"
    client = Client(store.environment["HPD_SOCKET"], "test")
    client.request(frame)
    client.close()
    with open(path, "r+b") as file:
        text = file.read().replace(b"unknown\n", b"needed\n", 1)
        place = text.index(b"\n", len(text) * 3 // 4) + 1
        file.seek(0)
        file.write(text[:place] + b"x,y,1,2026-02-01,\n" + text[place:])
    before = store.revision()
    told = []
    for extra in [[], ["-v"]]:
        done = store.hpctl("import", path, "--table", table, *extra, check=False)
        told.append((done.returncode, notes(done)))
    assert told[0] == told[1] and told[0][0] != 0, told
    assert any("cannot import: line" in note for note in told[0][1]), told
    assert store.revision() == before
    return next(note for note in told[0][1] if "cannot import" in note)


def test_files_of_many_short_records(store):
    """Below a frame's bytes, above its elements."""
    for rows in [45_000, 80_000, 250_000]:
        store.hpctl("table", "add", "short%d" % rows, "n:integer")
        text = "n\n" + "".join("%d\n" % (number % 10) for number in range(rows))
        store.hpctl("import", "-", "--table", "short%d" % rows, input=text.encode())
        found = store.hpctl("count", "--json", "--table", "short%d" % rows).stdout
        assert json.loads(found)["rows"] == rows, found


def test_what_is_too_long_is_told_where(store):
    """Texts, rows and titles too long, in small and large files: the place, and a file of one."""
    def record(number):
        return ["Item %d" % number, "%07d" % number, "s%d" % (number % 3), "x" * 60]

    store.hpctl("table", "add", "long", "name:text", "serial:text", *[
        "more%d:text" % number for number in range(12)])
    more = ["more%d" % number for number in range(12)]
    for rows in [10, 12_500]:
        for bad, column, limit in [
                (["n" * 70_000, "", "s1", ""], "name", 65536),
                (["n", "é" * 32_769, "s1", ""], "serial", 65536),
                (["n", "", "t" * 4_097, ""], "_section", 4096),
                (["n", "", "", ""] + ["m" * 60_000] * 12, None, 524288)]:
            for options in ["name,serial,_section,unknown", "name,serial,unknown2,unknown"]:
                if column == "_section" and "_section" not in options:
                    continue
                lines = [options + "," + ",".join(more)]
                lines += [",".join(record(number) + [""] * 12) for number in range(rows)]
                lines.insert(rows // 2, ",".join((bad + [""] * 12)[:16]))
                text = ("\n".join(lines) + "\n").encode()
                assert (len(text) > LEAST) == (rows > 10) or column is None
                before = store.revision()
                done = store.hpctl(
                    "import", "-", "--table", "long", "--json", input=text, check=False)
                assert done.returncode == 6, (rows, column, done.stderr[:500])
                error = json.loads(done.stderr.decode().splitlines()[-1])["error"]
                assert error["line"] == rows // 2 + 1 and error["record"] == rows // 2, error
                assert error.get("column") == column, error
                assert error["expected"] == "at most %d bytes" % limit, error
                assert store.revision() == before
                left = store.path("left.csv")
                done = store.hpctl(
                    "import", "-", "--table", "long", "--keep-going", "--rejects", left, "--json",
                    input=text, check=False)
                assert done.returncode == 6, done.stderr[:500]
                assert json.loads(done.stdout)["new"] == rows, done.stdout
                with open(left, encoding="utf-8") as file:
                    assert len(file.readlines()) == 2
    # As much as is allowed is taken.
    text = "name,serial,_section\n" + "n" * 65_536 + "," + "é" * 32_768 + "," + "t" * 4_096 + "\n"
    store.hpctl("import", "-", "--table", "long", input=text.encode())


def test_many_new_sections_are_no_burden(store):
    """CPU time of hpctl, which grew with the square of their number."""
    times = []
    for sections in [2_000, 16_000]:
        table = store.table()
        text = "name,_section\n" + "".join("a,s%d\n" % number for number in range(sections))
        before = os.times()
        store.hpctl("import", "-", "--table", table, input=text.encode())
        after = os.times()
        times.append(after.children_user - before.children_user)
    assert times[1] < 8 * times[0] + 2, times
    return "%.2f s and %.2f s" % tuple(times)


def test_an_interrupted_import_leaves_nothing(store):
    """SIGINT at any moment: 130 and nothing there, or done; no room of an upload stays taken."""
    path = file_of(store, 20_000)
    size = os.path.getsize(path)
    # Two uploads fill what a user may have.
    other = type(store)(store.binaries, "--max-upload", str(size * 2))
    try:
        table = other.table()
        began = time.monotonic()
        other.hpctl("import", path, "--table", table, "-q")
        took = time.monotonic() - began
        rows, kept = 20_000, 0
        for _ in range(12):
            before = sorted(os.listdir(other.folder))
            process = subprocess.Popen(
                ["hpctl", "import", path, "--table", table, "-q"], env=other.environment,
                cwd=other.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                process.wait(store.random.random() * took)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=LIMIT)
            assert process.returncode in (0, 130) and not out and not errors, process.returncode
            # A row that is added waits for what is still at work.
            other.hpctl("add", "--table", table, "name=behind")
            rows += 1
            found = json.loads(other.hpctl("count", "--json", "--table", table).stdout)["rows"]
            assert found - rows in (0, 20_000), found
            assert process.returncode == 130 or found == rows + 20_000
            kept += found == rows + 20_000
            rows = found
            assert sorted(os.listdir(other.folder)) == before
        assert kept < 12
        return "%d of 12 were whole" % kept
    finally:
        other.close()


def on_terminal(store, *words):
    """Runs hpctl with stderr on a terminal; what it writes there, and its status."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        ["hpctl", *words], env={**store.environment, "TERM": "xterm"}, cwd=store.folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    shown = b""
    while True:
        ready, _, _ = select.select([master], [], [], LIMIT)
        assert ready, "nothing comes"
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    return shown.decode(), process.wait(LIMIT)


def test_progress_is_for_a_terminal(store):
    # So many that they fit no frame in the other way either.
    path = file_of(store, 25_000)
    for extra in [[], ["--set-created", "--dry-run"]]:
        table = store.table()
        shown, _ = on_terminal(store, "import", path, "--table", table, *extra)
        steps = [int(part.split("%")[0].split("]")[1]) for part in shown.split("\r") if "] " in part]
        assert len(steps) > 2 and steps == sorted(steps) and steps[-1] == 100, (extra, shown)
        # The line is taken away before anything else is told.
        assert shown.split("\x1b[K")[-1].startswith("hpctl: "), shown
    assert on_terminal(store, "import", path, "--table", store.table(), "-q") == ("", 0)
    done = store.hpctl("import", path, "--table", store.table())
    assert b"\r" not in done.stderr and b"\x1b" not in done.stderr and b"#" not in done.stderr

#!/usr/bin/env python3
"""Imports and exports held against Python's own readers: run.py BIN_DIRECTORY [--seed N]

Files of other programs are imported and each cell compared with what Python's csv reads from the
same file by rules written here a second time; tables of hostile texts go through every format and
come back the same; nothing is left half done.
"""

import codecs
import csv
import decimal
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import large

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FILES = os.path.join(ROOT, "Tests", "CommandLineTests", "files")
LIMIT = 30

# The fixture, its separator and encoding, and which of its columns an item has.
FIXTURES = [
    (os.path.join(ROOT, "Examples/data/homebox-inventory.csv"), ",",
     {"name": "HB.name", "serial": "HB.serial_number", "value": "HB.purchase_price",
      "created": "HB.purchase_time", "section": "HB.location"}),
    (os.path.join(FILES, "homebox.csv"), ",",
     {"name": "HB.name", "serial": "HB.serial_number", "value": "HB.purchase_price",
      "created": "HB.purchase_time", "section": "HB.location"}),
    (os.path.join(FILES, "homebox-2026.csv"), ",",
     {"name": "HB.name", "serial": "HB.serial_number", "value": "HB.purchase_price",
      "created": "HB.purchase_date", "section": "HB.location"}),
    (os.path.join(FILES, "snipeit-assets.csv"), ",",
     {"name": "Name", "serial": "Serial number", "value": "Purchase Cost",
      "created": "Purchase Date", "section": "Location"}),
    (os.path.join(FILES, "shelf-assets.csv"), ",",
     {"name": "title", "serial": "cf: Serial number,type:text", "value": "valuation",
      "created": "cf:purchase date, type:date", "section": "location"}),
    (os.path.join(FILES, "partdb-parts.csv"), ";",
     {"name": "name", "value": "price", "section": "storage_location"}),
    (os.path.join(FILES, "dumbassets.csv"), ",",
     {"name": "Name", "serial": "Serial Number", "value": "Purchase Price",
      "created": "Purchase Date", "section": "Location"}),
]


class Store:
    """A running hpd with a store of its own, and hpctl beside it."""

    def __init__(self, binaries, *options):
        self.binaries = binaries
        self.folder = tempfile.mkdtemp(prefix="hpd-files.")
        self.environment = {
            "PATH": binaries + ":" + os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8",
            "HPD_SOCKET": os.path.join(self.folder, "hpd.sock"), "HPCTL_ACTOR": "test/hpctl",
            "HOME": self.folder,
        }
        self.log = open(os.path.join(self.folder, "hpd.log"), "ab")
        self.daemon = subprocess.Popen(
            [os.path.join(binaries, "hpd"), "--store", os.path.join(self.folder, "hpd.db"),
             "--socket", self.environment["HPD_SOCKET"], *options], stdout=self.log, stderr=self.log)
        end = time.monotonic() + LIMIT
        while self.hpctl("-q", "ping", check=False).returncode:
            assert time.monotonic() < end and self.daemon.poll() is None, "hpd does not start"
            time.sleep(0.02)
        self.tables = 0

    def hpctl(self, *words, check=True, **more):
        done = subprocess.run(
            ["hpctl", *words], env=self.environment, cwd=self.folder, capture_output=True,
            timeout=LIMIT, check=False, **more)
        assert not check or done.returncode == 0, "%s: %d\n%s" % (
            words, done.returncode, done.stderr.decode())
        return done

    def table(self):
        """A new empty table; its name."""
        self.tables += 1
        name = "t%d" % self.tables
        self.hpctl("table", "add", name)
        return name

    def rows(self, table):
        return json.loads(self.hpctl("list", "--json", "--table", table).stdout)

    def revision(self):
        return json.loads(self.hpctl("info", "--json").stdout)["revision"]

    def path(self, name):
        return os.path.join(self.folder, name)

    def close(self):
        self.daemon.terminate()
        assert self.daemon.wait(LIMIT) == 0
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def expected_rows(path, separator, columns):
    """What Python's csv reads: by section in the order of their first rows."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        records = list(csv.DictReader(file, delimiter=separator))
    sections = {}
    for record in records:
        value = record[columns["value"]].strip()
        cells = {
            "name": record[columns["name"]],
            # An unquoted empty field is null; Python cannot tell it from "".
            "serial": record[columns["serial"]] or None if "serial" in columns else None,
            "value": str(decimal.Decimal(value).quantize(
                decimal.Decimal("0.01"), decimal.ROUND_HALF_UP)) if value else None,
        }
        day = record[columns["created"]] if "created" in columns else ""
        if day:
            cells["created"] = day + "T00:00:00Z"
        sections.setdefault(record[columns["section"]] or None, []).append(cells)
    return [(title, cells) for title, rows in sections.items() for cells in rows]


def test_fixtures_cell_by_cell(store):
    total = 0
    for path, separator, columns in FIXTURES:
        table = store.table()
        store.hpctl("import", path, "--table", table, "--set-created", "--round")
        expected = expected_rows(path, separator, columns)
        found = store.rows(table)
        assert len(found) == len(expected), path
        for row, (title, cells) in zip(found, expected):
            assert row["section"]["title"] == title, (path, row, title)
            for name, value in cells.items():
                assert row["cells"][name] == value, (path, row, name, value)
            total += len(cells) + 1
    return "%d cells of %d files" % (total, len(FIXTURES))


def test_a_second_import_changes_nothing(store):
    for path, _, _ in FIXTURES:
        table = store.table()
        options = ["--table", table, "--key", "name", "--round", "--set-created", "--json"]
        assert json.loads(store.hpctl("import", path, *options).stdout)["new"] > 0
        revision = store.revision()
        again = json.loads(store.hpctl("import", path, *options).stdout)
        assert again["unchanged"] and again["new"] == again["changed"] == 0, (path, again)
        assert store.revision() == revision


ALPHABET = [
    "a", "B", "7", " ", ",", ";", "\t", "\n", "\r", "\r\n", '"', '""', "'", "=", "+", "-", "@",
    "\\", "\\N", "|", "{", "[", "}", "é", "e\u0301", "日", "😀", "\u202e", "\u200d", "\ufeff",
    "\x01", "\x1b[31m", "\x7f", "\u0085", "\u2028", "NULL", "null", "1E+5", "#", "/", ".", "id:1",
]


def hostile_table(store, source, sections, rows):
    """A table of texts made to break files; sections may share a title or have none."""
    table = store.table()
    titles = [None, "Kitchen", "Attic", 'with "quotes", and\nlines', "=1+1", "Kitchen", None]
    operations = []
    for index in range(sections):
        operations.append({"op": "insert_section", "title": titles[index % len(titles)],
                           "as": index + 1})
    for number in range(rows):
        def text():
            return "".join(source.choice(ALPHABET) for _ in range(source.randrange(0, 6)))
        row = {"name": text(), "created": "2020-01-%02dT00:00:00Z" % source.randrange(1, 29)}
        if source.random() < 0.8:
            row["serial"] = text()
        if source.random() < 0.8:
            row["value"] = str(decimal.Decimal(source.randrange(-10**12, 10**12)).scaleb(-2))
        operations.append({"op": "insert_row", "row": row,
                           "last_of": {"as": number % sections + 1}})
    store.hpctl("batch", "-", "--table", table,
                input=json.dumps({"ops": operations, "mode": "sequence"}).encode())
    return table


def shape(rows, has_ids):
    """What of a table's rows an export carries."""
    found = []
    order = []
    for row in rows:
        home = row["section"]["id"]
        if home not in order:
            order.append(home)
        found.append((row["id"] if has_ids else None, order.index(home),
                      row["section"]["title"], row["cells"]))
    return found


FORMS = [("csv", []), ("tsv", []), ("json", []), ("ndjson", []),
         ("csv", ["--spreadsheet-safe"]), ("tsv", ["--bom"])]


def test_exports_come_back_without_a_change(store):
    for round_ in range(3):
        table = hostile_table(store, store.random, 3 + 2 * round_, 60)
        before, revision = store.rows(table), store.revision()
        for number, (form, options) in enumerate(FORMS):
            name = "again-%d-%d.%s" % (round_, number, form)
            store.hpctl("export", name, "--table", table, *options)
            safe = [option for option in options if option == "--spreadsheet-safe"]
            reply = json.loads(
                store.hpctl("import", name, "--table", table, "--json", *safe).stdout)
            assert reply["unchanged"] and reply["same"] == 60, (form, options, reply)
        assert store.revision() == revision and store.rows(table) == before


def test_empty_tables_and_texts_come_back(store):
    store.hpctl("table", "add", "bare", "n:integer", "name:text", "serial:text")
    for kind in ["json", "ndjson"]:
        for name in [store.path("bare." + kind), "-"]:
            text = store.hpctl("export", "--format", kind, "--table", "bare").stdout
            assert text.strip() in (b"", b"[]"), text
            if name != "-":
                with open(name, "wb") as file:
                    file.write(text)
            for options in [[], ["--key", "name"]]:
                done = store.hpctl(
                    "import", name, "--table", "bare", *options,
                    *(["--from", kind] if name == "-" else []), input=text)
                assert b"0 new, 0 changed, 0 same, 0 rejected" in done.stderr, done
    for options in [[], ["--from", "csv"], ["--from", "json"]]:
        done = store.hpctl("import", "-", "--table", "bare", *options, input=b"", check=False)
        assert done.returncode == 6 and b"the file is empty" in done.stderr, done
    # Rows of which an empty text is all there is.
    store.hpctl("add", "--table", "bare", "name=")
    store.hpctl("add", "--table", "bare", "name=", "serial=")
    for form in ["csv", "tsv", "json"]:
        text = store.hpctl("export", "--format", form, "--no-ids", "--table", "bare").stdout
        store.tables += 1
        name = "bare%d" % store.tables
        store.hpctl("table", "add", name, "n:integer", "name:text", "serial:text")
        store.hpctl("import", "-", "--table", name, "--from", form, input=text)
        found = [row["cells"] for row in store.rows(name)]
        assert found == [row["cells"] for row in store.rows("bare")], (form, text, found)
    # In a large file, too, which is sent while it is read.
    store.hpctl("table", "add", "wide", "n:integer", "name:text")
    lines = ["n,name,unread"] + ["1,x," + "-" * 20_000] * 60 + [',"",'] * 2
    store.hpctl("import", "-", "--table", "wide", input="\n".join(lines).encode())
    found = [row["cells"]["name"] for row in store.rows("wide")]
    assert found == ["x"] * 60 + [""] * 2, found


def test_exports_of_copies_are_the_same_bytes(store):
    for round_ in range(3):
        table = hostile_table(store, store.random, 3 + 2 * round_, 60)
        before = shape(store.rows(table), False)
        for number, (form, options) in enumerate(FORMS):
            name = "copy-%d-%d.%s" % (round_, number, form)
            store.hpctl("export", name, "--table", table, "--no-ids", *options)
            copy = store.table()
            safe = [option for option in options if option == "--spreadsheet-safe"]
            store.hpctl("import", name, "--table", copy, "--set-created", *safe)
            found = shape(store.rows(copy), False)
            assert [row[3] for row in found] == [row[3] for row in before], (form, options)
            assert [row[2] for row in found] == [row[2] for row in before], (form, options)
            store.hpctl("export", "2-" + name, "--table", copy, "--no-ids", *options)
            with open(store.path(name), "rb") as first, open(store.path("2-" + name), "rb") as next_:
                first, next_ = first.read(), next_.read()
            assert first == next_, (form, options)


def test_every_kind_of_column_comes_back(store):
    sys.path.insert(0, os.path.join(ROOT, "Tests", "DaemonTests", "Python"))
    from client import Client
    from schema import ClientFrame
    kinds = [("t", 1, 0), ("i", 2, 0), ("fine", 3, 9), ("whole", 3, 0), ("day", 4, 0), ("at", 5, 0),
             ("yes", 6, 0)]
    client = Client(store.environment["HPD_SOCKET"], "test")

    def table():
        store.tables += 1
        frame = ClientFrame()
        frame.create_table.name = "t%d" % store.tables
        for name, kind, scale in kinds:
            column = frame.create_table.columns.add(name=name, kind=kind)
            if kind == 3:
                column.scale = scale
        client.request(frame)
        return frame.create_table.name

    edge = 2**63
    columns = {
        "t": ["x", "007", "null", " ", ""],
        "i": [0, 1, -1, edge - 1, -edge],
        "fine": ["0.000000001", "-0.000000001", "9223372036.854775807", "-9223372036.854775808"],
        "whole": ["0", "-1", str(edge - 1), str(-edge)],
        "day": ["1970-01-01", "0001-01-01", "9999-12-31", "2024-02-29", "1969-12-31"],
        "at": ["1970-01-01T00:00:00Z", "0001-01-01T00:00:00.000001Z", "9999-12-31T23:59:59.999999Z",
               "1969-12-31T23:59:59.5Z"],
        "yes": [True, False],
    }
    source = table()
    operations = [{"op": "insert_section", "title": "S", "as": 1}]
    for _ in range(80):
        row = {}
        for name, values in columns.items():
            if store.random.random() < 0.7:
                row[name] = store.random.choice(values)
        operations.append({"op": "insert_row", "row": row, "last_of": {"as": 1}})
    store.hpctl("batch", "-", "--table", source,
                input=json.dumps({"ops": operations, "mode": "sequence"}).encode())
    before = shape(store.rows(source), False)
    assert len(before) == 80
    for form in ["csv", "tsv", "json", "ndjson"]:
        store.hpctl("export", "kinds." + form, "--no-ids", "--table", source)
        copy = table()
        store.hpctl("import", "kinds." + form, "--table", copy)
        assert shape(store.rows(copy), False) == before, form
    client.close()


def test_a_file_in_another_order(store):
    table = hostile_table(store, store.random, 3, 40)
    store.hpctl("export", "order.csv", "--table", table, "--columns", "name")
    with open(store.path("order.csv"), newline="", encoding="utf-8") as file:
        first, *records = csv.reader(file)
    store.random.shuffle(records)
    with open(store.path("order.csv"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([first] + records)
    before = store.rows(table)
    store.hpctl("import", "order.csv", "--table", table, "--empty", "keep")
    assert store.rows(table) == before
    store.hpctl("import", "order.csv", "--table", table, "--empty", "keep", "--order")
    found, wanted = {}, {}
    for row in store.rows(table):
        found.setdefault(row["section"]["title"] or "", []).append(str(row["id"]))
    for record in records:
        wanted.setdefault(record[first.index("_section")], []).append(record[0])
    assert found == wanted


def test_exports_are_what_python_reads(store):
    table = hostile_table(store, store.random, 4, 80)
    rows = store.rows(table)
    for form, separator in [("csv", ","), ("tsv", "\t")]:
        text = store.hpctl("export", "--format", form, "--table", table).stdout.decode()
        records = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator))
        assert len(records) == len(rows)
        for record, row in zip(records, rows):
            assert record["_id"] == str(row["id"])
            assert record["_section"] == (row["section"]["title"] or "")
            for name, value in row["cells"].items():
                assert record[name] == (value or ""), (form, name, value, record[name])
    for form in ["json", "ndjson"]:
        text = store.hpctl("export", "--format", form, "--table", table).stdout.decode()
        found = json.loads(text) if form == "json" else [
            json.loads(line) for line in text.split("\n") if line]
        assert [row["cells"] for row in found] == [row["cells"] for row in rows]
        assert [row["id"] for row in found] == [row["id"] for row in rows]
        assert not any("revision" in row for row in found)
    marked = store.hpctl("export", "--bom", "--table", table).stdout
    assert marked.startswith(codecs.BOM_UTF8) and not marked[3:].startswith(codecs.BOM_UTF8)


def test_files_by_pythons_writers_are_read(store):
    for encoding, option in [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("cp1252", "cp1252"),
                             ("latin-1", "latin1"), ("utf-16", "utf-16")]:
        for separator in [",", ";", "\t"]:
            for end in ["\n", "\r\n", "\r"]:
                table = store.table()
                cells = [["Fön", "a%sb" % separator, "1.50"], ['"quoted"', "x\ny", "-2"],
                         [" spaces ", "", ""], ["last", "0007", "0"]]
                out = io.StringIO(newline="")
                # With CR alone Python leaves fields with LF unquoted.
                quoting = csv.QUOTE_ALL if end == "\r" else csv.QUOTE_MINIMAL
                writer = csv.writer(
                    out, delimiter=separator, lineterminator=end, quoting=quoting)
                writer.writerows([["name", "serial", "value"]] + cells)
                name = store.path("python.csv")
                with open(name, "wb") as file:
                    file.write(out.getvalue().encode(encoding))
                store.hpctl("import", name, "--table", table, "--encoding", option)
                found = [row["cells"] for row in store.rows(table)]
                for row, (name, serial, value) in zip(found, cells):
                    assert row["name"] == name and (row["serial"] or "") == serial
                    assert (row["value"] or "") == (
                        "%.2f" % decimal.Decimal(value) if value else "")


def test_a_wrong_file_writes_nothing(store):
    """Each way to spoil one byte of a good file: refused with 6, or read as Python reads it."""
    table = store.table()
    good = 'name,serial,value\r\n"two\r\nlines",0007,1.50\r\nB,"say ""x""",2\r\n'.encode()
    refused = 0
    for _ in range(150):
        spoiled = bytearray(good)
        for _ in range(store.random.randrange(1, 3)):
            position = store.random.randrange(18, len(good))
            spoiled[position] = store.random.choice(b'",;\r\n\0\xff=ab1.-')
        before = store.revision()
        done = store.hpctl(
            "import", "-", "--table", table, "--json", input=bytes(spoiled), check=False)
        assert done.returncode in (0, 6), (bytes(spoiled), done)
        if done.returncode == 6:
            refused += 1
            error = json.loads(done.stderr.decode().splitlines()[-1])["error"]
            assert error["line"] >= 1, error
            assert store.revision() == before
    assert 20 < refused < 150
    return "%d of 150 refused" % refused


def test_operations_of_the_manual_are_read(store):
    """Each operation has an example, and hpctl understands it; no row of it needs to be there."""
    with open(os.path.join(ROOT, "man/hpctl.1"), encoding="utf-8") as file:
        manual = file.read().split(".SS Operations")[1].split(".SH ")[0]
    examples = [line.replace("\\-", "-") for line in manual.splitlines()
                if line.startswith('{"op"')]
    table = store.table()
    done = store.hpctl("batch", "-", "--table", table, "--json", check=False,
                       input=b'{"op":"none of them at all"}')
    known = set(json.loads(done.stderr)["error"]["hint"].replace("known are ", "").split(", "))
    assert {json.loads(example)["op"] for example in examples} == known and len(known) > 20
    for example in examples:
        done = store.hpctl(
            "batch", "-", "--table", table, "--dry-run", "--json", check=False,
            input=example.encode())
        code = json.loads(done.stderr)["error"]["code"] if done.returncode else None
        assert code in (None, "NO_SUCH_ROW", "NO_SUCH_SECTION", "COUNT_MATCHED"), (example, done)


def test_an_interrupted_export_leaves_nothing(store):
    table = hostile_table(store, store.random, 3, 2000)
    name = store.path("kept.csv")
    store.hpctl("export", name, "--table", table)
    with open(name, "rb") as file:
        before = file.read()
    seen = 0
    for number in range(30):
        process = subprocess.Popen(
            ["hpctl", "export", name, "--table", table], env=store.environment,
            stderr=subprocess.DEVNULL)
        end = time.monotonic() + store.random.random() * 0.05
        while time.monotonic() < end:
            seen += any(".new" in entry for entry in os.listdir(store.folder))
        process.send_signal([signal.SIGINT, signal.SIGTERM][number % 2])
        status = process.wait(LIMIT)
        assert status in (0, 130, 143, -signal.SIGTERM, -signal.SIGINT), status
        left = [entry for entry in os.listdir(store.folder) if ".new" in entry]
        assert not left, (status, left)
        with open(name, "rb") as file:
            assert file.read() == before
    return "seen while written: %s" % ("yes" if seen else "no")


def test_a_reader_that_leaves_is_no_error(store):
    table = hostile_table(store, store.random, 3, 2000)
    for words in [["list"], ["export"], ["list", "-f", "{{name}}"], ["export", "--json"]]:
        process = subprocess.Popen(
            ["hpctl", *words, "--table", table], env=store.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(1)
        process.stdout.close()
        assert process.wait(LIMIT) == 0
        assert process.stderr.read() == b""
        process.stderr.close()


def main():
    seed = int(sys.argv[3]) if sys.argv[2:3] == ["--seed"] else 1
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tests = [(name, test) for names in (globals(), vars(large)) for name, test in names.items()
             if name.startswith("test_")]
    store = Store(os.path.abspath(sys.argv[1]))
    failed = 0
    try:
        for name, test in tests:
            store.random = random.Random(seed)
            began = time.monotonic()
            try:
                note = test(store)
                print("ok %s (%.1f s)%s" % (
                    name[5:], time.monotonic() - began, " – " + note if note else ""))
            except AssertionError as failure:
                failed += 1
                print("FAILED %s --seed %d: %s" % (name[5:], seed, failure))
            sys.stdout.flush()
    finally:
        store.close()
    print("%d passed, %d failed" % (len(tests) - failed, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

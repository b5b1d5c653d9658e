"""A live table of the C library in a process of its own, and what it tells (programs/live.c)."""

import os
import select
import subprocess

from schema import ROOT, model

BUILD = os.path.join(ROOT, ".build", "hpclient-tests")
TESTS = os.path.join(ROOT, "Tests", "ClientLibraryTests")


def program(kind="asan", name="live"):
    """A program of ClientLibraryTests, built where it is older than the library."""
    subprocess.run(
        ["make", "-s", "-j2", "-C", TESTS, f"../../.build/hpclient-tests/{kind}/{name}"],
        check=True, stdout=subprocess.DEVNULL)
    return os.path.join(BUILD, kind, name)


class Fault(AssertionError):
    """What the copy, or the view that its callbacks keep, found wrong."""


class LiveTable:
    """One process; the copy keeps itself exact, lines ask for what it holds."""

    def __init__(self, daemon, table="items", kind="asan", fail_every=0, sections=(), columns=(),
                 window=None):
        command = [
            program(kind), daemon.socket, table, str(fail_every),
            ",".join(map(str, sections)) or "-", ",".join(columns) or "-"]
        if window:
            command.append("%s,%d" % window)
        self.log = open(os.path.join(daemon.folder, f"live-{id(self)}.log"), "w+b")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.buffer = b""

    def line(self, seconds=60):
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], seconds)
            piece = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not piece:
                raise Fault(f"the live table says no more:\n{self.told()}")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\n", 1)
        text = line.decode()
        if text.startswith("fault: "):
            raise Fault(f"{text}\n{self.told()}")
        return text

    def told(self):
        """What it said of gaps and phases."""
        self.log.flush()
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def ask(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def sync(self):
        """The whole table after a barrier, a line for each thing in it."""
        self.ask("sync")
        lines = []
        while True:
            line = self.line()
            if line == "end":
                return lines
            lines.append(line)

    def window(self):
        """After a barrier: (first, before, after) and the window's rows with their sections."""
        self.ask("window")
        lines = []
        while True:
            line = self.line()
            if line == "end":
                break
            lines.append(line.split())
        return [int(word) for word in lines[0][1:]], [tuple(map(int, words)) for words in lines[1:]]

    def look(self, position, length):
        self.ask(f"look {position} {length}")
        return self.line()

    def otherwise(self, position, length):
        """Where the window goes when the place where it stood is gone."""
        self.ask(f"else {position} {length}")
        assert self.line() == "noted"

    def editing(self):
        """The flag, and what hangs on which rows."""
        self.ask("editing")
        return self.line()

    def wait(self, revision):
        self.ask(f"wait {revision}")
        return int(self.line().split()[1])

    def resync(self):
        self.ask("resync")
        return self.line()

    def state(self):
        """Its phase and counts, by name."""
        self.ask("state")
        phase, *words = self.line().split()
        return dict(zip(words[::2], map(int, words[1::2])), phase=phase)

    def close(self):
        """Ends it; anything but exit 0 (a leak too) is a failure."""
        self.ask("quit")
        status = self.process.wait(60)
        if status != 0:
            raise Fault(f"the live table ended with {status}:\n{self.told()}")
        self.process.stdout.close()
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, *unused):
        if kind is None:
            self.close()
        else:
            self.process.kill()
            self.process.wait()


def shown(text):
    return '"' + text.encode().hex()


def shown_header(name, header):
    text = f" {name} " + (shown(header.title) if header.HasField("title") else "-")
    text += shown(header.view) if header.HasField("view") else "-"
    return text + (f" {header.height:g}" if header.HasField("height") else "")


def headers(message):
    return "".join(
        shown_header(name, getattr(message, name))
        for name in ("header", "footer") if message.HasField(name))


def shown_cell(cell):
    kind = cell.WhichOneof("value")
    number = ["text", "integer", "decimal", "date", "timestamp", "boolean"].index(kind) + 1
    value = getattr(cell, kind)
    return f"{cell.column}:{number}:{shown(value) if kind == 'text' else int(value)}"


def lines_of(copy, table):
    """The same lines for a copy kept by fold.py."""
    record = model.Table()
    for name, image in (("header", table.header), ("footer", table.footer)):
        if image is not None:
            getattr(record, name).MergeFromString(image)
            getattr(record, name).SetInParent()
    lines = [
        f"table {table.id} {copy.revision} schema {table.schema_revision}"
        f" changed {table.last_changed} {shown(table.name)}{headers(record)}"
    ]
    for image in table.columns:
        column = model.Column.FromString(image)
        lines.append(f"column {column.id} {column.kind} {shown(column.name)}")
    for number in table.sections:
        section = model.Section.FromString(table.records[number])
        title = shown(section.title) if section.HasField("title") else "-"
        lines.append(f"section {number} {title}{headers(section)}")
        for row_id in table.order[number]:
            row = model.Row.FromString(table.images[row_id])
            lines.append(" ".join([f"row {row.id} {row.revision}", *map(shown_cell, row.cells)]))
    return lines


def check_filtered(lines, copy, sections=None, columns=None):
    """The same for a copy of some sections and columns: what is left of the whole one.

    Rows have other revisions there (contract E7), and sections no order.
    """
    def parts(told, sections, columns):
        found, section = {}, None
        for line in told:
            kind, *words = line.split()
            if kind == "section":
                section = int(words[0])
                found[section] = [line]
            elif kind == "row":
                cells = [w for w in words[2:] if columns is None or int(w.split(":")[0]) in columns]
                found[section].append((words[0], cells))
        return {s: rows for s, rows in found.items() if sections is None or s in sections}

    whole = lines_of(copy, next(iter(copy.tables.values())))
    got, wanted = parts(lines, None, None), parts(whole, sections, columns)
    assert got == wanted, f"{got}\n  expected: {wanted}"


def check_equal(lines, copy):
    """The live table told the same as the copy of Python holds."""
    expected = lines_of(copy, next(iter(copy.tables.values())))
    if lines == expected:
        return
    for index, (got, wanted) in enumerate(zip(lines, expected)):
        assert got == wanted, f"line {index}: {got}\n  expected: {wanted}"
    raise AssertionError(f"{len(lines)} lines, {len(expected)} expected")

#!/usr/bin/env python3
"""Runs the transcripts in golden/ against a real hpd and compares what hpctl says.

A transcript is the test and what is expected of it:

    $ hpctl add name=Kettle      a shell command; its stdout follows,
    ! hpctl: …                   its stderr, a line each,
    = 4                          and its exit status, where it is not 0
    < text                       (before a command) a line for its stdin
    % watch NAME ARGUMENT…       begins `hpctl watch ARGUMENT…` and waits for its first line
    % attach NAME ARGUMENT…      likewise `hpctl scene attach ARGUMENT…`
    % until NAME TEXT            shows its lines up to one that holds TEXT
    % end NAME                   waits for its end: what is left, stderr, exit status
    % interrupt NAME             sends it SIGINT
    % tty COLUMNS COMMAND        runs a command on a terminal of that width
    % stop / % start             ends hpd with SIGTERM / starts it again

Ids and revisions differ from store to store: each number of 8 digits or more has a name, N1, N2, …
by its first appearance; in commands the names stand for the numbers. EPOCH likewise; TIME is a time.

Usage: run.py BIN_DIRECTORY [TRANSCRIPT…]; with HP_RECORD=1 the transcripts are written anew.
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 20


class Failure(Exception):
    pass


class Names:
    """Names for numbers that differ from run to run."""

    def __init__(self):
        self.names = {}
        self.epoch = "EPOCH"

    def hide(self, text):
        text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME", text)
        text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d\d:\d\d", "LOCALTIME", text)
        # A filter's fingerprint is a number, and may have as many digits as an epoch.
        text = re.sub(
            r'("fingerprint":|\b[0-9a-f]{16}:\d+:)(\d+)', lambda m: m[1] + self.name(m[2]), text)
        for epoch in re.findall(r"\b[0-9a-f]{16}\b", text):
            self.epoch = epoch
        text = re.sub(r"\b[0-9a-f]{16}\b", "EPOCH", text)
        return re.sub(r"(?<![\w.])[1-9]\d{7,19}(?![\w.])", lambda m: self.name(m[0]), text)

    def name(self, number):
        return self.names.setdefault(number, "N%d" % (len(self.names) + 1))

    def show(self, text):
        numbers = {name: number for number, name in self.names.items()}
        text = re.sub(r"\bN\d+\b", lambda m: numbers.get(m[0], m[0]), text)
        return re.sub(r"\bEPOCH\b", self.epoch, text)


class Watch:
    """A command that runs beside the transcript."""

    def __init__(self, command, environment, directory):
        self.process = subprocess.Popen(
            ["sh", "-c", "exec hpctl " + command], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment, cwd=directory)
        self.lines = []
        self.closed = False
        self.arrived = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.arrived:
                self.lines.append(line.decode())
                self.arrived.notify()
        with self.arrived:
            self.closed = True
            self.arrived.notify()

    def until(self, text):
        shown = ""
        end = time.monotonic() + LIMIT
        with self.arrived:
            while True:
                while self.lines:
                    line = self.lines.pop(0)
                    shown += line
                    if text is not None and text in line:
                        return shown
                if self.closed:
                    return shown
                if not self.arrived.wait(end - time.monotonic()):
                    raise Failure("no line with %r after %r" % (text, shown))


class Daemon:
    def __init__(self, binaries, directory):
        self.binaries = binaries
        self.directory = directory
        self.process = None

    def start(self):
        self.log = open(os.path.join(self.directory, "hpd.log"), "ab")
        self.process = subprocess.Popen(
            [os.path.join(self.binaries, "hpd"), "--socket", "hpd.sock", "--store", "hpd.db"],
            cwd=self.directory, stderr=self.log, stdout=self.log)
        end = time.monotonic() + LIMIT
        while subprocess.call(
                [os.path.join(self.binaries, "hpctl"), "-q", "ping", "--socket", "hpd.sock"],
                cwd=self.directory, stderr=subprocess.DEVNULL):
            if time.monotonic() > end or self.process.poll() is not None:
                raise Failure("hpd does not start: see hpd.log")
            time.sleep(0.01)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise Failure("hpd does not end at SIGTERM")
        self.process = None


class Transcript:
    def __init__(self, binaries, path):
        self.path = path
        self.directory = tempfile.mkdtemp(prefix="hpctl-test.")
        for name in os.listdir(os.path.join(HERE, "files")):
            source = os.path.join(HERE, "files", name)
            if os.path.isdir(source):
                shutil.copytree(source, os.path.join(self.directory, name))
            else:
                shutil.copy(source, self.directory)
        self.daemon = Daemon(binaries, self.directory)
        self.names = Names()
        self.watches = {}
        self.input = ""
        self.environment = {
            "PATH": binaries + ":" + os.environ.get("PATH", "/usr/bin:/bin"),
            "HPD_SOCKET": "hpd.sock", "HPCTL_ACTOR": "test/hpctl", "LANG": "C.UTF-8",
            "TZ": "Europe/Berlin", "HOME": self.directory, "TERM": "xterm",
        }

    def run(self):
        with open(self.path, encoding="utf-8") as file:
            wanted = file.read()
        try:
            self.daemon.start()
            got = "".join(self.step(line) for line in wanted.splitlines())
        finally:
            for watch in self.watches.values():
                watch.process.kill()
                watch.process.wait()
            self.daemon.stop()
        shutil.rmtree(self.directory)
        return wanted, got

    def step(self, line):
        if line.startswith("#"):
            return line + "\n"
        mark, _, rest = line.partition(" ")
        if mark == "<":
            self.input += self.names.show(rest) + "\n"
            return line + "\n"
        if mark == "$":
            text, self.input = self.input, ""
            done = subprocess.run(
                ["sh", "-c", self.names.show(rest)], input=text.encode(), capture_output=True,
                cwd=self.directory, env=self.environment, timeout=LIMIT)
            return line + "\n" + self.tell(done.stdout, done.stderr, done.returncode)
        if mark == "%":
            return line + "\n" + self.order(*rest.split(" ", 1))
        return ""  # what was expected; it is made anew

    def tell(self, output, errors, status):
        told = self.names.hide(output.decode())
        if told and not told.endswith("\n"):
            told += "\\\n"
        for error in self.names.hide(errors.decode()).splitlines():
            told += "! " + error + "\n"
        return told + ("= %d\n" % status if status else "")

    def order(self, verb, rest=""):
        if verb == "stop":
            self.daemon.stop()
        elif verb == "start":
            self.daemon.start()
        elif verb in ("watch", "attach"):
            name, _, arguments = rest.partition(" ")
            command = ("watch " if verb == "watch" else "scene attach ") + arguments
            watch = Watch(self.names.show(command), self.environment, self.directory)
            self.watches[name] = watch
            return self.tell(watch.until("live").encode(), b"", 0) if "json" in rest else (
                self.first_note(watch))
        elif verb == "until":
            name, _, text = rest.partition(" ")
            return self.tell(self.watches[name].until(self.names.show(text)).encode(), b"", 0)
        elif verb == "interrupt":
            self.watches[rest].process.send_signal(signal.SIGINT)
        elif verb == "end":
            watch = self.watches.pop(rest)
            output = watch.until(None)
            errors = watch.process.stderr.read()
            return self.tell(output.encode(), errors, watch.process.wait(LIMIT))
        elif verb == "tty":
            columns, _, command = rest.partition(" ")
            return self.on_terminal(int(columns), self.names.show(command))
        else:
            raise Failure("unknown order " + verb)
        return ""

    def first_note(self, watch):
        """The line on stderr that says that the watch has begun."""
        ready, _, _ = select.select([watch.process.stderr], [], [], LIMIT)
        if not ready:
            raise Failure("the watch does not begin")
        return self.tell(b"", watch.process.stderr.readline(), 0)

    def on_terminal(self, columns, command):
        """Runs a command whose stdin, stdout and stderr are one terminal."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.directory)
            os.execvpe("sh", ["sh", "-c", command], self.environment)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        answers = self.input
        self.input = ""
        if answers:
            os.write(terminal, answers.encode())
        told = b""
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            told += piece
        os.close(terminal)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        text = told.replace(b"\r\n", b"\n").replace(b"\x1b", b"<ESC>")
        return self.tell(text, b"", status)


def difference(wanted, got):
    import difflib
    return "".join(difflib.unified_diff(
        wanted.splitlines(True), got.splitlines(True), "expected", "got"))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binaries = os.path.abspath(sys.argv[1])
    chosen = sys.argv[2:] or sorted(os.listdir(os.path.join(HERE, "golden")))
    passed = failed = 0
    for name in chosen:
        path = os.path.join(HERE, "golden", os.path.basename(name))
        transcript = Transcript(binaries, path)
        try:
            wanted, got = transcript.run()
        except (Failure, subprocess.TimeoutExpired) as failure:
            print("%s: %s (see %s)" % (name, failure, transcript.directory))
            failed += 1
            continue
        if os.environ.get("HP_RECORD"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(got)
        elif wanted != got:
            print("%s:\n%s" % (name, difference(wanted, got)))
            failed += 1
            continue
        passed += 1
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Installs hpd into a folder and uses what is there, as a stranger would: run.py BIN_DIRECTORY

The examples in C are built with plain cc against the installed library, shared and static, and run
against a real hpd; every header is compiled alone, as C11 and C++17; completions and units are
read by the programs they are for, where those are there.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIMIT = 20
PREFIX = "/opt/hpd"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class Installed:
    """A folder with everything installed, and a running hpd of it."""

    def __init__(self, binaries):
        self.folder = tempfile.mkdtemp(prefix="hpd-install.")
        self.tree = os.path.join(self.folder, "tree")
        self.prefix = self.tree + PREFIX
        # No environment of the caller's decides what is built or found.
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": self.folder, "LANG": "C.UTF-8",
            "PKG_CONFIG_SYSROOT_DIR": self.tree,
            "PKG_CONFIG_PATH": os.path.join(self.prefix, "lib/pkgconfig"),
            "LD_LIBRARY_PATH": os.path.join(self.prefix, "lib"),
            "HPD_SOCKET": os.path.join(self.folder, "hpd.sock"),
        }
        self.daemon = None
        install = dict(
            self.environment, DESTDIR=self.tree, PREFIX=PREFIX, BIN=binaries,
            LD_LIBRARY_PATH="", PKG_CONFIG_SYSROOT_DIR="", PKG_CONFIG_PATH="")
        del install["PKG_CONFIG_SYSROOT_DIR"]
        self.run(["make", "-s", "-C", ROOT, "install"], environment=install)

    def run(self, command, environment=None, status=0, **more):
        done = subprocess.run(
            command, env=environment or self.environment, cwd=self.folder, text=True,
            capture_output=True, timeout=300, **more)
        assert done.returncode == status, "%s: %d\n%s%s" % (
            command, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def path(self, *parts):
        return os.path.join(self.prefix, *parts)

    def hpctl(self, *words):
        return self.run([self.path("bin", "hpctl"), *words])

    def start(self):
        log = open(os.path.join(self.folder, "hpd.log"), "ab")
        self.daemon = subprocess.Popen(
            [self.path("bin", "hpd"), "--store", os.path.join(self.folder, "hpd.db"),
             "--socket", self.environment["HPD_SOCKET"]],
            stdout=log, stderr=log, cwd=self.folder)
        end = time.monotonic() + LIMIT
        while subprocess.call(
                [self.path("bin", "hpctl"), "-q", "ping"], env=self.environment,
                stderr=subprocess.DEVNULL):
            assert time.monotonic() < end and self.daemon.poll() is None, "hpd does not start"
            time.sleep(0.02)

    def close(self):
        if self.daemon and self.daemon.poll() is None:
            self.daemon.terminate()
            try:
                self.daemon.wait(LIMIT)
            except subprocess.TimeoutExpired:
                self.daemon.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def test_everything_is_where_it_belongs(there):
    for name in [
            "bin/hpd", "bin/hpctl", "lib/libhpclient.a", "lib/libhpclient.so",
            "lib/libhpclient.so.0", "lib/pkgconfig/hpclient.pc", "include/hp/client.h",
            "share/man/man1/hpctl.1", "share/man/man3/hpclient.3", "share/man/man7/hpd.proto.7",
            "share/man/man8/hpd.8", "share/hpd/proto/hp/v1/frame.proto",
            "share/bash-completion/completions/hpctl", "share/zsh/site-functions/_hpctl",
            "share/fish/vendor_completions.d/hpctl.fish", "lib/systemd/system/hpd.service",
            "lib/systemd/system/hpd.socket", "lib/systemd/user/hpd.service",
            "lib/systemd/user/hpd.socket"]:
        assert os.path.exists(there.path(*name.split("/"))), name
    assert os.listdir(there.tree) == ["opt"], "something was installed beside the prefix"
    soname = there.run(["objdump", "-p", there.path("lib", "libhpclient.so")])
    assert re.search(r"SONAME\s+libhpclient\.so\.0\b", soname)
    version = there.run(["pkg-config", "--modversion", "hpclient"]).strip()
    assert there.hpctl("version") == "hpctl %s\n" % version


def test_headers_alone_are_clean(there):
    folder = there.path("include", "hp")
    for header in sorted(os.listdir(folder)):
        for name, compiler, standard in [("c", "cc", "-std=c11"), ("cc", "c++", "-std=c++17")]:
            source = os.path.join(there.folder, "alone." + name)
            with open(source, "w", encoding="utf-8") as file:
                file.write('#include <hp/%s>\n#include <hp/%s>\nextern int once;\n' % (
                    header, header))
            there.run([compiler, standard, *WARNINGS, "-fsyntax-only",
                       "-I" + there.path("include"), source])


def examples(there, kind, libraries):
    """Builds the examples with plain cc; returns where each is."""
    flags = there.run(["pkg-config", "--cflags", "hpclient"]).split()
    built = {}
    for name in ["list", "edit", "watch", "top", "window", "scene"]:
        built[name] = os.path.join(there.folder, name + "-" + kind)
        there.run([
            "cc", "-std=c11", *WARNINGS, os.path.join(ROOT, "Examples/C", name + ".c"), *flags,
            *libraries, "-o", built[name]])
    return built


def use(there, built):
    """Runs the examples against a real hpd: what one writes the others see."""
    watch = subprocess.Popen(
        [built["watch"]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=there.environment)
    try:
        while True:
            line = watch.stdout.readline()
            assert line, watch.stderr.read()
            if line.startswith("live at "):
                break
        told = there.run([built["edit"], "Kettle", "Teapot"])
        row = re.match(r"row (\d+) at revision (\d+)\nrenamed at revision (\d+)\n$", told)
        assert row, told
        rows = dict(
            line.split("\t", 1) for line in there.run([built["list"]]).splitlines())
        assert rows[row[1]].startswith("Teapot\t\t39.95\t"), rows
        added, renamed = watch.stdout.readline(), watch.stdout.readline()
        assert re.match(row[2] + r" by .*: \+\[0,\d+\]x1 = \d+ rows\n$", added), added
        assert re.match(row[3] + r" by .*: ~\[0,\d+\] = \d+ rows\n$", renamed), renamed
        assert there.hpctl("get", row[1], "-f", "{{name}}") == "Teapot\n"
        told = there.run([built["top"], "2", "1"])
        assert re.search(r" rows:\n  \d+\tSeen by top\n  \d+\t\S+.*\n$", told), told
        assert re.match(r"\d+ by .*: \+\[0,0\]x1 = \d+ rows\n$", watch.stdout.readline())
        look_through_a_window(there, built["window"])
        look_at_a_scene(there, built["scene"])
    finally:
        watch.terminate()
        watch.communicate(timeout=LIMIT)


def look_at_a_scene(there, program):
    """A push by hpctl is seen by a program that folds the scene's events."""
    there.hpctl("scene", "make", "shown", "-q")
    scene = subprocess.Popen(
        [program, "shown", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=there.environment)
    try:
        first = scene.stdout.readline()
        assert re.match(r"shown \d+: items, \d+ rows, 0 here\n$", first), first
        row = there.hpctl("add", "name=Pushed").strip()
        there.hpctl("scene", "push", "shown", row, "-q")
        told, errors = scene.communicate(timeout=LIMIT)
        assert scene.returncode == 0, errors
        assert re.search(r": items > \S.* \[< items\], \d+ rows, 0 here\n$", told), told
    finally:
        scene.kill()
        scene.wait()
        there.hpctl("scene", "rm", "shown", "-q")


def look_through_a_window(there, program):
    """What comes to the front of the table pushes the last row out of its first two."""
    window = subprocess.Popen(
        [program, "0", "2", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=there.environment)
    try:
        head, first, _ = [window.stdout.readline() for _ in range(3)]
        assert re.match(r"2 rows from 0 on, \d+ behind:\n$", head), head
        section = there.hpctl("section", "list").split("\t")[0]
        there.hpctl("add", "name=Seen", "--section", "id:" + section, "--at", "first", "-q")
        told, errors = window.communicate(timeout=LIMIT)
        assert window.returncode == 0, errors
        assert re.match(
            r"2 rows from 0 on, \d+ behind:\n  0\tSeen\n" + re.escape(first.replace("0", "1", 1))
            + "$", told), told
    finally:
        window.kill()
        window.wait()


def test_a_watch_in_a_pipe_tells_within_a_second(there):
    """Nothing holds a line back: the quickest of some changes is there well within a second."""
    watch = subprocess.Popen(
        ["sh", "-c", "exec hpctl watch --filter kind=insert --format ndjson | cat"],
        stdout=subprocess.PIPE, text=True, start_new_session=True,
        env=dict(there.environment, PATH=there.path("bin") + ":" + there.environment["PATH"]))
    try:
        assert '"live"' in watch.stdout.readline()
        took = []
        for number in range(5):
            name = "Timed %d" % number
            begun = time.monotonic()
            there.hpctl("add", "-q", "name=" + name)
            assert name in watch.stdout.readline()
            took.append(time.monotonic() - begun)
        assert min(took) < 1, took
        return "told after %.0f ms" % (min(took) * 1000)
    finally:
        os.killpg(watch.pid, signal.SIGTERM)
        watch.wait(LIMIT)


def test_examples_run_with_the_shared_library(there):
    built = examples(there, "shared", there.run(["pkg-config", "--libs", "hpclient"]).split())
    needed = there.run(["objdump", "-p", built["list"]])
    assert "libhpclient.so.0" in needed
    assert "libprotobuf-c" not in needed, "a program must not need the library's own libraries"
    use(there, built)


def test_examples_run_with_the_static_library(there):
    built = examples(
        there, "static", [there.path("lib", "libhpclient.a"), "-lprotobuf-c"])
    assert "libhpclient" not in there.run(["objdump", "-p", built["list"]])
    use(there, built)


def test_the_examples_makefile_builds_against_it(there):
    folder = os.path.join(there.folder, "examples")
    shutil.copytree(os.path.join(ROOT, "Examples/C"), folder)
    there.run(["make", "-s", "-C", folder])
    assert os.access(os.path.join(folder, "watch"), os.X_OK)


def test_an_example_says_why_it_fails(there):
    built = examples(there, "other", there.run(["pkg-config", "--libs", "hpclient"]).split())
    nobody = dict(there.environment, HPD_SOCKET=os.path.join(there.folder, "nobody.sock"))
    done = subprocess.run(
        [built["list"]], env=nobody, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 1 and "nobody.sock" in done.stderr, done
    done = subprocess.run(
        [built["list"], "no-such-table"], env=there.environment, capture_output=True, text=True,
        timeout=LIMIT, check=False)
    assert done.returncode == 1 and done.stderr.startswith("list: "), done


def test_completions_are_read_by_their_shells(there):
    scripts = {
        "bash": "share/bash-completion/completions/hpctl",
        "zsh": "share/zsh/site-functions/_hpctl",
        "fish": "share/fish/vendor_completions.d/hpctl.fish",
    }
    read = [shell for shell in scripts if shutil.which(shell)]
    assert "bash" in read
    for shell in read:
        there.run([shell, "-n", there.path(*scripts[shell].split("/"))])
    return "read by " + ", ".join(read)


def test_units_hold_before_systemd(there):
    for folder in ["system", "user"]:
        service = there.path("lib/systemd", folder, "hpd.service")
        with open(service, encoding="utf-8") as file:
            text = file.read()
        assert "ExecStart=%s/bin/hpd " % PREFIX in text and "Type=notify" in text
        assert "@" not in re.sub(r"@(system-service|privileged|resources)\b", "", text)
    if not shutil.which("systemd-analyze"):
        return "systemd-analyze is not here"
    # The program has to be where the units say; man pages of a staged tree are not found.
    for folder in ["system", "user"]:
        units = os.path.join(there.folder, folder)
        os.mkdir(units)
        for name in ["hpd.service", "hpd.socket"]:
            with open(there.path("lib/systemd", folder, name), encoding="utf-8") as file:
                text = file.read().replace(PREFIX, there.prefix)
            with open(os.path.join(units, name), "w", encoding="utf-8") as file:
                file.write(re.sub("Documentation=.*\n", "", text))
        mode = [] if folder == "system" else ["--user"]
        environment = dict(
            there.environment, SYSTEMD_UNIT_PATH=units + ":", XDG_RUNTIME_DIR=there.folder)
        del environment["LD_LIBRARY_PATH"]
        done = subprocess.run(
            ["systemd-analyze", *mode, "verify", "--man=no", os.path.join(units, "hpd.service"),
             os.path.join(units, "hpd.socket")],
            env=environment, capture_output=True, text=True, timeout=60, check=False)
        wrong = [line for line in done.stderr.splitlines() if "hpd." in line]
        assert not wrong, "\n".join(wrong)
    return "verified by systemd-analyze"


def test_a_service_manager_starts_it(there):
    """As the units have it: the socket is handed over, readiness is told."""
    path = os.path.join(there.folder, "activated.sock")
    notified = os.path.join(there.folder, "notify.sock")
    with socket.socket(socket.AF_UNIX) as listener, \
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        listener.bind(path)
        listener.listen()
        manager.bind(notified)
        manager.settimeout(LIMIT)
        # A client may come before the daemon.
        early = subprocess.Popen(
            [there.path("bin", "hpctl"), "count", "--socket", path], stdout=subprocess.PIPE,
            env=there.environment, text=True)
        daemon = subprocess.Popen(
            ["sh", "-c", 'exec 3<&%d; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"'
             % listener.fileno(), there.path("bin", "hpd"), "--store",
             os.path.join(there.folder, "activated.db"), "--socket", path],
            env=dict(there.environment, NOTIFY_SOCKET=notified), pass_fds=[listener.fileno()],
            stderr=subprocess.DEVNULL)
        try:
            assert manager.recv(4096) == b"READY=1"
            assert early.communicate(timeout=LIMIT)[0] == "0\n" and early.returncode == 0
        finally:
            daemon.terminate()
            assert daemon.wait(LIMIT) == 0
        assert os.path.exists(path), "the socket is the manager's, it stays"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    there = Installed(os.path.abspath(sys.argv[1]))
    failed = 0
    try:
        there.start()
        for name, test in tests:
            try:
                note = test(there)
                print("ok " + name[5:] + (" – " + note if note else ""))
            except AssertionError as failure:
                failed += 1
                print("FAILED %s: %s" % (name[5:], failure))
    finally:
        there.close()
    print("%d passed, %d failed" % (len(tests) - failed, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

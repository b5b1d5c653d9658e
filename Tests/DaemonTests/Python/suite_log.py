"""What hpd writes to standard error: one line an event (SPEC 12)."""

import os
import re

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z )?hpd: (error|warning|info|debug) \S")


def lines(daemon):
    with open(daemon.log, encoding="utf-8") as log:
        return log.read().splitlines()


def test_every_line_has_its_time(ctx):
    daemon = ctx.daemon(options=["--log-level", "debug"])
    ctx.client(daemon).insert(name="secret")
    daemon.stop()
    found = lines(daemon)
    assert len(found) >= 3
    for line in found:
        match = LINE.match(line)
        assert match and match[1], f"no time: {line}"
        assert "secret" not in line, "no cell contents"
    times = [line[:24] for line in found]
    assert times == sorted(times)


def test_the_journal_keeps_times_by_itself(ctx):
    """JOURNAL_STREAM names the file that standard error is; that of another file says nothing."""
    folder = os.stat(ctx.folder)
    other = ctx.daemon("other", start=False, environment={
        **os.environ, "JOURNAL_STREAM": f"{folder.st_dev}:{folder.st_ino}"})
    other.start()
    assert LINE.match(lines(other)[0])[1], "another file's journal"
    daemon = ctx.daemon("journal", start=False)
    with open(daemon.log, "ab") as log:
        status = os.fstat(log.fileno())
    daemon.environment = {**os.environ, "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}
    daemon.start()
    daemon.stop()
    for line in lines(daemon):
        match = LINE.match(line)
        assert match and not match[1], line

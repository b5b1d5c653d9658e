"""The example for strangers does what it says (Examples/python)."""

import os
import subprocess
import sys

from schema import ROOT, FOLDER

PROGRAM = os.path.join(ROOT, "Examples", "python", "add_and_watch.py")


def test_forty_lines_add_a_row_and_print_the_event(ctx):
    with open(PROGRAM, encoding="utf-8") as source:
        assert len(source.readlines()) <= 40
    daemon = ctx.daemon()
    done = subprocess.run(
        [sys.executable, PROGRAM, daemon.socket, "1"], env={"PYTHONPATH": FOLDER},
        stdout=subprocess.PIPE, text=True, timeout=20, check=True)
    assert "change {" in done.stdout and 'text: "Kettle"' in done.stdout
    assert "decimal: 3995" in done.stdout
    (placed,) = ctx.client(daemon).rows()
    assert placed.row.cells[0].text == "Kettle"

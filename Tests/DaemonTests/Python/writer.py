#!/usr/bin/python3
"""A process that edits at random until a file appears: writer.py SOCKET STOP_FILE SEED

It plans on what it last read, so that another writer makes some of its batches fail; a refusal
that another's edit explains is expected, anything else ends it.
"""

import json
import os
import random
import sys

from client import (
    Client, Refused, batch_frame, delete, delete_section, insert, insert_section, move,
    move_section, retitle, update,
)
from fold import runs

EXPLAINED = {"NO_SUCH_ROW", "NO_SUCH_SECTION", "OUT_OF_RANGE"}


class Writer:
    def __init__(self, path, seed):
        self.random = random.Random(seed)
        self.client = Client(path, f"writer-{seed}")
        self.rows, self.sections = [], []
        self.batches = self.refused = self.unchanged = 0
        self.read()

    def read(self):
        self.rows = [placed.row.id for placed in self.client.rows()]
        self.sections = [section.id for section in self.client.table().sections]

    def place(self):
        kind = self.random.randrange(4)
        if kind == 0 and self.rows:
            return (self.random.choice(["before", "after"]), self.random.choice(self.rows))
        if kind == 1 or not self.sections:
            return (0, 0)
        return (self.random.choice(["first_of", "last_of"]), self.random.choice(self.sections))

    def operation(self):
        random, rows = self.random, self.rows
        few = len(rows) < 150
        kind = random.random()
        if kind < (0.4 if few else 0.15) or not rows or not self.sections:
            if self.sections:
                return insert({"name": f"n{random.randrange(1000)}"}, self.place())
            return insert_section(f"s{random.randrange(9)}")
        if kind < 0.65:
            return move(random.choice(rows), self.place())
        if kind < 0.8:
            return update(random.choice(rows), name=f"u{random.randrange(9)}",
                          value=random.choice([None, 5, -7]))
        if kind < 0.92:
            return delete(random.choice(rows))
        if kind < 0.95 and len(self.sections) < 8:
            return insert_section(f"s{random.randrange(9)}", random.randrange(1))
        if kind < 0.98:
            return move_section(random.choice(self.sections), 0)
        if kind < 0.99 and len(self.sections) > 2:
            return delete_section(random.choice(self.sections))
        return retitle(random.choice(self.sections), f"t{random.randrange(9)}")

    def step(self):
        operations = [self.operation() for _ in range(self.random.randrange(1, 6))]
        try:
            reply = self.client.request(batch_frame(*operations)).batch
        except Refused as refused:
            if refused.code not in EXPLAINED:
                raise
            self.refused += 1
            self.read()
            return
        self.batches += 1
        self.unchanged += reply.unchanged
        self.rows += runs(reply.inserted)
        self.sections += runs(reply.inserted_sections)
        for op in operations:
            if op.HasField("delete_row") and op.delete_row.row.id in self.rows:
                self.rows.remove(op.delete_row.row.id)
        if any(op.HasField("delete_section") for op in operations):
            self.read()


def main():
    path, stop, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    writer = Writer(path, seed)
    print("ready", flush=True)
    while not os.path.exists(stop):
        writer.step()
    print(json.dumps({"batches": writer.batches, "refused": writer.refused,
                      "unchanged": writer.unchanged}))


if __name__ == "__main__":
    main()

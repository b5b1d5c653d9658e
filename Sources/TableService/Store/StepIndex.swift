/// Tables by which steps and rows find their revisions: made of the journal, behind it.
///
/// All of it follows from the journal, so that it is made where it is missing, and a start goes
/// on where the last one ended.
enum StepIndex {
  /// What a revision is to undo.
  enum Kind: Int64 {
    /// None that can be taken back: a table made, renamed or dropped; a reload.
    case other = 0
    case step = 1
    case undo = 2
    case redo = 3
  }

  /// Rows or sections that share an entry, told apart by bits.
  static let blockSize: UInt64 = 64

  /// Makes what is missing, in the caller's transaction.
  static let creation = """
    CREATE TABLE IF NOT EXISTS hpd_indexed(
      id INTEGER PRIMARY KEY CHECK (id = 1),
      position INTEGER NOT NULL       -- the journal position that the index has
    ) STRICT;
    INSERT INTO hpd_indexed SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM hpd_indexed);
    CREATE TABLE IF NOT EXISTS hpd_actors(
      id INTEGER PRIMARY KEY,
      uid INTEGER NOT NULL,
      name TEXT NOT NULL,
      last_step INTEGER NOT NULL,     -- what it undid before this can't be redone
      UNIQUE (uid, name)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS hpd_steps(
      revision INTEGER NOT NULL,
      table_id INTEGER NOT NULL,
      position INTEGER NOT NULL,      -- of its first part in the journal
      actor INTEGER NOT NULL,
      time INTEGER NOT NULL,
      kind INTEGER NOT NULL,          -- 0 no step, 1 a step, 2 an undo, 3 a redo
      target INTEGER NOT NULL,        -- the step that is undone or redone
      applied INTEGER NOT NULL,       -- the revision that did it last: its own, or a redo's
      undone INTEGER NOT NULL,        -- the revision that took it back; 0: it stands
      undoer INTEGER NOT NULL,        -- the actor who did
      structural INTEGER NOT NULL,    -- 1: columns, headers or policies changed
      facts BLOB NOT NULL,            -- fields of hp.v1.HistoryEntry
      PRIMARY KEY (revision, table_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS hpd_steps_by_table ON hpd_steps(table_id, revision);
    CREATE INDEX IF NOT EXISTS hpd_steps_by_actor ON hpd_steps(actor, revision);
    CREATE INDEX IF NOT EXISTS hpd_steps_standing ON hpd_steps(actor, table_id, applied)
      WHERE kind = 1 AND undone = 0;
    CREATE INDEX IF NOT EXISTS hpd_steps_applied ON hpd_steps(table_id, applied)
      WHERE kind = 1 AND undone = 0;
    CREATE INDEX IF NOT EXISTS hpd_steps_undone ON hpd_steps(undoer, table_id, undone)
      WHERE kind = 1 AND undone <> 0;
    CREATE TABLE IF NOT EXISTS hpd_swept(
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL       -- up to here nothing is left of history that is gone
    ) STRICT;
    INSERT INTO hpd_swept SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM hpd_swept);
    -- Records that outlive the history: of each actor's newest step.
    CREATE TABLE IF NOT EXISTS hpd_kept(
      position INTEGER PRIMARY KEY,   -- where it stood in the journal
      revision INTEGER NOT NULL,
      part INTEGER NOT NULL,
      parts INTEGER NOT NULL,
      tables BLOB,
      head BLOB,
      body BLOB NOT NULL,
      old BLOB NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS hpd_touched(
      block INTEGER NOT NULL,         -- id / 64 * 2, and 1 for sections
      revision INTEGER NOT NULL,
      touched INTEGER NOT NULL,       -- a bit for each of 64 ids
      placed INTEGER NOT NULL,        -- those that were put there, removed or moved
      PRIMARY KEY (block, revision)
    ) STRICT, WITHOUT ROWID;
    """

  /// The entry of an element, and its bit.
  static func place(of element: Element) -> (block: Int64, bit: UInt64) {
    switch element {
    case .row(let id): (Int64(id / blockSize) * 2, 1 << (id % blockSize))
    case .section(let id): (Int64(id / blockSize) * 2 + 1, 1 << (id % blockSize))
    }
  }
}

/// The tables of a store besides those that hold rows.
///
/// `PRAGMA user_version` is the schema's version and `application_id` says that the file is ours.
/// Unsigned numbers of 64 bits are kept by their bits.
enum StoreSchema {
  /// The version that this hpd writes.
  static let version = 3
  /// "hpd1", in SQLite's application id.
  static let applicationID: Int64 = 0x6870_6431

  /// What is durable without a revision, as the newest record of the journal left it.
  static let states = """
    CREATE TABLE hpd_states(
      kind INTEGER NOT NULL,      -- of the journal record
      name TEXT NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (kind, name)
    ) STRICT, WITHOUT ROWID;
    """

  /// Content that large records name, and the writes of the large revision whose rows are being
  /// written: all of them once there is a row 0, which says which revision it is.
  static let parts = """
    CREATE TABLE hpd_parts(id INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
    CREATE INDEX hpd_stored_bodies ON hpd_journal(stored_body) WHERE stored_body NOT NULL;
    CREATE INDEX hpd_stored_olds ON hpd_journal(stored_old) WHERE stored_old NOT NULL;
    CREATE TABLE hpd_redo(id INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
    """

  /// What SQL can read of the store's state; `partial` is 1 while the rows of a large revision,
  /// the one after `materialised`, are half written.
  static let status = """
    CREATE VIEW hpd_status AS
      SELECT revision,
        iif(materialised_position = position, revision, materialised_revision) AS materialised,
        EXISTS (SELECT 1 FROM hpd_redo WHERE id = 0) AS partial
      FROM (
        SELECT max(epoch_revision, ifnull(last.revision, 0)) AS revision,
          ifnull(last.position, 0) AS position, materialised_position, materialised_revision
        FROM hpd_meta LEFT JOIN
          (SELECT position, revision FROM hpd_journal ORDER BY position DESC LIMIT 1) AS last);
    """

  /// What may be done by hand to rows that say so themselves.
  static let policies = """
    CREATE TABLE hpd_policies(
      row_id INTEGER PRIMARY KEY,
      table_id INTEGER NOT NULL,
      content BLOB NOT NULL           -- hp.v1.Policy
    ) STRICT;
    """

  /// Makes everything, in the caller's transaction.
  static let creation = """
    CREATE TABLE hpd_meta(
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL,                 -- contract S3; never 0
      epoch_revision INTEGER NOT NULL,        -- the revision at which the epoch began
      pruned_revision INTEGER NOT NULL,       -- history up to here is gone
      materialised_position INTEGER NOT NULL, -- the journal position that the rows show
      materialised_revision INTEGER NOT NULL,
      clock INTEGER NOT NULL,                 -- running time, microseconds (contract S4)
      wall INTEGER NOT NULL,                  -- the wall clock when `clock` was written
      inode INTEGER NOT NULL,                 -- who the file was at the last start
      birth INTEGER NOT NULL,
      clean INTEGER NOT NULL,                 -- 1 after a clean stop
      durability INTEGER NOT NULL,            -- of the last start
      sealed INTEGER NOT NULL,                -- 1 in a backup
      fence INTEGER NOT NULL                  -- counts reopenings after failed commits (S2)
    ) STRICT;
    CREATE TABLE hpd_counters(kind INTEGER PRIMARY KEY, ceiling INTEGER NOT NULL) STRICT;
    CREATE TABLE hpd_journal(
      position INTEGER PRIMARY KEY,
      revision INTEGER NOT NULL,  -- of the record, or of the store where it has none
      numbered INTEGER NOT NULL,  -- 1 if `revision` is the record's own
      part INTEGER NOT NULL,
      parts INTEGER NOT NULL,
      clock INTEGER NOT NULL,     -- running time of the append
      before INTEGER NOT NULL,    -- bytes of all parts before it, those that are gone included
      tables BLOB,                -- varints; like head, in the first part only
      head BLOB,
      body BLOB NOT NULL,
      old BLOB NOT NULL,
      stored_body INTEGER,        -- where body and old are, if they were written ahead
      stored_old INTEGER
    ) STRICT;
    \(parts)
    CREATE TABLE hpd_keys(
      uid INTEGER NOT NULL,
      key BLOB NOT NULL,
      hash BLOB NOT NULL,
      outcome BLOB NOT NULL,
      expires INTEGER NOT NULL,   -- on the running clock
      PRIMARY KEY (uid, key)
    ) STRICT, WITHOUT ROWID;
    \(states)
    CREATE TABLE hpd_tables(
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      last_changed INTEGER NOT NULL,  -- the last revision that touched it (contract E1)
      dropped INTEGER NOT NULL,       -- 1 while its rows are still being removed
      content BLOB NOT NULL           -- hp.v1.Table without sections and rows
    ) STRICT;
    CREATE TABLE hpd_columns(
      table_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      dropped INTEGER NOT NULL,       -- contract E14; 0: it is there; else it was dropped: the
                                      -- revision, 1: unknown, -1: and its cells are gone
      PRIMARY KEY (table_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE hpd_sections(
      id INTEGER PRIMARY KEY,
      table_id INTEGER NOT NULL,
      label INTEGER NOT NULL,         -- order within the table
      title TEXT,
      content BLOB NOT NULL           -- hp.v1.Section without index and rows
    ) STRICT;
    \(policies)
    \(status)
    """
}

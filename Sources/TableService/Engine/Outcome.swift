/// What came of a change that was not refused.
public struct Outcome: Equatable, Sendable {
  /// Whether nothing changed: no revision was taken (contract E6).
  public var isUnchanged = false
  /// Whether it was a dry run: the revision is the one judged against (contract E8).
  public var isDryRun = false
  /// The revision: of the change, else the store's newest.
  public var revision: UInt64 = 0
  /// The table's id.
  public var table: UInt64 = 0
  /// The last revision that changed the table.
  public var lastChanged: UInt64 = 0
  /// How much changed.
  public var counts = ChangeCounts()
  /// New rows, in the order of the operations (contract E12).
  public var inserted: [IDRun] = []
  /// New sections, in the order of the operations.
  public var insertedSections: [IDRun] = []
  /// The change as canonical hp.v1.Change, in parts.
  ///
  /// Each has the fields revision to undoes, the whole is the concatenation of the repeated
  /// fields (contract K2). Empty where nothing changed and in a dry run.
  public var change: [[UInt8]] = []
  /// Whether it is a step that can be undone (contract E9); also what an undone one was.
  public var isStep = false
  /// What was there before: fields `old_rows` and `before` of hp.v1.Change, to be appended to
  /// any part.
  public var oldRows: [[UInt8]] = []
  /// Of a long change: a part in which nothing happens.
  var emptyPart: [UInt8] = []
  /// What is kept beside each part of the change (see `ChangeSites`).
  var sites: [[UInt8]] = []
  /// The same, where it does not fit beside the first part.
  var sidePieces: [[UInt8]] = []
  /// Fields counts, inserted, stages, truncated and inserted_sections of hp.v1.BatchReply,
  /// cut at a page (contract K2).
  public var reply: [UInt8] = []
  /// Whether the reply was cut.
  public var isTruncated = false
  /// What became of the table.
  public var event = ChangeHead.Event.changed
  /// Rows that are gone.
  public var deleted: [IDRun] = []
  /// Whether the columns changed.
  public var hasColumns = false

  /// What live state has to know of it.
  var effect: ChangeEffect {
    ChangeEffect(
      revision: revision, table: table, event: event, deleted: deleted, hasColumns: hasColumns)
  }
}

/// How much a change changes.
public struct ChangeCounts: Equatable, Sendable {
  /// New rows.
  public var rowsInserted: UInt64 = 0
  /// Removed rows.
  public var rowsDeleted: UInt64 = 0
  /// Rows reported as moved (contract E10).
  public var rowsMoved: UInt64 = 0
  /// Rows with changed cells.
  public var rowsUpdated: UInt64 = 0
  /// New sections.
  public var sectionsInserted: UInt64 = 0
  /// Removed sections.
  public var sectionsDeleted: UInt64 = 0
  /// Sections reported as moved (contract E10).
  public var sectionsMoved: UInt64 = 0
  /// Sections with a changed title, header, footer or sentinel.
  public var sectionsUpdated: UInt64 = 0
  /// Rows that operations on many rows took, whatever became of them.
  public var matched: UInt64 = 0
}

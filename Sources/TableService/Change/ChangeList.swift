/// The net change of a batch, ready to be told in stages (contract E10).
///
/// Section and row numbers are in the coordinates of their stage; see hp.v1.Stage.
final class ChangeList {
  /// One end of a row's change.
  struct End {
    var section: UInt32
    var row: UInt32
    var slot: UInt32
    var isMoved = false
    /// The slot of the section.
    var home: UInt32
    /// With `isMoved`, the slot of the section at the other end.
    var other: UInt32 = 0
  }

  /// A row that is told as moved.
  struct Move {
    var from: End
    var to: End
  }

  /// A row that is told as reloaded: old and final path.
  struct Reload {
    var old: End
    var new: End
    /// Where the changed columns stand in `columns`.
    var columns: Range<Int>
  }

  /// A section that is told as moved or reloaded.
  struct SectionPair {
    var old: UInt32
    var new: UInt32
    /// Whether a reloaded section has other rows.
    var isReplaced = false
    /// The section's slot, of one that is told as reloaded.
    var slot = UInt32.max
  }

  /// A row whose image is told.
  struct Image {
    var slot: UInt32
    /// The slot of its section, and of the one that it stood in before.
    var home: UInt32
    var from: UInt32
    var isNew = false
    /// Where the changed columns stand in `columns`; empty: its cells are the same.
    var columns = 0..<0
  }

  /// A row that went to another section.
  struct Crossing {
    var slot: UInt32
    var from: UInt32
    var to: UInt32
    /// Whether its image is not told, so that it is kept beside the change.
    var isCarried = false
  }

  /// Row changes of one stage.
  struct Rows {
    var deletes: [End] = []
    var inserts: [End] = []
    var moves: [Move] = []
    var contents: [End] = []

    var isEmpty: Bool {
      deletes.isEmpty && inserts.isEmpty && moves.isEmpty && contents.isEmpty
    }

    mutating func removeAll() {
      deletes.empty()
      inserts.empty()
      moves.empty()
      contents.empty()
    }
  }

  var deletedSections: [UInt32] = []
  var insertedSections: [UInt32] = []
  var movedSections: [SectionPair] = []
  var reloadedSections: [SectionPair] = []
  /// Slots of new sections and of those with other attributes, with their final index.
  var records: [(slot: UInt32, index: UInt32)] = []
  var main = Rows()
  var moved = Rows()
  /// The rows that reloaded sections have instead of the old ones.
  var replaced: [End] = []
  var reloads: [Reload] = []
  var columns: [UInt64] = []
  /// New and changed rows, and those told as delete + insert.
  var images: [Image] = []
  var crossings: [Crossing] = []
  /// Removed rows with the slots of their sections.
  var gone: [(home: UInt32, id: UInt64)] = []
  /// Ids of removed rows.
  var deleted: [UInt64] = []
  /// Where removed and moved rows stood in the old table.
  var origins: [End] = []
  /// Slots of new rows and new sections, in the order of the operations.
  var newRows: [UInt32] = []
  var newSections: [UInt32] = []
  /// Ids of rows that have another policy of their own.
  var rowPolicies: [UInt64] = []
  /// Whether a table's header, footer, policy, name or columns changed.
  var hasTableChange = false
  var counts = ChangeCounts()

  var isEmpty: Bool {
    !hasTableChange && deletedSections.isEmpty && insertedSections.isEmpty
      && movedSections.isEmpty && reloadedSections.isEmpty && main.isEmpty && moved.isEmpty
      && reloads.isEmpty && deleted.isEmpty
  }

  /// Whether there is anything to take back: reloads without new cells are not (contract E6).
  var isStep: Bool {
    hasTableChange || !deletedSections.isEmpty || !insertedSections.isEmpty
      || !movedSections.isEmpty || !records.isEmpty || !main.isEmpty || !moved.isEmpty
      || !images.isEmpty || !deleted.isEmpty
  }

  func removeAll() {
    deletedSections.empty()
    insertedSections.empty()
    movedSections.empty()
    reloadedSections.empty()
    records.empty()
    main.removeAll()
    moved.removeAll()
    replaced.empty()
    reloads.empty()
    columns.empty()
    images.empty()
    crossings.empty()
    gone.empty()
    deleted.empty()
    origins.empty()
    newRows.empty()
    newSections.empty()
    rowPolicies.empty()
    hasTableChange = false
    counts = ChangeCounts()
  }
}

/// Most lists of a batch stay empty, and emptying an empty one costs more than the look.
extension RangeReplaceableCollection {
  /// Empties a list that is used again; its memory stays up to a bound.
  @inline(__always)
  mutating func empty() {
    if !isEmpty { removeAll(keepingCapacity: count <= 65_536) }
  }
}

/// The mode of a table; the values are those of hp.v1.EditingMode.
public enum EditingMode: UInt8, Sendable {
  /// Nothing is edited.
  case none
  /// Somebody holds editing.
  case editing
  /// A row's delete button stands open: the flag is up, the other rows show no controls.
  case swipe
}

/// A delete button that stands open: of a swipe, or of a minus control.
public struct DeleteButton: Equatable, Sendable {
  /// The row.
  public var row: UInt64
  /// Whose it is.
  public var holder: Holder
  /// Whether the swipe came from the leading edge.
  public var isLeading = false
  /// What it says.
  public var title: String
}

/// A row that is being dragged.
public struct DragSlot: Equatable, Sendable {
  /// The row.
  public var row: UInt64
  /// Who drags it.
  public var holder: Holder
  /// Where a drop would put it: a final path.
  public var target: RowPath
  /// The id of the target's section.
  var section: UInt64
  /// The row that would stand before it; `nil`: none.
  var anchor: UInt64?
}

/// The cell that a draft is about.
public struct DraftKey: Hashable, Sendable {
  /// Whose it is.
  public var holder: Holder.ID
  /// The row.
  public var row: UInt64
  /// The column's id.
  public var column: UInt64
}

/// The text that somebody writes into a cell.
public struct DraftSlot: Equatable, Sendable {
  /// Whose it is.
  public var holder: Holder
  /// The row.
  public var row: UInt64
  /// The column's id.
  public var column: UInt64
  /// The text as typed.
  public var text: String
  /// Why it was not written when it ended by force; `nil`: it is open.
  public var rejection: String?
  /// The cell's value when it began.
  var base: CellValue?

  /// The cell that it is about.
  public var key: DraftKey { DraftKey(holder: holder.id, row: row, column: column) }
}

/// What a holder has selected.
public struct SelectionSlot: Equatable, Sendable {
  /// Whose it is.
  public var holder: Holder
  /// The rows' ids.
  public var rows: Set<UInt64>
}

/// The live state of one table (contract K3).
public struct TableEditing: Equatable, Sendable {
  /// Who holds editing mode, in the order in which they took it.
  public internal(set) var holders: [Holder] = []
  /// Who of them keeps the others out.
  public internal(set) var exclusive: Holder?
  /// The row whose delete button a swipe has opened.
  public internal(set) var swipe: DeleteButton?
  /// The row whose delete button its minus control has opened.
  public internal(set) var confirm: DeleteButton?
  /// The row that is being dragged.
  public internal(set) var drag: DragSlot?
  /// What is selected, by holder.
  public internal(set) var selections: [Holder.ID: SelectionSlot] = [:]
  /// What is being written, rejected texts included.
  public internal(set) var drafts: [DraftKey: DraftSlot] = [:]

  /// Whether a swipe is open on a row that is not to be told of: its flag is all the same.
  var hasHiddenSwipe = false
  /// Buttons that went with their rows, so that who uses them is told so.
  var lostSwipe: DeleteButton?
  var lostConfirm: DeleteButton?

  /// Makes the state of a table that nobody edits.
  public init() {}

  /// The flag, a swipe included (contract L2).
  public var isEditing: Bool { mode != .none }

  /// The mode.
  public var mode: EditingMode {
    if !holders.isEmpty { return .editing }
    return swipe == nil && !hasHiddenSwipe ? .none : .swipe
  }

  /// What the edit button says (contract L2).
  public var title: String { TableEditing.title(isEditing) }

  /// What an edit button says.
  static func title(_ isEditing: Bool) -> String { isEditing ? "Done" : "Edit" }

  /// Whether anything hangs on a row.
  ///
  /// - Parameter row: The row's id.
  /// - Returns: Whether it is swiped, dragged, selected or written.
  /// - Complexity: O(*k*) in the number of holders and drafts.
  public func concerns(_ row: UInt64) -> Bool {
    swipe?.row == row || confirm?.row == row || drag?.row == row
      || selections.values.contains { $0.rows.contains(row) }
      || drafts.keys.contains { $0.row == row }
  }

  /// What who sees some rows alone is told of.
  ///
  /// - Parameter rows: The rows' ids.
  /// - Returns: The table's own state, and what hangs on these rows.
  public func restricted(to rows: Set<UInt64>) -> TableEditing {
    var left = self
    if let row = swipe?.row, !rows.contains(row) {
      left.swipe = nil
      left.hasHiddenSwipe = true
    }
    if let row = confirm?.row, !rows.contains(row) { left.confirm = nil }
    if let row = drag?.row, !rows.contains(row) { left.drag = nil }
    left.drafts = drafts.filter { rows.contains($0.key.row) }
    left.selections = selections.compactMapValues { slot in
      let seen = rows.intersection(slot.rows)
      return seen.isEmpty ? nil : SelectionSlot(holder: slot.holder, rows: seen)
    }
    return left
  }

  /// Whether there is nothing to keep.
  var isEmpty: Bool {
    holders.isEmpty && swipe == nil && confirm == nil && drag == nil && selections.isEmpty
      && drafts.isEmpty && lostSwipe == nil && lostConfirm == nil
  }
}

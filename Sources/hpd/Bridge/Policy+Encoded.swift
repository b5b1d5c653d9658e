internal import Coding
internal import TableService
internal import Wire

/// Policies as hp.v1.PolicyEntry, as fields `entries` of hp.v1.PolicyList.
extension [UInt8] {
  /// Appends the table's.
  mutating func append(policyOf table: Table) {
    appendField(1) { entry in
      if let own = table.policy { entry.appendField(3, bytes: own) }
      entry.appendField(4, bytes: table.rules.encoded)
    }
  }

  /// Appends a section's.
  mutating func append(policyOfSection index: Int, in table: Table) {
    let record = table.section(at: index).record
    appendField(1) { entry in
      entry.appendField(1, varint: record.id)
      if let own = record.policy { entry.appendField(3, bytes: own) }
      entry.appendField(4, bytes: table.rules(ofSection: index).encoded)
      if let sentinel = record.sentinel { entry.appendField(5, bytes: sentinel) }
    }
  }

  /// Appends what holds for a sentinel: nothing can be done to it (contract E11).
  mutating func append(policyOfSentinel index: Int, in table: Table) {
    let section = table.section(at: index)
    var rules = table.rules(ofSection: index)
    rules.canEdit = false
    rules.canMove = false
    rules.style = EditingStyle.none
    rules.allowsSelection = false
    rules.allowsSelectionDuringEditing = false
    appendField(1) { entry in
      entry.appendField(1, varint: section.record.id)
      entry.appendField(4, bytes: rules.encoded)
      if let sentinel = section.record.sentinel { entry.appendField(5, bytes: sentinel) }
      entry.appendField(6, path: RowPath(index, section.rows))
    }
  }

  /// Appends a row's.
  mutating func append(policyOf row: UInt64, in table: Table) throws(ErrorReply) {
    guard let place = table.path(of: row), let rules = table.rules(ofRow: row) else {
      throw ErrorReply(TableFault(.noSuchRow, row: row))
    }
    appendField(1) { entry in
      entry.appendField(1, varint: place.section)
      entry.appendField(2, varint: row)
      if let own = table.policy(ofRow: row) { entry.appendField(3, bytes: own) }
      entry.appendField(4, bytes: rules.encoded)
      entry.appendField(6, path: place.path)
    }
  }
}

extension ErrorReply {
  /// A refused step of editing as the wire tells it.
  init(_ fault: EditingFault) {
    let (code, message) = ErrorReply.told(fault.code)
    self.init(code, message)
    row = fault.row
    column = fault.column
    value = fault.value
    expected = fault.expected
    if let holder = fault.holder {
      let name = holder.leaseName.map { " by the lease \($0)" } ?? ""
      hint = "held by \(holder.actor), user \(holder.uid)\(name)"
    }
  }

  /// The code and the words for each fault; a new one does not compile until it has both.
  private static func told(_ code: EditingFault.Code) -> (ErrorCode, String) {
    switch code {
    case .notEditable: (.notEditable, "the row can't be edited")
    case .notMovable: (.notMovable, "the row can't be moved")
    case .styleMismatch: (.styleMismatch, "the row has another control")
    case .styleNotDelete: (.styleNotDelete, "the row has no delete button")
    case .inEditingMode: (.inEditingMode, "rows are not swiped in editing mode")
    case .notEditing: (.notEditing, "the table is not in editing mode")
    case .noSwipe: (.noSwipe, "no swipe is open there")
    case .noConfirm: (.noConfirm, "no delete button is open there")
    case .noDrag: (.noDrag, "no row is being dragged")
    case .noDraft: (.noDraft, "there is no such draft")
    case .draftOpen: (.draftOpen, "another draft is open")
    case .dragOpen: (.dragOpen, "a row is being dragged")
    case .notSelectable: (.notSelectable, "that can't be selected")
    case .heldExclusively: (.heldExclusively, "somebody keeps the others out")
    case .heldByOthers: (.heldByOthers, "others edit the table")
    case .notHolder: (.notHolder, "somebody else holds it, or nobody")
    case .leaseExpired: (.leaseExpired, "there is no such lease any more")
    case .notPermitted: (.notPermitted, "that is not yours to do")
    case .conflict: (.conflict, "it is not as it was expected to be")
    case .noSuchRow: (.noSuchRow, "no such row")
    case .noSuchColumn: (.noSuchColumn, "no such column")
    case .readOnly: (.readOnly, "the column can't change after the insert")
    case .badValue: (.badValue, "that value can't be stored")
    case .badName: (.badName, "that is no name")
    case .tooManyElements: (.tooManyElements, "there are too many")
    }
  }
}

internal import Coding
internal import TableService
internal import Wire

extension [UInt8] {
  /// Appends an hp.v1.Holder.
  mutating func appendField(_ field: UInt32, holder: Holder) {
    appendField(field) {
      $0.appendField(1, varint: holder.uid)
      $0.appendField(2, text: holder.actor)
      switch holder.id {
      case .client(let client): $0.appendField(3, varint: client)
      case .lease(let lease): $0.appendField(4, varint: lease)
      }
      if let name = holder.leaseName { $0.appendField(5, text: name) }
    }
  }

  /// Appends an hp.v1.Path.
  mutating func appendField(_ field: UInt32, path: RowPath) {
    appendField(field) {
      $0.appendField(1, varint: path.section)
      $0.appendField(2, varint: path.row)
    }
  }

  /// Appends rows as fields of hp.v1.IdRun.
  mutating func appendField(_ field: UInt32, rows: [UInt64]) {
    var index = 0
    while index < rows.count {
      var end = index + 1
      while end < rows.count, rows[end] == rows[end - 1] + 1 { end += 1 }
      let (first, count) = (rows[index], end - index)
      appendField(field) {
        $0.appendField(1, varint: first)
        if count != 1 { $0.appendField(2, varint: UInt64(count)) }
      }
      index = end
    }
  }

  /// Appends an hp.v1.SwipeState.
  mutating func appendField(_ field: UInt32, button: DeleteButton) {
    appendField(field) {
      $0.appendField(1, varint: button.row)
      $0.appendField(2, holder: button.holder)
      if button.isLeading { $0.appendField(3, bool: true) }
      $0.appendField(4, text: button.title)
    }
  }

  /// Appends an hp.v1.DragState.
  mutating func appendField(_ field: UInt32, drag: DragSlot) {
    appendField(field) {
      $0.appendField(1, varint: drag.row)
      $0.appendField(2, holder: drag.holder)
      $0.appendField(3, path: drag.target)
    }
  }

  /// Appends an hp.v1.DraftState.
  mutating func appendField(_ field: UInt32, draft: DraftSlot, withText: Bool = true) {
    appendField(field) {
      $0.appendField(1, holder: draft.holder)
      $0.appendField(2, varint: draft.row)
      $0.appendField(3, varint: draft.column)
      if withText { $0.appendField(4, text: draft.text) }
      if let reason = draft.rejection {
        $0.appendField(5, bool: true)
        $0.appendField(6, text: reason)
      }
    }
  }
}

extension TableEditing {
  /// All of it as hp.v1.EditingState.
  ///
  /// - Parameter table: The table's id.
  /// - Returns: The message.
  func encoded(table: UInt64) -> [UInt8] {
    pieces(table: table, size: .max)[0]
  }

  /// All of it as hp.v1.EditingState, its lists cut into pieces that name the same table.
  ///
  /// - Parameters:
  ///   - table: The table's id.
  ///   - size: Bytes after which a piece ends.
  /// - Returns: The messages, at least one.
  func pieces(table: UInt64, size: Int) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    piece.appendField(1, varint: table)
    piece.appendField(2, bool: isEditing)
    piece.appendField(3, text: title)
    piece.appendField(4, varint: UInt64(mode.rawValue))
    if let exclusive { piece.appendField(5, holder: exclusive) }
    for holder in holders { piece.appendField(6, holder: holder) }
    if let swipe { piece.appendField(7, button: swipe) }
    if let confirm { piece.appendField(8, button: confirm) }
    if let drag { piece.appendField(9, drag: drag) }
    func cut() {
      guard piece.count > size else { return }
      pieces.append(piece)
      piece = []
      piece.appendField(1, varint: table)
    }
    for slot in selections.values.sorted(by: { $0.holder.id < $1.holder.id }) {
      let rows = slot.rows.sorted()
      piece.appendField(10) {
        $0.appendField(1, holder: slot.holder)
        $0.appendField(2, rows: rows)
      }
      cut()
    }
    for key in drafts.keys.sorted() {
      if let draft = drafts[key] { piece.appendField(11, draft: draft) }
      cut()
    }
    pieces.append(piece)
    return pieces
  }
}

extension EditingOutcome {
  /// The fields of hp.v1.EditingReply but the cursor.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(2, varint: sequence)
    if isUnchanged { bytes.appendField(3, bool: true) }
    if let table {
      bytes.appendField(5, varint: table)
      bytes.appendField(6, bool: state.isEditing)
      bytes.appendField(7, text: state.title)
      bytes.appendField(8, varint: UInt64(state.mode.rawValue))
    }
    if let row { bytes.appendField(9, varint: row) }
    if let deleteTitle { bytes.appendField(10, text: deleteTitle) }
    if let target { bytes.appendField(11, path: target) }
    if let draft { bytes.appendField(12, draft: draft) }
    if resigned { bytes.appendField(13, bool: true) }
    return bytes
  }
}

extension Lease {
  /// A field `leases` of hp.v1.LeaseList.
  var entry: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1) {
      $0.appendField(1, varint: id)
      $0.appendField(2, varint: uid)
      $0.appendField(3, text: name)
      if let ends { $0.appendField(4, varint: UInt64(bitPattern: ends)) }
      $0.appendField(5, text: actor)
    }
    return bytes
  }
}

internal import Coding
internal import TableService

extension LiveEvent {
  /// The first fields of an hp.v1.LiveEvent.
  static func head(
    start: UInt64, sequence: UInt64, revision: UInt64, kind: UInt64
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, fixed64: start)
    bytes.appendField(2, varint: sequence)
    bytes.appendField(3, varint: revision)
    bytes.appendField(4, varint: kind)
    return bytes
  }

  /// The event as hp.v1.LiveEvent.
  ///
  /// - Parameter start: This run of the daemon.
  /// - Returns: The message.
  func encoded(start: UInt64) -> [UInt8] {
    var bytes = LiveEvent.head(
      start: start, sequence: sequence, revision: revision, kind: what.kind)
    bytes.appendField(6, varint: table)
    if let by { bytes.appendField(7, holder: by) }
    append(what, to: &bytes)
    return bytes
  }

  private func append(_ what: What, to bytes: inout [UInt8]) {
    switch what {
    case .editingChanged(let flag, let ended, let isAnimated):
      if isAnimated { bytes.appendField(9, bool: true) }
      bytes.appendField(10, bool: flag.isEditing)
      bytes.appendField(11, text: flag.title)
      bytes.appendField(12, varint: UInt64(flag.mode.rawValue))
      for holder in flag.holders { bytes.appendField(13, holder: holder) }
      if let exclusive = flag.exclusive { bytes.appendField(14, holder: exclusive) }
      for holder in ended { bytes.appendField(15, holder: holder) }
    case .willBeginEditing(let row), .swipeClosed(let row), .confirmClosed(let row),
      .dragEnded(let row), .dragCancelled(let row):
      bytes.appendField(8, varint: row)
    case .didEndEditing(let row):
      if let row { bytes.appendField(8, varint: row) }
    case .swipeOpened(let button): bytes.appendField(16, button: button)
    case .confirmOpened(let button): bytes.appendField(17, button: button)
    case .dragBegan(let drag), .dragMoved(let drag): bytes.appendField(18, drag: drag)
    case .draftBegan(let draft), .draftText(let draft), .draftRejected(let draft):
      bytes.appendField(19, draft: draft)
    case .draftEnded(let draft): bytes.appendField(19, draft: draft, withText: false)
    case .selectionChanged(let holder, let cleared, let deselected, let selected):
      bytes.appendField(20, holder: holder)
      if cleared { bytes.appendField(21, bool: true) }
      bytes.appendField(22, rows: deselected)
      bytes.appendField(23, rows: selected)
    case .holderGone(let holder), .leaseEnded(let holder): bytes.appendField(20, holder: holder)
    case .tableGone: break
    case .viewChanged(let content): bytes += content
    }
  }
}

extension LiveEvent.What {
  /// Its number in hp.v1.LiveEventKind.
  fileprivate var kind: UInt64 {
    switch self {
    case .editingChanged: 2
    case .willBeginEditing: 3
    case .didEndEditing: 4
    case .swipeOpened: 5
    case .swipeClosed: 6
    case .dragBegan: 7
    case .dragMoved: 8
    case .dragEnded: 9
    case .dragCancelled: 10
    case .selectionChanged: 11
    case .draftBegan: 12
    case .draftText: 13
    case .draftEnded: 14
    case .draftRejected: 15
    case .holderGone: 16
    case .leaseEnded: 17
    case .confirmOpened: 18
    case .confirmClosed: 19
    case .tableGone: 20
    case .viewChanged: 21
    }
  }
}

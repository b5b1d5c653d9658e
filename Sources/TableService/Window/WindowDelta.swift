internal import Coding

/// What a change did to a window, in its coordinates.
public struct WindowDelta: Sendable {
  /// A row that came in.
  struct Insert {
    var index: Int
    var section: UInt64
    var row: UInt64
  }

  /// The revision.
  public internal(set) var revision: UInt64
  /// Who made the change; `nil` where the window was moved or sent anew.
  public var cause: JournalHead?
  /// Whether it is all of the window.
  public internal(set) var isReset = false

  var generation: UInt64 = 0
  var first = 0
  var after = 0
  var deletes: [Int] = []
  var inserts: [Insert] = []
  var moves: [(from: Int, to: Int, section: UInt64)] = []
  var reloads: [Int] = []
  var rows: [[UInt8]] = []
  /// Each as hp.v1.Section.
  var sections: [[UInt8]] = []
  var anchor: UInt64?
  var schemaRevision: UInt64 = 0
  /// Each as hp.v1.Column; with `isReset`.
  var columns: [[UInt8]] = []

  /// Whether rows came in or went.
  public var hasOtherRows: Bool { isReset || !inserts.isEmpty || !deletes.isEmpty }

  /// Bytes of rows, and of where they are.
  var size: Int {
    rows.reduce(16 * (inserts.count + moves.count) + 8 * deletes.count + 128) { $0 + $1.count + 24 }
  }

  init(revision: UInt64) { self.revision = revision }

  /// Encodes it as hp.v1.WindowChange, in parts: each says where the window is and whether it is all
  /// of it; the lists of further parts are rows, and in the last one the rest.
  ///
  /// - Returns: The parts, at least one.
  /// - Complexity: O(*n*) in the bytes.
  public func encoded() -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var part = head()
    appendLists(to: &part)
    for row in rows {
      if part.count + row.count > TableLimits.part, part.count > 128 {
        parts.append(part)
        part = head()
      }
      part.appendField(9, bytes: row)
    }
    appendRest(to: &part)
    parts.append(part)
    return parts
  }

  private func head() -> [UInt8] {
    var part: [UInt8] = []
    part.appendField(1, varint: generation)
    part.appendField(2, varint: revision)
    part.appendField(3, varint: UInt64(first))
    part.appendField(4, varint: UInt64(first))
    part.appendField(5, varint: UInt64(after))
    if let anchor { part.appendField(11, varint: anchor) }
    if isReset { part.appendField(14, bool: true) }
    part.appendField(15, varint: schemaRevision)
    return part
  }

  private func appendLists(to part: inout [UInt8]) {
    if !deletes.isEmpty {
      part.appendField(6) { for index in deletes { $0.appendVarint(UInt64(index)) } }
    }
    for insert in inserts {
      part.appendField(7) {
        $0.appendField(1, varint: UInt64(insert.index))
        $0.appendField(2, varint: insert.section)
        $0.appendField(3, varint: insert.row)
      }
    }
    for move in moves {
      part.appendField(8) {
        $0.appendField(1, varint: UInt64(move.from))
        $0.appendField(2, varint: UInt64(move.to))
        $0.appendField(3, varint: move.section)
      }
    }
  }

  private func appendRest(to part: inout [UInt8]) {
    for section in sections { part.appendField(10, bytes: section) }
    if let cause {
      part.appendField(12, varint: cause.uid)
      part.appendField(13, text: cause.actor)
    }
    for column in columns { part.appendField(16, bytes: column) }
    if !reloads.isEmpty {
      part.appendField(17) { for index in reloads { $0.appendVarint(UInt64(index)) } }
    }
    guard let cause else { return }
    part.appendField(18, varint: cause.client)
    part.appendField(19, varint: cause.request)
    part.appendField(20, varint: Varint.zigzag(cause.time))
  }
}

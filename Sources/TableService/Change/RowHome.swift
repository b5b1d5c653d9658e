internal import Coding

/// Where rows of a part of a change live: told of neighbours with the same at once.
struct RowHome: Equatable {
  /// The section's id.
  var section: UInt64 = 0
  /// The id of the section that they stood in before; of new rows their own.
  var from: UInt64 = 0
  var isNew = false
  /// The columns that changed.
  var columns: [UInt64] = []

  /// Appends it as a field of what stands beside a part (see `ChangeSites`).
  func append(count: Int, to bytes: inout [UInt8]) {
    if columns.isEmpty {
      bytes.appendField(4, upTo: 35) { room in
        room.appendField(1, varint: section)
        if count != 1 { room.appendField(2, varint: UInt64(count)) }
        if from != section { room.appendField(3, varint: from) }
        if isNew { room.appendField(4, varint: 1) }
      }
      return
    }
    bytes.appendField(4) {
      $0.appendField(1, varint: section)
      if count != 1 { $0.appendField(2, varint: UInt64(count)) }
      if from != section { $0.appendField(3, varint: from) }
      if isNew { $0.appendField(4, bool: true) }
      guard !columns.isEmpty else { return }
      $0.appendField(5) { for column in columns { $0.appendVarint(column) } }
    }
  }

  /// Reads what `append` wrote.
  ///
  /// - Returns: It, and of how many rows it is told.
  static func read(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> (home: RowHome, count: Int) {
    var home = RowHome()
    var count = 1
    var from: UInt64?
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: home.section = field.value
      case 2: count = Int(clamping: field.value)
      case 3: from = field.value
      case 4: home.isNew = field.value != 0
      case 5:
        var list = FieldReader(field.range)
        while list.offset < list.end { home.columns.append(try list.varint(in: bytes)) }
      default: break
      }
    }
    home.from = from ?? home.section
    return (home, count)
  }
}

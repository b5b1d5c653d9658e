internal import Coding
internal import TableService
internal import Wire

extension Table {
  /// The table as hp.v1.Table, without its rows.
  ///
  /// - Parameter whole: Whether columns and sections are wanted.
  /// - Returns: The message's bytes.
  func encoded(whole: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    guard whole else {
      bytes.appendField(1, varint: id)
      bytes.appendField(2, text: name)
      bytes.appendField(3, varint: schema.revision)
      bytes.appendField(4, varint: lastChanged)
      bytes.appendField(9, varint: UInt64(rowCount))
      return bytes
    }
    appendTable(to: &bytes)
    // What does not fit a frame is not sent, and need not be written to its end.
    for index in 0..<sectionCount where bytes.count <= Limits.frameDown {
      bytes.appendSection(section(at: index))
    }
    bytes.appendField(9, varint: UInt64(rowCount))
    return bytes
  }
}

extension TableView {
  /// A piece of the table as hp.v1.Table, without its rows: all but the sections stands in the
  /// first piece, and sections go on where the piece before stopped.
  ///
  /// - Parameters:
  ///   - first: The first section; moved behind the last one that is in the piece.
  ///   - size: About how many bytes it has; one section is always taken.
  ///   - filter: Which columns and sections are wanted.
  /// - Returns: The message's bytes.
  func encoded(from first: inout Int, size: Int, _ filter: ChangeFilter) -> [UInt8] {
    var bytes: [UInt8] = []
    if first == 0 {
      appendTable(to: &bytes, columns: filter.columns)
      let shown = sections.reduce(0) { $0 + (filter.shows($1.record.id) ? $1.rows : 0) }
      bytes.appendField(9, varint: UInt64(shown))
    } else {
      bytes.appendField(1, varint: table)
      bytes.appendField(2, text: name)
    }
    while first < sections.count {
      let section = sections[first]
      first += 1
      guard filter.shows(section.record.id) else { continue }
      bytes.appendSection(section, withIndex: !filter.pathsByID)
      if bytes.count >= size { break }
    }
    return bytes
  }
}

extension TableView {
  /// A piece of hp.v1.Table without its rows; the pieces one after the other are the whole message.
  ///
  /// - Parameters:
  ///   - first: The first section; moved behind the last one that is in the piece.
  ///   - size: About how many bytes it has; one section is always taken.
  /// - Returns: The piece.
  func encodedPart(from first: inout Int, size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if first == 0 {
      appendTable(to: &bytes)
      bytes.appendField(9, varint: UInt64(rowCount))
    }
    while first < sections.count {
      bytes.appendSection(sections[first])
      first += 1
      if bytes.count >= size { break }
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func appendSection(
    _ section: TableService.SectionInfo, withIndex: Bool = true
  ) {
    appendField(6) {
      section.record.append(
        to: &$0, index: withIndex ? section.index : nil, rows: section.rows)
    }
  }
}

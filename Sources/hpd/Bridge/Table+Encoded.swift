internal import Coding
internal import TableService

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
    for index in 0..<sectionCount { bytes.appendSection(section(at: index)) }
    bytes.appendField(9, varint: UInt64(rowCount))
    return bytes
  }
}

extension TableView {
  /// The table as hp.v1.Table, without its rows.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    appendTable(to: &bytes)
    for section in sections { bytes.appendSection(section) }
    bytes.appendField(9, varint: UInt64(rowCount))
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func appendSection(_ section: SectionInfo) {
    appendField(6) { section.record.append(to: &$0, index: section.index, rows: section.rows) }
  }
}

/// Writes one table's rows with statements that are kept.
final class RowWriter {
  private let replace: Statement
  private let place: Statement
  private let remove: Statement
  /// Where a column's value goes, by column id; 0 for a column that is not there.
  private var parameters: [Int32]

  /// Prepares the statements.
  ///
  /// - Parameters:
  ///   - connection: The store's connection.
  ///   - table: The table's id.
  /// - Throws: What SQLite says.
  init(_ connection: Connection, table: UInt64) throws(StoreFault) {
    let ids = try RowWriter.columns(connection, table, .materialising).map(\.id)
    parameters = [Int32](repeating: 0, count: Int((ids.last ?? 0) + 1))
    for (index, id) in ids.enumerated() { parameters[Int(id)] = Int32(index) + 5 }
    let rows = SQLView.rows(of: table)
    let names = ["_id", "_section", "_order", "_revision"] + ids.map { "c\($0)" }
    let values = names.map { _ in "?" }
    replace = try connection.prepare(
      "REPLACE INTO \(rows)(\(names.joined(separator: ", "))) "
        + "VALUES(\(values.joined(separator: ", ")))", .materialising)
    place = try connection.prepare(
      "UPDATE \(rows) SET _section = ?, _order = ? WHERE _id = ?", .materialising)
    remove = try connection.prepare("DELETE FROM \(rows) WHERE _id = ?", .materialising)
  }

  /// The ids and kinds of a table's columns, dropped ones included, by rising id.
  static func columns(
    _ connection: Connection, _ table: UInt64, _ action: StoreAction
  ) throws(StoreFault) -> [(id: UInt64, kind: ColumnKind)] {
    var columns: [(id: UInt64, kind: ColumnKind)] = []
    let row = try connection.prepare(
      "SELECT id, kind FROM hpd_columns WHERE table_id = ? ORDER BY id", action)
    row.bind(1, table)
    while try row.step(action) {
      guard let kind = ColumnKind(rawValue: UInt8(truncatingIfNeeded: row.integer(1))) else {
        throw .damaged(action)
      }
      columns.append((row.unsigned(0), kind))
    }
    return columns
  }

  /// Writes a whole row.
  func put(section: UInt64, label: Int64, image: Span<UInt8>) throws(StoreFault) {
    let head = RowImage.head(of: image)
    replace.clear()
    replace.bind(1, head.id)
    replace.bind(2, section)
    replace.bind(3, label)
    replace.bind(4, head.revision)
    var cells = RowImage.Cells(of: image)
    while let cell = cells.next(in: image) {
      guard cell.column < parameters.count, parameters[Int(cell.column)] > 0 else {
        throw .damaged(.materialising)
      }
      let parameter = parameters[Int(cell.column)]
      if cell.kind == .text {
        replace.bind(parameter, text: image.extracting(cell.text))
      } else {
        replace.bind(parameter, cell.number)
      }
    }
    try replace.execute(.materialising)
  }

  /// Writes a row's place.
  func move(id: UInt64, section: UInt64, label: Int64) throws(StoreFault) {
    place.bind(1, section)
    place.bind(2, label)
    place.bind(3, id)
    try place.execute(.materialising)
  }

  /// Removes a row.
  func remove(id: UInt64) throws(StoreFault) {
    remove.bind(1, id)
    try remove.execute(.materialising)
  }
}

internal import Coding

/// A table as it stands on disk.
struct StoredTable {
  /// Its id.
  var id: UInt64
  /// hp.v1.Table without sections and rows.
  var content: [UInt8]
  /// The last revision that touched it, as far as it is materialised.
  var lastChanged: UInt64
  /// An id above those of all its columns, dropped ones included.
  var nextColumn: UInt64
  /// Its sections in their order: hp.v1.Section without index and rows, and the order label.
  var sections: [(id: UInt64, label: Int64, content: [UInt8])]
  /// hp.v1.Policy of rows that have one of their own.
  var policies: [UInt64: [UInt8]] = [:]
}

extension Store {
  /// Reads the tables and their sections.
  ///
  /// - Returns: The tables that are not dropped, by rising id. They show the journal up to
  ///   `meta.materialisedPosition`; what follows is folded by the caller.
  func loadTables() throws(StoreFault) -> [StoredTable] {
    let connection = try reading().connection
    var tables: [StoredTable] = []
    var places: [UInt64: Int] = [:]
    let row = try connection.prepare(
      """
      SELECT t.id, t.content, t.last_changed,
        (SELECT ifnull(max(c.id), 0) + 1 FROM hpd_columns AS c WHERE c.table_id = t.id)
      FROM hpd_tables AS t WHERE t.dropped = 0 ORDER BY t.id
      """, .loading)
    while try row.step(.loading) {
      places[row.unsigned(0)] = tables.count
      tables.append(
        StoredTable(
          id: row.unsigned(0), content: row.bytes(1), lastChanged: row.unsigned(2),
          nextColumn: row.unsigned(3), sections: []))
    }
    let section = try connection.prepare(
      "SELECT table_id, id, label, content FROM hpd_sections ORDER BY table_id, label", .loading)
    while try section.step(.loading) {
      guard let place = places[section.unsigned(0)] else { continue }
      tables[place].sections.append(
        (section.unsigned(1), section.integer(2), section.bytes(3)))
    }
    let policy = try connection.prepare(
      "SELECT table_id, row_id, content FROM hpd_policies", .loading)
    while try policy.step(.loading) {
      guard let place = places[policy.unsigned(0)] else { continue }
      tables[place].policies[policy.unsigned(1)] = policy.bytes(2)
    }
    return tables
  }

  /// Reads a table's rows, in no order.
  ///
  /// - Parameters:
  ///   - table: The table's id.
  ///   - take: Keeps a row: its section's id, its label, and its image, which the next row
  ///     overwrites.
  /// - Throws: `damaged` where `take` throws, or what SQLite says.
  /// - Complexity: O(*n*) in the number of rows.
  func loadRows(
    table: UInt64, _ take: (UInt64, Int64, [UInt8]) throws(FoldFault) -> Void
  ) throws(StoreFault) {
    let connection = try reading().connection
    let columns = try RowWriter.columns(connection, table, .loading)
    let names = ["_id", "_section", "_order", "_revision"] + columns.map { "c\($0.id)" }
    let row = try connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(SQLView.rows(of: table))", .loading)
    let cells = columns.enumerated().map { index, column in
      CellReader(column: column.id, kind: column.kind, place: Int32(index) + 4)
    }
    var image: [UInt8] = []
    while try row.step(.loading) {
      image.removeAll(keepingCapacity: true)
      RowImage.appendHead(id: row.unsigned(0), revision: row.unsigned(3), to: &image)
      for cell in cells { cell.append(from: row, to: &image) }
      do throws(FoldFault) { try take(row.unsigned(1), row.integer(2), image) } catch {
        throw .damaged(.loading)
      }
    }
  }
}

/// Makes a cell of a row image from a column of a result.
private struct CellReader {
  let kind: ColumnKind
  let place: Int32
  /// The cell's column field, with which it begins.
  let column: [UInt8]
  let tag: UInt8

  init(column id: UInt64, kind: ColumnKind, place: Int32) {
    self.kind = kind
    self.place = place
    var column: [UInt8] = []
    column.appendField(1, varint: id)
    self.column = column
    let type: WireType = kind == .text ? .lengthDelimited : .varint
    tag = UInt8(kind.field) << 3 | type.rawValue
  }

  @inline(__always)
  func append(from row: Statement, to image: inout [UInt8]) {
    if row.isNull(place) { return }
    image.append(0x1a)
    guard kind == .text else {
      let number = row.integer(place)
      let raw = kind == .boolean ? UInt64(number != 0 ? 1 : 0) : Varint.zigzag(number)
      image.append(UInt8(column.count + 1 + Varint.size(raw)))
      image.append(contentsOf: column)
      image.append(tag)
      image.appendVarint(raw)
      return
    }
    row.withBytes(place) { text in
      let size = column.count + 1 + Varint.size(UInt64(text.count)) + text.count
      image.appendVarint(UInt64(size))
      image.append(contentsOf: column)
      image.append(tag)
      image.appendVarint(UInt64(text.count))
      image.append(copying: text, 0..<text.count)
    }
  }
}

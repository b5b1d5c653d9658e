/// The SQL that shows a table to people who read the store with other tools (SPEC 8, contract S5).
///
/// Nothing here rounds: a decimal is shown as text with all its places, as integer arithmetic
/// gives it; dates and times are text as RFC 3339 writes them; null stays null.
enum SQLView {
  /// The statement that makes a table's view.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - id: The table's id.
  ///   - columns: Its columns, in their order.
  /// - Returns: One statement.
  static func creation(name: String, id: UInt64, columns: [Column]) -> String {
    var fields = ["r._id AS _id", "r._section AS _section", "r._order AS _order"]
    for column in columns { fields.append("\(expression(of: column)) AS \(quoted(column.name))") }
    return """
      CREATE VIEW \(quoted(name)) AS SELECT \(fields.joined(separator: ", "))
      FROM \(rows(of: id)) AS r JOIN hpd_sections AS s ON s.id = r._section
      ORDER BY s.label, r._order
      """
  }

  /// The statement that takes a table's view away.
  ///
  /// - Parameter name: The table's name.
  /// - Returns: One statement.
  static func removal(name: String) -> String { "DROP VIEW IF EXISTS \(quoted(name))" }

  /// The name of the SQL table that holds a table's rows.
  ///
  /// - Parameter table: The table's id.
  /// - Returns: A name that needs no quotes.
  static func rows(of table: UInt64) -> String { "hpd_rows_\(table)" }

  /// A name as SQL writes it.
  ///
  /// - Parameter name: Any text without NUL.
  /// - Returns: The name in quotes.
  static func quoted(_ name: String) -> String {
    var result = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\"" { result.unicodeScalars.append(scalar) }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  private static func expression(of column: Column) -> String {
    var cell = "r.c\(column.id)"
    if let fill = column.fill { cell = "ifnull(\(cell), \(literal(fill)))" }
    switch column.kind {
    case .text, .integer, .boolean: return cell
    case .decimal: return decimal(cell, scale: column.scale)
    case .date: return "date(\(cell) * 86400, 'unixepoch')"
    case .timestamp: return timestamp(cell)
    }
  }

  /// Both parts lose their sign, which is put in front: 0 has none, and the least integer has no
  /// positive twin.
  private static func decimal(_ cell: String, scale: UInt32) -> String {
    guard scale > 0 else { return "CAST(\(cell) AS TEXT)" }
    let unit = (0..<scale).reduce(1) { power, _ in power * 10 }
    return "iif(\(cell) < 0, '-', '') || ltrim(\(cell) / \(unit), '-') || '.' || "
      + "printf('%0\(scale)d', abs(\(cell) % \(unit)))"
  }

  /// Microseconds are shown where there are any.
  private static func timestamp(_ cell: String) -> String {
    let rest = "((\(cell) % 1000000 + 1000000) % 1000000)"
    return "strftime('%Y-%m-%dT%H:%M:%S', (\(cell) - \(rest)) / 1000000, 'unixepoch') || "
      + "iif(\(rest) = 0, '', printf('.%06d', \(rest))) || 'Z'"
  }

  private static func literal(_ value: CellValue) -> String {
    switch value {
    case .text(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      return "'"
        + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    case .integer(let number), .decimal(let number), .date(let number), .timestamp(let number):
      return number == .min ? "(-9223372036854775807 - 1)" : "(\(number))"
    case .boolean(let flag): return flag ? "1" : "0"
    }
  }
}

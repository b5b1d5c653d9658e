internal import hpclient

/// A section as replies and events tell it.
struct SectionInfo {
  var id: UInt64
  var title: String?
  var index: UInt64
  var rows: UInt64
  var header: JSON?
  var footer: JSON?
  var sentinel: JSON?
}

/// A table's name, columns and sections.
struct TableInfo {
  var id: UInt64
  var name: String
  var schemaRevision: UInt64
  var lastChanged: UInt64
  var rows: UInt64
  var columns: [ColumnInfo]
  var sections: [SectionInfo]
}

extension TableInfo {
  /// Copies what the C library says of a table.
  init(_ table: hp_table_info) {
    // Safe: the lists belong to the reply or event, which is alive during the call.
    self.init(
      id: unsafe table.id, name: unsafe String(hp: table.name) ?? "",
      schemaRevision: unsafe table.schema_revision, lastChanged: unsafe table.last_changed,
      rows: unsafe table.rows,
      columns: unsafe UnsafeBufferPointer(start: table.columns, count: table.column_count)
        .compactMap { column in unsafe ColumnInfo(column) },
      sections: unsafe UnsafeBufferPointer(start: table.sections, count: table.section_count)
        .map { section in unsafe SectionInfo(section) })
  }
}

extension ColumnInfo {
  /// Copies a column; `nil` for a kind that this program does not know.
  init?(_ column: hp_column) {
    guard let kind = ColumnKind(rawValue: unsafe column.kind.rawValue) else { return nil }
    self.init(
      id: unsafe column.id, name: unsafe String(hp: column.name) ?? "", kind: kind,
      scale: Int(unsafe column.scale), currency: unsafe String(hp: column.currency),
      required: unsafe column.required, unique: unsafe column.unique,
      readOnly: unsafe column.read_only,
      // Safe: the cells belong to the reply or event, which is alive during the call.
      defaultValue: unsafe column.default_value.map { unsafe CellValue($0.pointee) },
      fill: unsafe column.fill.map { unsafe CellValue($0.pointee) },
      defaultsToNow: unsafe column.default_now)
  }
}

extension SectionInfo {
  /// Copies a section.
  init(_ section: hp_section) {
    self.init(
      id: unsafe section.id, title: unsafe String(hp: section.title),
      index: unsafe section.index, rows: unsafe section.rows,
      header: unsafe section.header.map { part in unsafe JSON.headerFooter(part.pointee) },
      footer: unsafe section.footer.map { part in unsafe JSON.headerFooter(part.pointee) },
      sentinel: unsafe section.sentinel.map { part in unsafe JSON.sentinel(part.pointee) })
  }
}

extension JSON {
  static func headerFooter(_ part: hp_header_footer) -> JSON {
    var fields: [(String, JSON)] = []
    if let title = unsafe String(hp: part.title) { fields.append(("title", .string(title))) }
    if let view = unsafe String(hp: part.view) { fields.append(("view", .string(view))) }
    if unsafe part.has_height { fields.append(("height", .points(unsafe part.height))) }
    if let owner = unsafe String(hp: part.owner) { fields.append(("owner", .string(owner))) }
    if let language = unsafe String(hp: part.language) {
      fields.append(("language", .string(language)))
    }
    return .object(fields)
  }

  fileprivate static func sentinel(_ sentinel: hp_sentinel) -> JSON {
    var fields: [(String, JSON)] = [("text", unsafe .string(String(hp: sentinel.text) ?? ""))]
    if unsafe sentinel.has_height { fields.append(("height", .points(unsafe sentinel.height))) }
    return .object(fields)
  }

  static func points(_ height: Double) -> JSON {
    Int64(exactly: height).map { .number($0) } ?? .real(height)
  }
}

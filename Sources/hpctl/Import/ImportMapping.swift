/// Which column of a table each column of a file goes to, by the header's names.
struct ImportMapping {
  /// Where a field goes.
  enum Target: Equatable {
    case column(ColumnInfo)
    /// The title of the row's section.
    case section
  }

  /// One for each field of the header; `nil` is dropped.
  private(set) var targets: [Target?] = []
  /// Names of the columns that are not read.
  private(set) var dropped: [String] = []
  /// Names of columns that only `--set-created` reads.
  private(set) var readOnly: [String] = []

  /// Names in exports of Homebox, all versions, by the column of an item they fill.
  private static let aliases: [(column: String, names: [String])] = [
    ("name", ["HB.name"]), ("serial", ["HB.serial_number"]), ("value", ["HB.purchase_price"]),
    ("created", ["HB.purchase_date", "HB.purchase_time"]),
  ]
  private static let sectionNames = ["_section", "HB.location"]

  /// Reads a header: the table's own names first, then those of exports.
  ///
  /// - Parameters:
  ///   - header: The file's first record.
  ///   - columns: The table's columns.
  ///   - setsReadOnly: Whether read-only columns are taken from the file (contract S6).
  /// - Throws: BAD_INPUT when nothing fits, or two fields go to the same column.
  init(header: CSVRecord, columns: [ColumnInfo], setsReadOnly: Bool) throws(Fault) {
    var sources: [String: String] = [:]
    for field in header.fields {
      let name = field ?? ""
      guard let target = Self.target(name, columns) else {
        targets.append(nil)
        if !name.isEmpty { dropped.append(name) }
        continue
      }
      var key = "_section"
      if case .column(let column) = target {
        key = column.name
        if column.readOnly && !setsReadOnly {
          targets.append(nil)
          readOnly.append(name)
          continue
        }
      }
      if let other = sources.updateValue(name, forKey: key) {
        var fault = Fault.badInput(
          "two columns of the file are the same: \"\(other)\" and \"\(name)\"",
          hint: "take one of them out")
        fault.line = header.line
        throw fault
      }
      targets.append(target)
    }
    guard targets.contains(where: { $0 != nil && $0 != .section }) else {
      var fault = Fault.badInput(
        "no column of the file has a name that the table knows",
        hint: "the table has " + columns.map(\.name).joined(separator: ", ")
          + "; the file's first record has to name its columns")
      fault.line = header.line
      throw fault
    }
  }

  private static func target(_ name: String, _ columns: [ColumnInfo]) -> Target? {
    if let column = columns.first(where: { $0.name == name }) { return .column(column) }
    if sectionNames.contains(name) { return .section }
    guard let alias = aliases.first(where: { $0.names.contains(name) }),
      let column = columns.first(where: { $0.name == alias.column })
    else { return nil }
    return .column(column)
  }
}

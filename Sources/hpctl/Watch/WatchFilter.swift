internal import hpclient

/// What `--filter` leaves of a watch (contract F1).
///
/// Names become ids once, so that a watch that connects again sees the same sections and columns
/// (contract K9).
struct WatchFilter {
  private var sections: [SectionName] = []
  private var columns: [String] = []
  private let rows: [UInt64]
  private let kinds: [hp_change_kind]
  private var sectionIDs: [UInt64] = []
  private var columnIDs: [UInt64] = []

  /// The kinds of change by their names.
  static let kindNames = ["insert", "delete", "move", "update", "section", "schema"]

  /// Reads every `--filter NAME=VALUE`.
  ///
  /// - Throws: A usage fault that names the one that can't be read.
  init(_ texts: [String]) throws(Fault) {
    var rows: [UInt64] = []
    var kinds: [hp_change_kind] = []
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty else {
        throw .usage(
          "--filter takes NAME=VALUE, not \"\(TerminalSafety.shown(text))\"", hint: Self.hint)
      }
      let value = String(parts[1])
      switch parts[0] {
      case "section": sections.append(try SectionName(text: value))
      case "column": columns.append(value)
      case "row":
        guard let row = Number.unsigned(value), row > 0, row < 1 << 53 else {
          throw .usage(
            "\"\(TerminalSafety.shown(value))\" is no row id", hint: "hpctl list shows them")
        }
        rows.append(row)
      case "kind": kinds.append(try Self.kind(value))
      default:
        throw .usage(
          "there is no filter by \"\(TerminalSafety.shown(String(parts[0])))\"",
          hint: Suggestion.nearest(to: String(parts[0]), in: ["section", "column", "row", "kind"])
            .map { "did you mean \($0)?" } ?? Self.hint)
      }
    }
    self.rows = rows
    self.kinds = kinds
  }

  private static let hint =
    "section=TITLE, section=id:N, column=NAME, row=ID, or kind=" + kindNames.joined(separator: "|")

  private static func kind(_ name: String) throws(Fault) -> hp_change_kind {
    switch name {
    case "insert": return HP_CHANGE_INSERT
    case "delete": return HP_CHANGE_DELETE
    case "move": return HP_CHANGE_MOVE
    case "update": return HP_CHANGE_UPDATE
    case "section": return HP_CHANGE_SECTION
    case "schema": return HP_CHANGE_SCHEMA
    default:
      throw .usage(
        "\"\(TerminalSafety.shown(name))\" is no kind of change",
        hint: Suggestion.nearest(to: name, in: kindNames).map { "did you mean \($0)?" }
          ?? "they are " + kindNames.joined(separator: ", "))
    }
  }

  /// Whether there is none.
  var isEmpty: Bool { !namesParts && !isNotice }

  /// Whether sections or columns are named, which are those of one table.
  var namesParts: Bool { !sections.isEmpty || !columns.isEmpty }

  /// Whether what is left can't be folded: there is no snapshot then.
  var isNotice: Bool { !rows.isEmpty || !kinds.isEmpty }

  /// Whether nothing but columns is named.
  var isColumnsAlone: Bool { sections.isEmpty && !isNotice }

  /// Finds sections and columns by their names.
  ///
  /// - Throws: NO_SUCH_SECTION, AMBIGUOUS or NO_SUCH_COLUMN.
  mutating func resolve(in table: TableInfo) throws(Fault) {
    sectionIDs = try sections.map { name throws(Fault) in try table.section(name).id }
    columnIDs = try columns.map { name throws(Fault) in try table.columns.named(name).id }
    follow(table.columns)
  }

  /// Takes the names that columns have now.
  mutating func follow(_ known: [ColumnInfo]) {
    for (index, id) in columnIDs.enumerated() {
      if let column = known.first(where: { $0.id == id }) { columns[index] = column.name }
    }
  }

  /// The columns that are left of a table's.
  func left(of all: [ColumnInfo]) -> [ColumnInfo] {
    columnIDs.isEmpty ? all : all.filter { columnIDs.contains($0.id) }
  }

  /// Hands `body` the options with the filter in them.
  func with<Result>(
    _ options: hp_subscribe_options, _ body: (inout hp_subscribe_options) -> Result
  ) -> Result {
    let text = CText()
    var options = unsafe options
    let names: [UnsafePointer<CChar>?] = unsafe columns.map { unsafe text($0) }
    // Safe: the lists and the names in `text` live until `body` returns, which keeps no pointer.
    let result = unsafe names.withUnsafeBufferPointer { names in
      unsafe sectionIDs.withUnsafeBufferPointer { sections in
        unsafe rows.withUnsafeBufferPointer { rows in
          unsafe kinds.withUnsafeBufferPointer { kinds in
            unsafe options.columns = names.baseAddress
            unsafe options.column_count = names.count
            unsafe options.sections = sections.baseAddress
            unsafe options.section_count = sections.count
            unsafe options.notice_rows = rows.baseAddress
            unsafe options.notice_row_count = rows.count
            unsafe options.notice_kinds = kinds.baseAddress
            unsafe options.notice_kind_count = kinds.count
            return unsafe body(&options)
          }
        }
      }
    }
    withExtendedLifetime(text) {}
    return result
  }
}

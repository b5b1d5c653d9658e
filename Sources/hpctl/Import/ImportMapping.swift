/// Which column of a table each column of a file goes to, by the header's names.
struct ImportMapping {
  /// Where a field goes.
  enum Target: Equatable {
    case column(ColumnInfo)
    /// The title of the row's section.
    case section
    /// Which of several sections with that title, counted from 0 in the table of the export.
    case sectionIndex
    /// The row's id.
    case id
    /// The revision that the row has to have, still.
    case revision
    /// The code of the currency that the amounts of the row are in.
    case currency
  }

  /// Names in hpctl's own exports.
  static let idName = "_id"
  static let sectionName = "_section"
  static let sectionIndexName = "_section_index"
  static let revisionName = "_revision"

  /// One for each field of the header; `nil` is dropped.
  private(set) var targets: [Target?] = []
  /// Names of the columns that are not read.
  private(set) var dropped: [String] = []
  /// Names of columns that only `--set-created` reads.
  private(set) var readOnly: [String] = []
  /// Whether the file is an export of hpctl, whose order of sections is meant.
  private(set) var isOwn: Bool

  /// Reads a header: what `--map` says first, then the table's own names, then those of exports.
  ///
  /// - Parameters:
  ///   - header: The names of the file's columns.
  ///   - line: The header's line.
  ///   - columns: The table's columns.
  ///   - setsReadOnly: Whether read-only columns are taken from the file (contract S6).
  ///   - map: Names of the file with the table's names for them; an empty one drops the column.
  /// - Throws: BAD_INPUT when nothing fits, or two fields go to the same column; usage or
  ///   NO_SUCH_COLUMN for a name in `map` that is not there.
  init(
    header: [String], line: Int?, columns: [ColumnInfo], setsReadOnly: Bool,
    map: [(file: String, column: String)] = []
  ) throws(Fault) {
    isOwn = header.contains(Self.sectionName)
    var mapped: [String: Target?] = [:]
    for (file, column) in map {
      guard header.contains(file) else {
        throw .usage(
          "--map: the file has no column \"\(TerminalSafety.shown(file))\"",
          hint: Suggestion.nearest(to: file, in: header).map { "did you mean \($0)?" }
            ?? "it has " + Context.listed(header))
      }
      mapped[file] = .some(column.isEmpty ? nil : try Self.named(column, columns))
    }
    let chosen = mapped.values.compactMap { $0 }
    var sources: [(target: Target, name: String)] = []
    for name in header {
      var target = Self.target(name, columns)
      if let target, chosen.contains(target), mapped[name] == nil {
        targets.append(nil)
        dropped.append(name)
        continue
      }
      if let explicit = mapped[name] { target = explicit }
      guard let target else {
        targets.append(nil)
        if !name.isEmpty { dropped.append(name) }
        continue
      }
      if case .column(let column) = target, column.readOnly && !setsReadOnly {
        targets.append(nil)
        readOnly.append(name)
        continue
      }
      if let other = sources.first(where: { $0.target == target }) {
        var fault = Fault.badInput(
          "two columns of the file are the same: \"\(TerminalSafety.shown(other.name))\" and "
            + "\"\(TerminalSafety.shown(name))\"",
          hint: "take one of them out, or say which with --map")
        fault.line = line
        throw fault
      }
      sources.append((target, name))
      targets.append(target)
    }
    guard sources.contains(where: { if case .column = $0.target { true } else { false } }) else {
      var fault = Fault.badInput(
        "no column of the file has a name that the table knows",
        hint: "the table has " + columns.map(\.name).joined(separator: ", ")
          + "; the file's first record has to name its columns, or --map does")
      fault.line = line
      throw fault
    }
  }

  /// Leaves ids and revisions of the file aside: all rows are new ones.
  mutating func ignoreIDs() {
    targets = targets.map { $0 == .id || $0 == .revision ? nil : $0 }
  }

  private static func named(_ name: String, _ columns: [ColumnInfo]) throws(Fault) -> Target {
    switch name {
    case sectionName: .section
    case idName: .id
    default: .column(try columns.named(name))
    }
  }

  private static func target(_ name: String, _ columns: [ColumnInfo]) -> Target? {
    if let column = columns.first(where: { $0.name == name }) { return .column(column) }
    switch name {
    case idName: return .id
    case sectionName: return .section
    case sectionIndexName: return .sectionIndex
    case revisionName: return .revision
    default: break
    }
    let plain = ImportAliases.plain(name)
    if let index = columns.place(named: plain) { return .column(columns[index]) }
    switch ImportAliases.meaning(plain) {
    case nil: return nil
    case ImportAliases.section: return .section
    case ImportAliases.currency: return .currency
    case let name?: return columns.place(named: name).map { .column(columns[$0]) }
    }
  }
}

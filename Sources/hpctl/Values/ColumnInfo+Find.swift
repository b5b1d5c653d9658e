extension [ColumnInfo] {
  /// The column of a name.
  ///
  /// - Throws: NO_SUCH_COLUMN with the names that there are.
  func named(_ name: String) throws(Fault) -> ColumnInfo {
    if let column = first(where: { $0.name == name }) { return column }
    let names = map(\.name)
    var fault = Fault.coded(
      .noSuchColumn, "there is no column \"\(TerminalSafety.shown(name))\"",
      hint: Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
        ?? "the columns are " + names.joined(separator: ", "))
    fault.value = name
    throw fault
  }
}

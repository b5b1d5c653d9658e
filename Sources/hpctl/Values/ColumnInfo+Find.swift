extension [ColumnInfo] {
  /// Where the column of a name stands: of the name as it is, else of one that differs in case.
  func place(named name: String) -> Int? {
    if let index = firstIndex(where: { $0.name == name }) { return index }
    let key = NameFolding.fold(name)
    return firstIndex { NameFolding.fold($0.name) == key }
  }

  /// The column of a name, whatever the case.
  ///
  /// - Throws: NO_SUCH_COLUMN with the names that there are.
  func named(_ name: String) throws(Fault) -> ColumnInfo {
    if let index = place(named: name) { return self[index] }
    let names = map(\.name)
    var fault = Fault.coded(
      .noSuchColumn, "there is no column \"\(TerminalSafety.shown(name))\"",
      hint: Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
        ?? "the columns are " + names.joined(separator: ", "))
    fault.value = name
    throw fault
  }
}

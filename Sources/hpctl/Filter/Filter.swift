/// What a filter's node does; the numbers are those of hp.v1.
enum FilterOperator: UInt32 {
  case equal = 1
  case notEqual
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
  case prefix
  case contains
  case oneOf
  case isNull
  case and
  case or
  case not
}

/// A filter in postfix order, as the daemon takes it (contract S7).
struct Filter: Equatable {
  struct Node: Equatable {
    var operation: FilterOperator
    var column: String?
    var values: [CellValue] = []
    /// Without case and with composed accents.
    var isFolded = false
  }

  var nodes: [Node] = []

  /// Whether it takes every row.
  var isEmpty: Bool { nodes.isEmpty }
}

/// A column to sort by.
struct SortKey: Equatable {
  var column: String
  var isDescending = false
  var isFolded = false
}

extension SortKey {
  /// Reads `COLUMN[:desc][:nocase]`.
  ///
  /// - Throws: NO_SUCH_COLUMN; usage for another suffix.
  init(text: String, columns: [ColumnInfo]) throws(Fault) {
    // A column's own name may hold colons.
    if let index = columns.place(named: text) {
      self.init(column: columns[index].name)
      return
    }
    var name = Substring(text)
    self.init(column: "")
    while let colon = name.lastIndex(of: ":") {
      switch name[name.index(after: colon)...] {
      case "desc": isDescending = true
      case "asc": break
      case "nocase": isFolded = true
      case let other:
        throw .usage(
          "\"\(TerminalSafety.shown(String(other)))\" is no way to sort",
          hint: "COLUMN, COLUMN:desc, COLUMN:nocase or COLUMN:desc:nocase")
      }
      name = name[..<colon]
    }
    column = try columns.named(String(name)).name
  }

  /// Reads a list with commas between.
  static func list(_ text: String, columns: [ColumnInfo]) throws(Fault) -> [SortKey] {
    var keys: [SortKey] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      keys.append(try SortKey(text: String(part), columns: columns))
    }
    return keys
  }
}

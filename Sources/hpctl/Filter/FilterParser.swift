/// Reads filters as people write them: `value >= 100 and (name ~ "bear" or serial is null)`.
///
/// Values are read by the kind of their column. `nocase` after a test of a text column folds
/// case and composed accents; `~` always does.
struct FilterParser {
  private static let maximumNodes = 256
  private static let maximumDepth = 64
  private static let reserved = ["and", "or", "not", "in", "is", "null", "nocase"]

  private let columns: [ColumnInfo]
  private var scanner: FilterScanner
  private var nodes: [Filter.Node] = []
  private var depth = 0

  /// Reads a whole filter.
  ///
  /// - Parameters:
  ///   - text: The filter; an empty one takes every row.
  ///   - columns: The table's columns.
  /// - Returns: The filter.
  /// - Throws: Usage with the character's place; NO_SUCH_COLUMN, BAD_VALUE.
  static func read(_ text: String, columns: [ColumnInfo]) throws(Fault) -> Filter {
    var parser = FilterParser(columns: columns, scanner: try FilterScanner(text))
    if parser.scanner.token == .end { return Filter() }
    try parser.readAny()
    guard parser.scanner.token == .end else {
      throw parser.scanner.fault(
        "and, or or the end is expected, not \(parser.scanner.shown)")
    }
    return Filter(nodes: parser.nodes)
  }

  private init(columns: [ColumnInfo], scanner: FilterScanner) {
    self.columns = columns
    self.scanner = scanner
  }

  private func isAt(_ word: String) -> Bool {
    if case .word(let found) = scanner.token { return found.lowercased() == word }
    return false
  }

  private mutating func add(_ node: Filter.Node) throws(Fault) {
    guard nodes.count < Self.maximumNodes else {
      throw scanner.fault("the filter has more than \(Self.maximumNodes) tests and words")
    }
    nodes.append(node)
  }

  private mutating func readAny() throws(Fault) {
    try readAll()
    while isAt("or") {
      try scanner.advance()
      try readAll()
      try add(Filter.Node(operation: .or))
    }
  }

  private mutating func readAll() throws(Fault) {
    try readOne()
    while isAt("and") {
      try scanner.advance()
      try readOne()
      try add(Filter.Node(operation: .and))
    }
  }

  private mutating func readOne() throws(Fault) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw scanner.fault("too many parentheses") }
    if isAt("not") {
      try scanner.advance()
      try readOne()
      return try add(Filter.Node(operation: .not))
    }
    guard scanner.token == .open else { return try readTest() }
    let open = scanner
    try scanner.advance()
    try readAny()
    guard scanner.token == .close else {
      if scanner.token == .end { throw open.fault("this parenthesis is not closed") }
      throw scanner.fault("and, or or ) is expected, not \(scanner.shown)")
    }
    try scanner.advance()
  }

  private mutating func readTest() throws(Fault) {
    let column = try readColumn()
    if isAt("is") { return try readNullTest(column) }
    let isTurned = isAt("not")
    if isTurned { try scanner.advance() }
    var node: Filter.Node
    if isAt("in") {
      node = try readList(column)
    } else if case .sign(let operation) = scanner.token, !isTurned {
      if operation == .prefix || operation == .contains, column.kind != .text {
        var fault = scanner.fault(
          "\(scanner.shown) is for text columns", hint: "\(column.name) holds \(column.kind)s")
        fault.column = column.name
        throw fault
      }
      try scanner.advance()
      node = Filter.Node(
        operation: operation, column: column.name, values: [try readValue(column)])
    } else {
      throw scanner.fault(
        isTurned
          ? "in is expected after not, not \(scanner.shown)"
          : "an operator is expected after \(column.name), not \(scanner.shown)",
        hint: "= != < <= > >= ^= (begins with) ~ (contains) in, is null, is not null")
    }
    if isAt("nocase") {
      guard column.kind == .text else { throw scanner.fault("nocase is for text columns") }
      node.isFolded = node.operation != .contains
      try scanner.advance()
    }
    try add(node)
    if isTurned { try add(Filter.Node(operation: .not)) }
  }

  private mutating func readNullTest(_ column: ColumnInfo) throws(Fault) {
    try scanner.advance()
    let isTurned = isAt("not")
    if isTurned { try scanner.advance() }
    guard isAt("null") else {
      throw scanner.fault("null is expected, not \(scanner.shown)")
    }
    try scanner.advance()
    try add(Filter.Node(operation: .isNull, column: column.name))
    if isTurned { try add(Filter.Node(operation: .not)) }
  }

  private mutating func readList(_ column: ColumnInfo) throws(Fault) -> Filter.Node {
    try scanner.advance()
    guard scanner.token == .open else {
      throw scanner.fault("( is expected after in, not \(scanner.shown)")
    }
    var values: [CellValue] = []
    repeat {
      try scanner.advance()
      values.append(try readValue(column))
    } while scanner.token == .comma
    guard scanner.token == .close else {
      throw scanner.fault(", or ) is expected, not \(scanner.shown)")
    }
    try scanner.advance()
    return Filter.Node(operation: .oneOf, column: column.name, values: values)
  }

  private mutating func readColumn() throws(Fault) -> ColumnInfo {
    let name: String
    switch scanner.token {
    case .word(let word) where !Self.reserved.contains(word.lowercased()): name = word
    case .quoted(let text): name = text
    default: throw scanner.fault("a column is expected, not \(scanner.shown)")
    }
    let column: ColumnInfo
    do throws(Fault) {
      column = try columns.named(name)
    } catch {
      throw placed(error)
    }
    try scanner.advance()
    return column
  }

  private mutating func readValue(_ column: ColumnInfo) throws(Fault) -> CellValue {
    let text: String
    switch scanner.token {
    case .word(let word):
      guard !Self.reserved.contains(word.lowercased()) else {
        throw scanner.fault(
          "a value is expected, not \(word)",
          hint: word.lowercased() == "null"
            ? "write \(column.name) is null"
            : column.kind == .text ? "in quotes it is a text" : nil)
      }
      text = word
    case .quoted(let quoted): text = quoted
    default: throw scanner.fault("a value is expected, not \(scanner.shown)")
    }
    let value: CellValue
    do throws(Fault) {
      value = try CellValue(text: text, column: column)
    } catch {
      throw placed(error)
    }
    guard value != .null else {
      throw scanner.fault(
        "an empty value is null, which equals nothing", hint: "write \(column.name) is null")
    }
    try scanner.advance()
    return value
  }

  private func placed(_ fault: Fault) -> Fault {
    var fault = fault
    fault.message = "the filter, character \(scanner.place + 1): " + fault.message
    fault.offset = scanner.place
    return fault
  }
}

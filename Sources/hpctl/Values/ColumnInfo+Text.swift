/// Columns that are to be made: their ids stay 0.
extension ColumnInfo {
  /// Makes an optional column.
  ///
  /// Decimals have two places where nothing is said.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - kind: The name of its kind.
  /// - Throws: Usage with the kinds that there are.
  init(_ name: String, kind: String) throws(Fault) {
    guard let known = ColumnKind.allCases.first(where: { "\($0)" == kind }) else {
      let kinds = ColumnKind.allCases.map { "\($0)" }
      throw .usage(
        "\"\(TerminalSafety.shown(kind))\" is no kind of column",
        hint: Suggestion.nearest(to: kind, in: kinds).map { "did you mean \($0)?" }
          ?? "the kinds are " + kinds.joined(separator: ", "))
    }
    self.init(id: 0, name: name, kind: known, scale: known == .decimal ? 2 : 0)
  }

  /// Reads `COLUMN:KIND[,OPTION…]`; the options are required, unique, read-only, scale=N,
  /// currency=C and default=VALUE.
  ///
  /// - Throws: Usage or BAD_VALUE with what is wrong.
  init(text: String) throws(Fault) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let colon = parts[0].lastIndex(of: ":"), colon != parts[0].startIndex else {
      throw .usage(
        "\"\(TerminalSafety.shown(text))\" is no COLUMN:KIND",
        hint: "for example name:text,required or price:decimal,currency=EUR")
    }
    try self.init(
      String(parts[0][..<colon]), kind: String(parts[0][parts[0].index(after: colon)...]))
    var presets: [String] = []
    for option in parts.dropFirst() {
      let halves = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      switch (halves[0], halves.count) {
      case ("required", 1): required = true
      case ("unique", 1): unique = true
      case ("read-only", 1): readOnly = true
      case ("scale", 2): try setScale(halves[1])
      case ("currency", 2): currency = halves[1]
      case ("default", 2): presets.append(halves[1])
      default:
        throw .usage(
          "a column takes no \"\(TerminalSafety.shown(option))\"",
          hint: "required, unique, read-only, scale=N, currency=C, default=VALUE")
      }
    }
    try checkUnique()
    // Read last: how an amount is read depends on scale and currency.
    if let preset = presets.last { try setDefault(preset) }
  }

  /// Sets the number of places of a decimal.
  mutating func setScale(_ text: String) throws(Fault) {
    guard let scale = Number.unsigned(text), scale <= 9 else {
      throw .usage("a scale is 0 to 9, not \"\(TerminalSafety.shown(text))\"")
    }
    self.scale = Int(scale)
  }

  /// Refuses a unique column of a kind that makes no keys.
  ///
  /// - Throws: WRONG_KIND with the column.
  func checkUnique() throws(Fault) {
    guard unique, kind == .boolean || kind == .timestamp else { return }
    var fault = Fault.coded(.wrongKind, "a column of kind \(kind) can't be unique")
    fault.column = name
    fault.expected = "text, integer, decimal or date"
    throw fault
  }

  /// Sets the default; `now` is the time of the insert.
  mutating func setDefault(_ text: String) throws(Fault) {
    if text == "now", kind == .date || kind == .timestamp {
      defaultsToNow = true
    } else {
      defaultValue = try CellValue(text: text, column: self)
    }
  }
}

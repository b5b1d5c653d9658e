/// A list on its way out: one array in JSON, one value a line in ndjson.
struct JSONList {
  private let output: Output
  private let format: Format
  private var count = 0

  init(_ output: Output, format: Format) {
    self.output = output
    self.format = format
  }

  mutating func add(_ value: JSON) {
    if format == .json {
      output.write(count == 0 ? "[" : ",\n")
      output.write(value.text)
    } else {
      output.line(value)
    }
    count += 1
  }

  /// Ends the list; an empty one is `[]`.
  func finish() {
    if format == .json { output.write(count == 0 ? "[]\n" : "]\n") }
  }
}

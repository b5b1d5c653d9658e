/// How results are written to stdout.
enum Format: String, CaseIterable {
  /// Aligned columns for a person.
  case table
  /// One row a line, tabs between fields: the form off a terminal.
  case plain
  case json
  /// One JSON value a line.
  case ndjson
  case csv
  case tsv
  /// Rows only: a line made from `--format-string`.
  case template

  /// Whether errors are JSON objects, too.
  var isJSON: Bool { self == .json || self == .ndjson }
}

/// The first text of rows, which people know them by; of so many rows that memory stays small.
struct RowLabels {
  private static let limit = 100_000

  private var labels: [UInt64: String] = [:]

  subscript(id: UInt64) -> String? { labels[id] }

  mutating func learn(_ row: Row, _ columns: [ColumnInfo]) {
    guard labels[row.id] != nil || labels.count < Self.limit else { return }
    labels[row.id] = Self.label(row, columns)
  }

  mutating func forget(_ id: UInt64) { labels[id] = nil }

  /// The value of the first text column; `nil` when it has none.
  static func label(_ row: Row, _ columns: [ColumnInfo]) -> String? {
    guard let index = columns.firstIndex(where: { $0.kind == .text }),
      case .text(let text) = row.cells[index]
    else { return nil }
    return text
  }
}

/// Rows as a feed last told them, of so many rows that memory stays small: for lines about rows
/// that an event does not carry, and for what a cell held before.
struct KnownRows {
  private static let limit = 50_000

  private var rows: [UInt64: Row] = [:]

  subscript(id: UInt64) -> Row? { rows[id] }

  mutating func learn(_ row: Row) {
    guard rows[row.id] != nil || rows.count < Self.limit else { return }
    rows[row.id] = row
  }

  mutating func forget(_ id: UInt64) { rows[id] = nil }

  mutating func forgetAll() { rows = [:] }
}

internal import TableService
internal import Wire

/// A read that looks at many rows: it goes through them in slices, on a view of the table where
/// one turn is not enough (contracts F4, F10).
final class Query {
  /// What it was asked for.
  enum Goal {
    case count
    case sum(String)
    case rows(sort: [SortKey], limit: Int?, skip: Int)
  }

  /// Of one slice, in microseconds.
  static let slice: Int64 = 5_000
  /// Rows of about so many bytes stand in one page.
  static let pageSize = 1 << 20

  /// The request that is being answered.
  var request: UInt64 = 0
  let table: UInt64
  let goal: Goal
  let filter: RowFilter?
  let section: NamedSection
  /// The view that is read; `nil`: the table as it is.
  var view: SharedView?
  /// The view costs too much: the read is given up.
  var isExpired = false

  var scan: RowScan
  private(set) var isScanned = false
  private(set) var count = 0
  private(set) var total: ColumnTotal?
  private(set) var page = RowPageEncoder()
  /// Rows given so far, those of the page in hand included.
  private(set) var given = 0
  private var skipped = 0
  private var sorter: RowSorter?
  private var isMerging = false

  init(
    _ table: UInt64, _ goal: Goal, _ filter: RowFilter?, _ section: NamedSection, on schema: Schema,
    only: Int?
  ) throws(TableFault) {
    self.table = table
    self.goal = goal
    self.filter = filter
    self.section = section
    scan = RowScan(try filter?.compiled(for: schema), only: only)
    switch goal {
    case .count: break
    case .sum(let column): total = try ColumnTotal(of: column, in: schema)
    case .rows(let sort, let limit, let skip):
      if !sort.isEmpty {
        sorter = try RowSorter(sort, in: schema, limit: limit.map { $0 + skip })
      }
    }
  }

  /// Whether the page in hand is as full as it may be.
  var isPageFull: Bool { page.size >= Query.pageSize }

  /// Does one slice.
  ///
  /// - Returns: Whether there is something to answer: the end, or a full page.
  /// - Throws: `tooManyRows` where a sort takes too much memory.
  func run(_ source: some RowSource, until isSpent: () -> Bool) throws(TableFault) -> Bool {
    if !isScanned {
      var isTooMuch = false
      isScanned = scan.run(source, until: isSpent) { image, section, row in
        switch goal {
        case .count: count += 1
        case .sum: total?.add(image)
        case .rows(_, let limit, let skip):
          if let sorter {
            isTooMuch = !sorter.add(image, section: section, row: row)
            return !isTooMuch
          }
          if skipped < skip {
            skipped += 1
            return true
          }
          if isPageFull || given == limit { return nil }
          add(image, source, section, row)
          return given != limit
        }
        return true
      }
      if isTooMuch {
        throw TableFault(
          .tooManyRows, value: "\(RowSorter.maximumBytes >> 20) MiB of keys",
          expected: "fewer rows to sort: a narrower filter, or a limit up to 4,096")
      }
      if case .rows(_, let limit?, _) = goal, sorter == nil, given == limit { isScanned = true }
      guard isScanned else { return isPageFull }
    }
    guard let sorter, case .rows(_, let limit, let skip) = goal else { return true }
    if !isMerging {
      sorter.finish()
      isMerging = true
    }
    var steps = 0
    while let next = sorter.first, given != limit {
      if isPageFull { return true }
      steps += 1
      if steps & 255 == 0, isSpent() { return false }
      if skipped < skip {
        skipped += 1
      } else {
        source.withRow(section: next.section, at: next.row) {
          add($0, source, next.section, next.row)
        }
      }
      sorter.removeFirst()
    }
    return true
  }

  /// Whether rows are left after the page in hand.
  var hasMore: Bool {
    guard case .rows(_, let limit, _) = goal, given != limit else { return false }
    return isScanned ? sorter?.first != nil : true
  }

  private func add(_ image: Span<UInt8>, _ source: some RowSource, _ section: Int, _ row: Int) {
    page.add(
      image, path: IndexPath(section: section, row: row),
      section: source.section(at: section).record.id)
    given += 1
  }

  /// Appends the page in hand as a reply and empties it.
  func finishPage(
    id: UInt64, cursor: Cursor, lastChanged: UInt64, snapshot: UInt64?, schema: UInt64,
    into out: inout [UInt8]
  ) {
    page.finish(
      id: id, cursor: cursor, next: snapshot == nil ? nil : given, lastChanged: lastChanged,
      snapshot: snapshot, schemaRevision: schema, into: &out)
  }
}

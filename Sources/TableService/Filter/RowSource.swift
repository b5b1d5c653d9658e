/// What can be scanned: a table as it is, or a view of it.
public protocol RowSource: AnyObject {
  /// The columns.
  var schema: Schema { get }
  /// The number of sections.
  var sectionCount: Int { get }
  /// A section and its number of rows.
  func section(at index: Int) -> SectionInfo
  /// Calls `body` with the images of a section's rows in order; `false` stops.
  func scan(section index: Int, from row: Int, _ body: (Span<UInt8>) -> Bool)
  /// Lends the image of one row that is there.
  func withRow(section index: Int, at row: Int, _ body: (Span<UInt8>) -> Void)
}

extension Table: RowSource {
  /// Calls `body` with the images of a section's rows in order.
  ///
  /// - Parameters:
  ///   - index: The section's index, below `sectionCount`.
  ///   - row: The first row, at most the section's number of rows.
  ///   - body: Takes each image; `false` stops. It must not change the table.
  public func scan(section index: Int, from row: Int, _ body: (Span<UInt8>) -> Bool) {
    forEachRow(inSection: index, from: row, body)
  }

  /// Lends the image of one row.
  ///
  /// - Parameters:
  ///   - index: The section's index, below `sectionCount`.
  ///   - row: The row, below the section's number of rows.
  ///   - body: Takes the image. It must not change the table.
  /// - Complexity: O(log *n*).
  public func withRow(section index: Int, at row: Int, _ body: (Span<UInt8>) -> Void) {
    if let past { return past.withRow(section: index, at: row, body) }
    let slot = sectionOrder.element(sectionRoot, at: index)
    withShown(order.element(sections[Int(slot)].root, at: row), body)
  }
}

extension TableView: RowSource {
  /// The number of sections then.
  public var sectionCount: Int { sections.count }

  /// A section as it was.
  ///
  /// - Parameter index: Its index then.
  /// - Returns: The section.
  public func section(at index: Int) -> SectionInfo { sections[index] }

  /// Calls `body` with the images of a section's rows as they were, in order.
  ///
  /// - Parameters:
  ///   - index: The section's place in `sections`.
  ///   - row: The first row, at most the section's number of rows.
  ///   - body: Takes each image; `false` stops. It must not change the table.
  public func scan(section index: Int, from row: Int, _ body: (Span<UInt8>) -> Bool) {
    _ = forEachRow(inSection: index, from: row, body)
  }
}

/// A pass over a table's rows, or a section's, that can be done in slices.
public struct RowScan {
  /// So many bytes' work, about, between two looks at the clock.
  private static let stride = 64 << 10
  private static let workPerRow = 64

  /// The section of the next row.
  public private(set) var section: Int
  /// The next row in its section.
  public private(set) var row = 0

  private let end: Int?
  private let filter: CompiledFilter?

  /// Begins before the first row.
  ///
  /// - Parameters:
  ///   - filter: What takes rows; `nil` takes all.
  ///   - only: The index of the one section to scan; `nil`: the whole table.
  public init(_ filter: CompiledFilter?, only: Int? = nil) {
    self.filter = filter
    section = only ?? 0
    end = only.map { $0 + 1 }
  }

  /// Goes on with the scan.
  ///
  /// - Parameters:
  ///   - source: The same rows each time.
  ///   - isSpent: Asked now and then; true pauses.
  ///   - body: Takes each row that matches with its section and row; `false` pauses before
  ///     the next one, `nil` before this one.
  /// - Returns: Whether the scan is at its end.
  public mutating func run(
    _ source: some RowSource, until isSpent: () -> Bool,
    _ body: (Span<UInt8>, Int, Int) -> Bool?
  ) -> Bool {
    let end = end ?? source.sectionCount
    var work = 0
    var isPaused = false
    while section < end {
      let count = source.section(at: section).rows
      if row < count {
        let (section, filter) = (section, filter)
        var row = row
        source.scan(section: section, from: row) { image in
          if work >= RowScan.stride {
            work = 0
            if isSpent() {
              isPaused = true
              return false
            }
          }
          work += RowScan.workPerRow + (filter?.work(image.count) ?? 0)
          if filter?.matches(image) ?? true {
            switch body(image, section, row) {
            case true?: break
            case false?:
              row += 1
              isPaused = true
              return false
            case nil:
              isPaused = true
              return false
            }
          }
          row += 1
          return true
        }
        self.row = row
      }
      if isPaused { return false }
      section += 1
      row = 0
    }
    return true
  }
}

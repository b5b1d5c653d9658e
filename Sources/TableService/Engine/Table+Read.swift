/// A section as readers see it.
public struct SectionInfo: Equatable, Sendable {
  /// Its id, title, header, footer and sentinel.
  public var record: SectionRecord
  /// Its index.
  public var index: Int
  /// Its number of rows.
  public var rows: Int
}

/// Reading a table between batches (SPEC 4).
extension Table {
  /// The number of rows.
  public var rowCount: Int {
    if let past { return past.rowCount }
    if stage == .none { return rows.count }
    return (0..<sectionCount).reduce(0) { $0 + section(at: $1).rows }
  }

  /// The number of sections.
  public var sectionCount: Int { past?.sectionCount ?? sectionOrder.count(sectionRoot) }

  /// Memory held, in bytes: rows and their order.
  public var memory: Int { rows.bytes + order.bytes + sectionOrder.bytes }

  /// A section by index.
  ///
  /// - Parameter index: Below `sectionCount`.
  /// - Returns: The section.
  /// - Complexity: O(log *s*) in the number of sections.
  public func section(at index: Int) -> SectionInfo {
    if let past { return past.section(at: index) }
    let slot = sectionOrder.element(sectionRoot, at: index)
    let section = sections[Int(slot)]
    return SectionInfo(record: section.record, index: index, rows: order.count(section.root))
  }

  /// Finds a section by id.
  ///
  /// - Parameter id: The id.
  /// - Returns: Its index, or `nil`.
  public func sectionIndex(of id: UInt64) -> Int? {
    if let past { return past.sections.firstIndex { $0.record.id == id } }
    return sectionSlots[id].map { sectionOrder.position(of: $0).index }
  }

  /// Finds the one section with a title.
  ///
  /// - Parameter title: The title's bytes.
  /// - Returns: Its index.
  /// - Throws: `noSuchSection`; `ambiguous` where several have it.
  public func sectionIndex(titled title: [UInt8]) throws(TableFault) -> Int {
    if let past { return try past.sectionIndex(titled: title) }
    return sectionOrder.position(of: try section(titled: title)).index
  }

  /// Appends a row's image.
  ///
  /// - Parameters:
  ///   - id: The row's id.
  ///   - bytes: Where the image goes.
  /// - Returns: False where there is no such row.
  /// - Complexity: O(1) and the size of the image.
  public func appendRow(_ id: UInt64, to bytes: inout [UInt8]) -> Bool {
    guard let slot = readable(id) else { return false }
    withReadable(slot) { bytes.append(copying: $0, 0..<$0.count) }
    return true
  }

  /// A row's image.
  ///
  /// - Parameter id: The row's id.
  /// - Returns: The image, or `nil`.
  public func row(_ id: UInt64) -> [UInt8]? {
    var image: [UInt8] = []
    return appendRow(id, to: &image) ? image : nil
  }

  /// Where a row stands.
  ///
  /// - Parameter id: The row's id.
  /// - Returns: Its path and its section's id, or `nil`.
  /// - Complexity: O(log *n*).
  public func path(of id: UInt64) -> (path: RowPath, section: UInt64)? {
    readable(id).map(readablePlace)
  }

  /// The flat position of a path: the number of rows before it in the whole table.
  ///
  /// - Parameter path: A path in the table.
  /// - Returns: The number of rows before it.
  /// - Complexity: O(*s*) in the number of sections.
  public func position(of path: RowPath) -> Int {
    var sum = Int(path.row)
    for index in 0..<Int(path.section) { sum += section(at: index).rows }
    return sum
  }

  /// The row at a path.
  ///
  /// - Parameter path: Any path.
  /// - Returns: The row's id, or `nil` where there is none.
  /// - Complexity: O(log *n*).
  public func rowID(at path: RowPath) -> UInt64? {
    if let past { return past.rowID(at: path) }
    guard path.section < UInt64(sectionCount) else { return nil }
    let section = sectionOrder.element(sectionRoot, at: Int(path.section))
    let root = sections[Int(section)].root
    guard path.row < UInt64(order.count(root)) else { return nil }
    return rows.id(order.element(root, at: Int(path.row)))
  }

  /// Calls `body` with the images of a section's rows, in order.
  ///
  /// - Parameters:
  ///   - index: The section's index, below `sectionCount`.
  ///   - first: The first row, at most the section's number of rows.
  ///   - body: Takes each image; `false` stops. It must not change the table.
  /// - Complexity: O(log *n*) and O(1) for each row.
  public func forEachRow(
    inSection index: Int, from first: Int = 0, _ body: (Span<UInt8>) -> Bool
  ) {
    if let past {
      _ = past.forEachRow(inSection: index, from: first, body)
      return
    }
    let slot = sectionOrder.element(sectionRoot, at: index)
    order.forEach(sections[Int(slot)].root, from: first) { row in withShown(row, body) }
  }

  /// Checks the table's inner rules; traps where one is broken.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkInvariants() {
    order.checkInvariants()
    sectionOrder.checkInvariants()
    var sum = 0
    for index in 0..<sectionCount {
      let slot = sectionOrder.element(sectionRoot, at: index)
      let section = sections[Int(slot)]
      precondition(sectionSlots[section.record.id] == slot, "section id")
      precondition(order.owner(of: section.root) == slot, "root's owner")
      if let title = section.record.title {
        precondition(titles[title]?.contains(slot) == true, "title")
      }
      order.forEach(section.root, from: 0) { row in
        precondition(self.rows.slot(of: self.rows.id(row)) == row, "row id")
        sum += 1
        return true
      }
    }
    precondition(sum == rows.count, "rows in the order and in the store")
    checkKeys()
    precondition(sectionSlots.count == sectionCount, "ids of sections")
    precondition(titles.values.reduce(0) { $0 + $1.count } <= sectionCount, "titles")
    precondition(sections.count == sectionCount + freeSections.count, "section slots")
  }
}

extension Table {
  /// Lends a row's image and says where the row stands.
  ///
  /// - Parameters:
  ///   - id: The row's id.
  ///   - body: Takes image, path and section's id; it must not change the table.
  /// - Returns: False where there is no such row.
  /// - Complexity: O(log *n*).
  public func withRow(
    _ id: UInt64, _ body: (_ image: Span<UInt8>, _ path: RowPath, _ section: UInt64) -> Void
  ) -> Bool {
    guard let slot = readable(id) else { return false }
    let place = readablePlace(of: slot)
    withReadable(slot) { body($0, place.path, place.section) }
    return true
  }
}

/// A table as it was at one revision, to be read in slices while it changes (contract F4).
///
/// Opened, read and closed between batches; it must be closed, since what it needs is kept
/// for it until then.
public final class TableView {
  /// The table's id.
  public let table: UInt64
  /// The table's name then.
  public let name: String
  /// The columns then.
  public let schema: Schema
  /// The revision that the view shows.
  public let revision: UInt64
  /// The last revision that had changed the table.
  public let lastChanged: UInt64
  /// The sections then, in order.
  public let sections: [SectionInfo]
  /// The table's header then, as hp.v1.HeaderFooter.
  public let header: [UInt8]?
  /// The table's footer then, as hp.v1.HeaderFooter.
  public let footer: [UInt8]?
  /// The table's policy then, as hp.v1.Policy.
  public let policy: [UInt8]?
  private let rowPolicies: [UInt64: [UInt8]]

  private let source: Table
  private let order: OrderSnapshot
  private let rows: RowSnapshot
  private var slots: [UInt32] = []
  private var shown: [UInt8] = []
  /// Who reads it, besides the one who opened it.
  fileprivate var otherReaders = 0

  init(_ source: Table, revision: UInt64) {
    self.source = source
    self.revision = revision
    table = source.id
    name = source.name
    schema = source.schema
    lastChanged = source.lastChanged
    header = source.header
    footer = source.footer
    policy = source.policy
    rowPolicies = source.rowPolicies
    sections = (0..<source.sectionCount).map { source.section(at: $0) }
    let roots = (0..<source.sectionCount).map { index in
      source.sections[Int(source.sectionOrder.element(source.sectionRoot, at: index))].root
    }
    order = source.order.openSnapshot(roots)
    rows = source.rows.openSnapshot(revision: revision)
  }

  /// Finds the one section with a title.
  ///
  /// - Parameter title: The title's bytes.
  /// - Returns: Its index.
  /// - Throws: `noSuchSection`; `ambiguous` where several have it.
  func sectionIndex(titled title: [UInt8]) throws(TableFault) -> Int {
    let text = CellValue.text(title).described
    guard let first = sections.firstIndex(where: { $0.record.title == title }) else {
      throw TableFault(.noSuchSection, value: text)
    }
    let ids = sections.filter { $0.record.title == title }.map(\.record.id)
    guard ids.count == 1 else {
      let list = ids.sorted().prefix(8).map { "id:\($0)" }.joined(separator: ", ")
      throw TableFault(.ambiguous, value: text, expected: "one of \(list)")
    }
    return first
  }

  /// The row at a path; `nil` where there is none.
  func rowID(at path: RowPath) -> UInt64? {
    guard path.section < UInt64(sections.count),
      path.row < UInt64(sections[Int(path.section)].rows)
    else { return nil }
    var id: UInt64 = 0
    withRow(section: Int(path.section), at: Int(path.row)) { id = RowImage.id(of: $0) }
    return id
  }

  /// The number of rows.
  public var rowCount: Int { sections.reduce(0) { $0 + $1.rows } }

  /// Appends hp.v1.Table without sections and rows.
  ///
  /// - Parameters:
  ///   - bytes: Where its fields go.
  ///   - columns: The columns that are wanted; `nil`: all.
  public func appendTable(to bytes: inout [UInt8], columns: Set<UInt64>? = nil) {
    Table.appendTable(
      id: table, name: name, schema: schema, lastChanged: lastChanged, header: header,
      footer: footer, policy: policy, columns: columns, to: &bytes)
  }

  /// The policy that a row had itself, as hp.v1.RowPolicy.
  ///
  /// - Parameter image: The row's image.
  /// - Returns: The message; `nil` where it had none.
  public func policy(of image: Span<UInt8>) -> [UInt8]? {
    if rowPolicies.isEmpty { return nil }
    let id = RowImage.id(of: image)
    guard let policy = rowPolicies[id] else { return nil }
    var bytes: [UInt8] = []
    Table.append(policy: policy, ofRow: id, to: &bytes)
    return bytes
  }

  /// Memory held for the view alone, in bytes.
  public var heldBytes: Int { order.heldBytes + rows.heldBytes }

  /// Calls `body` with the images of a section's rows as they were, in order.
  ///
  /// - Parameters:
  ///   - index: The section's place in `sections`.
  ///   - first: The first row, at most the section's number of rows.
  ///   - body: Takes each image; `false` stops, the row being taken. It must not change the
  ///     table.
  /// - Returns: The row after the last one that was taken.
  /// - Complexity: O(log *n*) and O(1) for each row.
  public func forEachRow(
    inSection index: Int, from first: Int, _ body: (Span<UInt8>) -> Bool
  ) -> Int {
    var next = first
    while next < sections[index].rows {
      let end = min(next + 256, sections[index].rows)
      slots.removeAll(keepingCapacity: true)
      source.order.appendElements(of: order, index, next..<end, to: &slots)
      for slot in slots {
        next += 1
        if !show(slot, body) { return next }
      }
    }
    return next
  }

  /// Shows a row as its columns were then (contract E14).
  private func show(_ slot: UInt32, _ body: (Span<UInt8>) -> Bool) -> Bool {
    guard schema.reshapes else { return source.rows.withImage(of: rows, slot, body) }
    var image = shown
    shown = []
    image.removeAll(keepingCapacity: true)
    source.rows.withImage(of: rows, slot) { RowImage.appendShown($0, by: schema, to: &image) }
    defer { shown = image }
    return body(image.span)
  }

  /// Lends the image that one row had.
  ///
  /// - Parameters:
  ///   - index: The section's place in `sections`.
  ///   - row: The row, below the section's number of rows.
  ///   - body: Takes the image. It must not change the table.
  /// - Complexity: O(log *n*).
  public func withRow(section index: Int, at row: Int, _ body: (Span<UInt8>) -> Void) {
    slots.removeAll(keepingCapacity: true)
    source.order.appendElements(of: order, index, row..<row + 1, to: &slots)
    _ = show(slots[0]) { image in
      body(image)
      return true
    }
  }

  /// Frees what was kept for the view; it must not be read afterwards.
  public func close() {
    if otherReaders > 0 {
      otherReaders -= 1
      return
    }
    guard !source.order.isOpen else {
      source.closing.append(self)
      return
    }
    source.order.close(order)
    source.rows.close(rows)
  }
}

extension Table {
  /// Opens a view of the table as it is now.
  ///
  /// - Parameter revision: The store's newest revision.
  /// - Returns: The view, to be closed.
  /// - Complexity: O(*n* / 60) in the number of rows.
  public func openView(revision: UInt64) -> TableView {
    guard let past else { return TableView(self, revision: revision) }
    past.otherReaders += 1
    return past
  }
}

@available(*, unavailable)
extension TableView: Sendable {}

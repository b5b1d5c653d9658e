/// Fills an empty table from disk.
///
/// Sections and rows may come in any order; their labels say how they stand.
public struct TableLoader {
  private let table: Table
  private var labelled: [(label: Int64, slot: UInt32)] = []
  private var rows: [[(label: Int64, slot: UInt32)]] = []

  /// Begins to fill a table.
  ///
  /// - Parameter table: A table without sections and rows.
  public init(_ table: Table) {
    precondition(table.sections.isEmpty && table.rows.count == 0, "table is not empty")
    self.table = table
  }

  /// Adds a section.
  ///
  /// - Parameters:
  ///   - record: The section.
  ///   - label: Its place among the sections.
  /// - Throws: `duplicate` where its id is there already.
  public mutating func add(_ record: SectionRecord, label: Int64) throws(FoldFault) {
    guard table.sectionSlots[record.id] == nil else { throw .duplicate }
    let slot = UInt32(table.sections.count)
    let root = table.order.makeRoot(owner: slot)
    table.sections.append(Table.SectionSlot(record: record, root: root))
    table.sectionSlots[record.id] = slot
    if let title = record.title { table.titles[title, default: []].insert(slot) }
    labelled.append((label, slot))
    rows.append([])
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - image: Its image.
  ///   - section: The id of a section that was added.
  ///   - label: Its place in the section.
  /// - Throws: `missing` without the section.
  public mutating func addRow(
    _ image: [UInt8], section: UInt64, label: Int64
  ) throws(FoldFault) {
    guard let home = table.sectionSlots[section] else { throw .missing }
    rows[Int(home)].append((label, table.rows.load(image)))
  }

  /// Puts everything into order.
  ///
  /// The loader must not be used afterwards.
  ///
  /// - Throws: `duplicate` where two rows have the same id, or two the same place.
  /// - Complexity: O(*n* log *n*); O(*n*) where they came in order.
  public mutating func finish() throws(FoldFault) {
    guard table.rows.indexLoaded() else { throw .duplicate }
    try Self.load(&labelled, table.sectionOrder, table.sectionRoot)
    for slot in rows.indices where !rows[slot].isEmpty {
      try Self.load(&rows[slot], table.order, table.sections[slot].root)
    }
  }

  private static func load(
    _ entries: inout [(label: Int64, slot: UInt32)], _ order: OrderIndex, _ root: UInt32
  ) throws(FoldFault) {
    var isRising = true
    for index in entries.indices.dropFirst()
    where entries[index - 1].label >= entries[index].label {
      isRising = false
      break
    }
    if !isRising {
      entries.sort { $0.label < $1.label }
      for index in entries.indices.dropFirst()
      where entries[index - 1].label == entries[index].label { throw .duplicate }
    }
    order.load(entries.map(\.slot), labels: entries.map(\.label), into: root)
    entries = []
  }
}

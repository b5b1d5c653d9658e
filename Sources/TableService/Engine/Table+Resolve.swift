/// Finding what a batch names, as the table is at that operation.
extension Table {
  /// A place for a row: a section and an index in it.
  struct Spot {
    var section: UInt32
    var index: Int
  }

  /// Finds a row by id.
  ///
  /// - Parameter id: The id.
  /// - Returns: The row's slot, or `nil` where no such row stands in the table now.
  func slot(of id: UInt64) -> UInt32? {
    guard let slot = rows.slot(of: id), order.isLive(slot) else { return nil }
    return slot
  }

  /// Finds a row.
  ///
  /// - Parameters:
  ///   - reference: How the batch names it.
  ///   - batch: The batch.
  /// - Returns: The row's slot.
  /// - Throws: `noSuchRow`, `noSuchHandle`, `outOfRange`, `pathsNeedBasis`, `badRequest`.
  func row(_ reference: Batch.RowRef, in batch: Batch) throws(TableFault) -> UInt32 {
    switch reference {
    case .absent: throw TableFault(.badRequest, expected: "a row")
    case .id(let id):
      guard let slot = slot(of: id) else { throw TableFault(.noSuchRow, row: id) }
      return slot
    case .handle(let handle):
      guard case .row(let slot)? = work.handles[handle] else {
        throw TableFault(.noSuchHandle, value: "\(handle)", expected: "a row's handle")
      }
      guard order.isLive(slot) else { throw TableFault(.noSuchRow, row: rows.id(slot)) }
      return slot
    case .path(let path):
      if let past = work.past { return try row(at: path, past) }
      let section = try self.section(at: path.section, path: path, in: batch)
      let root = sections[Int(section)].root
      guard path.row < UInt64(order.count(root)) else {
        throw TableFault(.outOfRange, path: path, expected: "a row below \(order.count(root))")
      }
      return order.element(root, at: Int(path.row))
    }
  }

  /// Finds a section by index.
  func section(
    at index: UInt64, path: RowPath? = nil, in batch: Batch
  ) throws(TableFault) -> UInt32 {
    if batch.basis == .absent {
      throw TableFault(.pathsNeedBasis, path: path, expected: "a basis: a cursor or current")
    }
    if let past = work.past { return try section(at: index, path: path, past) }
    let count = sectionOrder.count(sectionRoot)
    guard index < UInt64(count) else {
      throw TableFault(
        .outOfRange, path: path, value: path == nil ? "\(index)" : nil,
        expected: "a section below \(count)")
    }
    return sectionOrder.element(sectionRoot, at: Int(index))
  }

  /// Finds a section.
  ///
  /// - Parameters:
  ///   - reference: How the batch names it.
  ///   - batch: The batch.
  /// - Returns: The section's slot.
  /// - Throws: `noSuchSection`, `ambiguous`, `noSuchHandle`, `outOfRange`, `pathsNeedBasis`,
  ///   `badRequest`.
  func section(_ reference: Batch.SectionRef, in batch: Batch) throws(TableFault) -> UInt32 {
    switch reference {
    case .absent: throw TableFault(.badRequest, expected: "a section")
    case .id(let id):
      guard let slot = sectionSlots[id], sectionOrder.isLive(slot) else {
        throw TableFault(.noSuchSection, section: id)
      }
      return slot
    case .handle(let handle):
      guard case .section(let slot)? = work.handles[handle] else {
        throw TableFault(.noSuchHandle, value: "\(handle)", expected: "a section's handle")
      }
      guard sectionOrder.isLive(slot) else {
        throw TableFault(.noSuchSection, section: sections[Int(slot)].record.id)
      }
      return slot
    case .index(let index): return try section(at: index, in: batch)
    case .title(let range): return try section(titled: Array(batch.text[range]))
    }
  }

  /// Finds the one section with a title (contract K9).
  ///
  /// - Parameter title: The title's bytes.
  /// - Returns: The section's slot.
  /// - Throws: `noSuchSection`; `ambiguous`, with the ids, where several have it.
  func section(titled title: [UInt8]) throws(TableFault) -> UInt32 {
    var found: [UInt32] = []
    for slot in titles[title] ?? [] {
      guard sectionOrder.isLive(slot), sections[Int(slot)].record.title == title else { continue }
      found.append(slot)
    }
    guard let slot = found.first else {
      throw TableFault(.noSuchSection, value: CellValue.text(title).described)
    }
    if found.count > 1 {
      let ids = found.map { sections[Int($0)].record.id }.sorted().prefix(8)
      let list = ids.map { "id:\($0)" }.joined(separator: ", ")
      throw TableFault(
        .ambiguous, value: CellValue.text(title).described, expected: "one of \(list)")
    }
    return slot
  }

  /// Finds where a new row goes; makes a section where there is none to put it.
  ///
  /// - Parameters:
  ///   - place: How the batch names the place.
  ///   - batch: The batch.
  /// - Returns: The place as the table is now.
  /// - Throws: What finding a row or section throws, `tooManySections`.
  func spot(_ place: Batch.Place, in batch: Batch) throws(TableFault) -> Spot {
    switch place {
    case .end:
      let count = sectionOrder.count(sectionRoot)
      let last =
        count > 0
        ? sectionOrder.element(sectionRoot, at: count - 1)
        : try makeSection(SectionRecord(id: 0), at: 0)
      return Spot(section: last, index: order.count(sections[Int(last)].root))
    case .path(let path):
      let section = try self.section(at: path.section, path: path, in: batch)
      return try spot(section, path)
    case .before(let reference):
      let position = order.position(of: try row(reference, in: batch))
      return Spot(section: position.owner, index: position.index)
    case .after(let reference):
      let position = order.position(of: try row(reference, in: batch))
      return Spot(section: position.owner, index: position.index + 1)
    case .first(let reference):
      return Spot(section: try section(reference, in: batch), index: 0)
    case .last(let reference):
      let section = try self.section(reference, in: batch)
      return Spot(section: section, index: order.count(sections[Int(section)].root))
    }
  }

  /// The place of a path whose section is known.
  func spot(_ section: UInt32, _ path: RowPath) throws(TableFault) -> Spot {
    let count = order.count(sections[Int(section)].root)
    guard path.row <= UInt64(count) else {
      throw TableFault(.outOfRange, path: path, expected: "a row up to \(count)")
    }
    return Spot(section: section, index: Int(path.row))
  }
}

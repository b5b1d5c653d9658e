/// Operations on sections.
extension Table {
  /// Makes a section with a new id.
  ///
  /// - Parameters:
  ///   - record: Its attributes; the id is given here.
  ///   - index: Its index among the sections as they are now.
  /// - Returns: Its slot.
  /// - Throws: `tooManySections`.
  func makeSection(_ record: SectionRecord, at index: Int) throws(TableFault) -> UInt32 {
    guard sectionOrder.count(sectionRoot) < TableLimits.sections,
      let id = identifiers.nextSection()
    else {
      throw TableFault(.tooManySections, expected: "at most \(TableLimits.sections) sections")
    }
    var record = record
    record.id = id
    return addSection(record, at: index)
  }

  /// Makes a section with what it brings.
  func insert(
    _ new: Batch.NewSection, in batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    let index = try sectionSpot(new.place, in: batch)
    let slot = try makeSection(try record(of: new, in: batch), at: index)
    if let handle = new.handle { try give(handle, .section(slot)) }
    try insert(new.rows, into: slot, in: batch, context)
  }

  /// The attributes of a section to be made, without an id.
  func record(
    of new: Batch.NewSection, in batch: Batch
  ) throws(TableFault) -> SectionRecord {
    var record = SectionRecord(id: 0)
    record.title = try title(new.title, in: batch)
    record.header = try headerFooter(new.header, in: batch)
    record.footer = try headerFooter(new.footer, in: batch)
    return record
  }

  private func sectionSpot(
    _ place: Batch.SectionPlace, in batch: Batch
  ) throws(TableFault) -> Int {
    let count = sectionOrder.count(sectionRoot)
    switch place {
    case .end: return count
    case .index(let index):
      if batch.basis == .absent {
        throw TableFault(.pathsNeedBasis, expected: "a basis: a cursor or current")
      }
      guard index <= UInt64(count) else {
        throw TableFault(.outOfRange, value: "\(index)", expected: "a section up to \(count)")
      }
      return Int(index)
    case .before(let reference):
      return sectionOrder.position(of: try section(reference, in: batch)).index
    case .after(let reference):
      return sectionOrder.position(of: try section(reference, in: batch)).index + 1
    }
  }

  /// Moves a section with its rows.
  ///
  /// - Parameters:
  ///   - slot: The section's slot.
  ///   - place: Where it goes; an index is the one it has afterwards.
  ///   - batch: The batch.
  /// - Throws: What finding the place throws.
  func move(
    section slot: UInt32, to place: Batch.SectionPlace, in batch: Batch
  ) throws(TableFault) {
    switch place {
    case .before(let reference), .after(let reference):
      let anchor = try section(reference, in: batch)
      if anchor == slot { return }
      _ = touch(section: slot)
      sectionOrder.remove(slot)
      let step = if case .after = place { 1 } else { 0 }
      let index = sectionOrder.position(of: anchor).index + step
      sectionOrder.insert(slot, into: sectionRoot, at: index)
    case .index, .end:
      _ = touch(section: slot)
      sectionOrder.remove(slot)
      let index = try sectionSpot(place, in: batch)
      sectionOrder.insert(slot, into: sectionRoot, at: index)
    }
  }

  /// Gives a section another title.
  func retitle(
    _ slot: UInt32, _ title: Range<Int>?, in batch: Batch
  ) throws(TableFault) {
    var record = sections[Int(slot)].record
    record.title = try self.title(title, in: batch)
    if record != sections[Int(slot)].record { replace(section: slot, with: record) }
  }

  /// Sets a header or footer of a section, or of the table.
  func setHeaderFooter(
    _ reference: Batch.SectionRef, isFooter: Bool, _ value: Batch.HeaderFooterText?,
    in batch: Batch
  ) throws(TableFault) {
    let bytes = try headerFooter(value, in: batch)
    if reference == .absent {
      if isFooter { footer = bytes } else { header = bytes }
      work.headersChanged = header != work.before?.header || footer != work.before?.footer
      return
    }
    let slot = try section(reference, in: batch)
    var record = sections[Int(slot)].record
    if isFooter { record.footer = bytes } else { record.header = bytes }
    if record != sections[Int(slot)].record { replace(section: slot, with: record) }
  }

  private func title(_ range: Range<Int>?, in batch: Batch) throws(TableFault) -> [UInt8]? {
    guard let range else { return nil }
    guard range.count <= TableLimits.title else {
      throw TableFault(
        .textTooLong, value: "\(range.count) bytes",
        expected: "a title of at most \(TableLimits.title) bytes")
    }
    guard batch.isText(range) else {
      throw TableFault(.badText, expected: "UTF-8 without NUL")
    }
    return Array(batch.text[range])
  }

  private func headerFooter(
    _ value: Batch.HeaderFooterText?, in batch: Batch
  ) throws(TableFault) -> [UInt8]? {
    guard let value else { return nil }
    func text(_ range: Range<Int>?) throws(TableFault) -> String? {
      try title(range, in: batch).map { String(decoding: $0, as: UTF8.self) }
    }
    let result = HeaderFooter(
      title: try text(value.title), view: try text(value.view), height: value.height,
      owner: try text(value.owner), language: try text(value.language))
    if let fault = result.fault { throw fault }
    return result.encoded
  }
}

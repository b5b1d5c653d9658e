internal import Coding

/// What a record did to one table, gathered part by part: its line in the history.
struct StepFacts {
  /// Bits of one block of ids.
  struct Bits {
    var touched: UInt64 = 0
    var placed: UInt64 = 0

    mutating func add(_ mask: UInt64, isPlaced: Bool) {
      touched |= mask
      if isPlaced { placed |= mask }
    }
  }

  let table: UInt64
  private(set) var event: UInt64 = 0
  private(set) var counts = ChangeCounts()
  private(set) var columnsChanged = false
  private(set) var headersChanged = false
  private(set) var policyChanged = false
  private(set) var bits: [Int64: Bits] = [:]
  private var records = 0
  private var images = 0

  init(table: UInt64) { self.table = table }

  /// Whether it is something to take back (contracts E6, E13).
  var isStep: Bool {
    event == 0
      && (records > 0 || images > 0 || isStructural || counts.rowsDeleted > 0
        || counts.rowsMoved > 0 || counts.sectionsDeleted > 0 || counts.sectionsMoved > 0)
  }

  /// Whether columns, headers or policies changed.
  var isStructural: Bool { columnsChanged || headersChanged || policyChanged }

  /// Takes in a part of the record.
  ///
  /// - Parameters:
  ///   - body: The part of hp.v1.Change.
  ///   - old: What was there before.
  /// - Throws: Any `CodingFault`.
  mutating func add(_ body: [UInt8], _ old: [UInt8]) throws(CodingFault) {
    let change = try ChangeReader([body], table: table, wantsUpdates: true)
    if change.event != 0 { event = change.event }
    columnsChanged = columnsChanged || change.columnsChanged
    headersChanged = headersChanged || change.headersChanged
    policyChanged = policyChanged || change.policyChanged
    images += change.images.count
    for stage in [change.main, change.moved, change.replaced] {
      for run in stage.inserts + stage.contents {
        if run.isMoved {
          counts.rowsMoved += UInt64(run.count)
        } else {
          counts.rowsInserted += UInt64(run.count)
        }
        mark(run.id, run.count, isPlaced: true)
      }
      for run in stage.moves {
        counts.rowsMoved += UInt64(run.count)
        mark(run.id, run.count, isPlaced: true)
      }
    }
    for run in change.deleted {
      counts.rowsDeleted += run.count
      mark(run.first, Int(run.count), isPlaced: true)
    }
    for (row, _) in change.rowPolicies {
      policyChanged = true
      mark(.row(row), isPlaced: false)
    }
    counts.rowsUpdated += UInt64(change.updates.count)
    for update in change.updates { mark(update.row, 1, isPlaced: false) }
    addSections(of: change)
    var reader = FieldReader(0..<old.count)
    while let field = try reader.next(in: old.span) {
      guard field.number == 12 else { continue }
      for place in try Self.sections(of: field.range, old.span, table: table) {
        mark(.section(place.id), isPlaced: place.isPlaced)
      }
    }
  }

  private mutating func addSections(of change: ChangeReader) {
    records += change.records.count
    counts.sectionsInserted += UInt64(change.insertedSections.count)
    counts.sectionsDeleted += UInt64(change.deletedSections.count)
    counts.sectionsMoved += UInt64(change.movedSections.count)
    counts.sectionsUpdated =
      UInt64(max(0, records - Int(counts.sectionsInserted)))
    let made = Set(change.insertedSections)
    for (record, index) in change.records {
      mark(.section(record.id), isPlaced: made.contains(index))
    }
  }

  private mutating func mark(_ first: UInt64, _ count: Int, isPlaced: Bool) {
    var offset = 0
    while offset < count {
      let (block, bit) = StepIndex.place(of: .row(first &+ UInt64(offset)))
      // The ids of a block are neighbours: a run takes all from here to the block's end.
      let length = min(count - offset, bit.leadingZeroBitCount + 1)
      let mask = (UInt64.max >> UInt64(64 - length)) << UInt64(bit.trailingZeroBitCount)
      bits[block, default: Bits()].add(mask, isPlaced: isPlaced)
      offset += length
    }
  }

  private mutating func mark(_ element: Element, isPlaced: Bool) {
    let (block, bit) = StepIndex.place(of: element)
    bits[block, default: Bits()].add(bit, isPlaced: isPlaced)
  }

  /// Forgets the bits, which were written.
  mutating func dropBits() { bits.removeAll(keepingCapacity: true) }

  private static func sections(
    of range: Range<Int>, _ bytes: Span<UInt8>, table: UInt64
  ) throws(CodingFault) -> [(id: UInt64, isPlaced: Bool)] {
    var found: [(id: UInt64, isPlaced: Bool)] = []
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      if field.number == 1, field.value != table { return [] }
      guard field.number == 3 else { continue }
      var place = (id: UInt64(0), isPlaced: false)
      var inner = FieldReader(field.range)
      while let part = try inner.next(in: bytes) {
        switch part.number {
        case 1: place.id = try SectionRecord(at: part.range, in: bytes).id
        case 3: place.isPlaced = part.value != 0
        default: break
        }
      }
      found.append(place)
    }
    return found
  }

  /// Fields of hp.v1.HistoryEntry.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(13, upTo: 99) { counts.append(to: &$0) }
    bytes.appendField(14, varint: table)
    if event != 0 { bytes.appendField(15, varint: event) }
    if columnsChanged { bytes.appendField(17, bool: true) }
    if headersChanged { bytes.appendField(18, bool: true) }
    if policyChanged { bytes.appendField(19, bool: true) }
    return bytes
  }
}

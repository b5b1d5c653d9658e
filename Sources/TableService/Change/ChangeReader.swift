internal import Coding

/// One table's part of a revision, read from the parts of its hp.v1.Change.
struct ChangeReader {
  /// A run of rows.
  struct Run {
    var section = 0
    var row = 0
    var count = 1
    var id: UInt64 = 0
    var isMoved = false
    /// With `isMoved`, the id of the section at the other end.
    var other: UInt64 = 0
    var animation: UInt64?
  }

  /// A run of moves.
  struct MoveRun {
    var fromSection = 0
    var fromRow = 0
    var section = 0
    var row = 0
    var count = 1
    var id: UInt64 = 0
  }

  /// Row changes of one stage.
  struct Stage {
    var deletes: [Run] = []
    var inserts: [Run] = []
    var moves: [MoveRun] = []
    var contents: [Run] = []
  }

  /// What became of the table.
  private(set) var event: UInt64 = 0
  private(set) var revision: UInt64 = 0
  private(set) var schemaRevision: UInt64 = 0
  private(set) var name: String?
  private(set) var columns: [Column] = []
  private(set) var columnsChanged = false
  private(set) var deletedSections: [Int] = []
  private(set) var insertedSections: [Int] = []
  private(set) var movedSections: [(from: Int, to: Int)] = []
  private(set) var main = Stage()
  private(set) var moved = Stage()
  /// Final indices of sections that got other rows, and these rows as contents.
  private(set) var replacedSections: [Int] = []
  private(set) var replaced = Stage()
  private(set) var records: [(record: SectionRecord, index: Int)] = []
  /// Where row images stand: part and range.
  private(set) var images: [(part: Int, range: Range<Int>)] = []
  private(set) var deleted: [IDRun] = []
  /// Rows with new cells, and the columns of these; where they are wanted.
  private(set) var updates: [(row: UInt64, columns: [UInt64])] = []
  /// Cells of dropped columns of rows that came back.
  private(set) var hidden: [(part: Int, range: Range<Int>)] = []
  private(set) var header: [UInt8]?
  private(set) var footer: [UInt8]?
  private(set) var headersChanged = false
  private(set) var policy: [UInt8]?
  private(set) var policyChanged = false
  private let wantsUpdates: Bool
  private(set) var rowPolicies: [(row: UInt64, policy: [UInt8]?)] = []

  /// Reads what the parts of a change hold about a table.
  ///
  /// - Parameters:
  ///   - parts: All parts, in order.
  ///   - table: The table's id.
  ///   - wantsUpdates: Whether `updates` are wanted.
  ///   - rest: Called after each part.
  /// - Throws: Any `CodingFault`.
  init(
    _ parts: [[UInt8]], table: UInt64, wantsUpdates: Bool = false, rest: () -> Void = {}
  ) throws(CodingFault) {
    self.wantsUpdates = wantsUpdates
    for (index, part) in parts.enumerated() {
      let bytes = part.span
      var reader = FieldReader(0..<part.count)
      while let field = try reader.next(in: bytes) {
        switch field.number {
        case 1: revision = field.value
        case 9:
          guard try ChangeHead.table(field.range, bytes).id == table else { continue }
          try readTable(field.range, bytes, part: index)
        default: break
        }
      }
      rest()
    }
  }

  private mutating func readTable(
    _ range: Range<Int>, _ bytes: Span<UInt8>, part: Int
  ) throws(CodingFault) {
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 2: schemaRevision = field.value
      case 3: event = field.value
      case 4: name = try bytes.text(field.range)
      case 5: columns.append(try Column(at: field.range, in: bytes))
      case 6: try readStage(field.range, bytes)
      case 7: try readRecord(field.range, bytes)
      case 8: images.append((part, field.range))
      case 9: deleted.append(try Self.idRun(field.range, bytes))
      case 10: header = Array(copying: bytes, field.range)
      case 11: footer = Array(copying: bytes, field.range)
      case 12: headersChanged = field.value != 0
      case 13: columnsChanged = field.value != 0
      case 14: policy = Array(copying: bytes, field.range)
      case 15: policyChanged = field.value != 0
      case 16: hidden.append((part, field.range))
      case 17: rowPolicies.append(try Self.rowPolicy(field.range, bytes))
      default: break
      }
    }
  }

  private mutating func readRecord(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) {
    let record = try SectionRecord(at: range, in: bytes)
    var reader = FieldReader(range)
    var index = 0
    while let field = try reader.next(in: bytes) {
      if field.number == 6 { index = try Self.number(field.value) }
    }
    records.append((record, index))
  }

  private mutating func readStage(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) {
    var reader = FieldReader(range)
    var kind: UInt64 = 0
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: kind = field.value
      case 2: deletedSections.append(contentsOf: try Self.indices(field.range, bytes))
      case 3: insertedSections.append(contentsOf: try Self.indices(field.range, bytes))
      case 4:
        let pair = try Self.numbers(field.range, bytes)
        movedSections.append((pair.0, pair.1))
      case 5:
        let reload = try Self.sectionReload(field.range, bytes)
        if reload.isReplaced { replacedSections.append(reload.index) }
      case 9 where wantsUpdates:
        let update = try Self.update(field.range, bytes)
        if !update.columns.isEmpty { updates.append(update) }
      case 6...8, 10:
        switch kind {
        case 1: try Self.read(field, bytes, into: &main)
        case 2: try Self.read(field, bytes, into: &moved)
        default: try Self.read(field, bytes, into: &replaced)
        }
      default: break
      }
    }
  }

  private static func read(
    _ field: Field, _ bytes: Span<UInt8>, into stage: inout Stage
  ) throws(CodingFault) {
    switch field.number {
    case 6: stage.deletes.append(try run(field.range, bytes))
    case 7: stage.inserts.append(try run(field.range, bytes))
    case 8: stage.moves.append(try moveRun(field.range, bytes))
    default: stage.contents.append(try run(field.range, bytes))
    }
  }

  static func run(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(CodingFault) -> Run {
    var reader = FieldReader(range)
    var run = Run()
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: run.section = try number(field.value)
      case 2: run.row = try number(field.value)
      case 3: run.count = try number(field.value)
      case 4: run.id = field.value
      case 5: run.isMoved = field.value != 0
      case 6: run.other = field.value
      case 7: run.animation = field.value
      default: break
      }
    }
    return run
  }

  static func moveRun(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> MoveRun {
    var reader = FieldReader(range)
    var run = MoveRun()
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: run.fromSection = try number(field.value)
      case 2: run.fromRow = try number(field.value)
      case 3: run.section = try number(field.value)
      case 4: run.row = try number(field.value)
      case 5: run.count = try number(field.value)
      case 6: run.id = field.value
      default: break
      }
    }
    return run
  }

  /// A row that is told as reloaded.
  struct Reload {
    var oldSection = 0
    var oldRow = 0
    var section = 0
    var row = 0
    var id: UInt64 = 0
    var columns: [UInt64] = []
    var animation: UInt64?
  }

  static func reload(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> Reload {
    var reader = FieldReader(range)
    var reload = Reload()
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: reload.oldSection = try number(field.value)
      case 2: reload.oldRow = try number(field.value)
      case 3: reload.section = try number(field.value)
      case 4: reload.row = try number(field.value)
      case 5: reload.id = field.value
      case 6:
        var list = FieldReader(field.range)
        while list.offset < list.end { reload.columns.append(try list.varint(in: bytes)) }
      case 7: reload.animation = field.value
      default: break
      }
    }
    return reload
  }

  private static func idRun(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> IDRun {
    var reader = FieldReader(range)
    var run = IDRun(first: 0)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: run.first = field.value
      case 2: run.count = UInt64(try number(field.value))
      default: break
      }
    }
    return run
  }

  static func rowPolicy(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> (row: UInt64, policy: [UInt8]?) {
    var reader = FieldReader(range)
    var entry: (row: UInt64, policy: [UInt8]?) = (0, nil)
    while let field = try reader.next(in: bytes) {
      if field.number == 1 { entry.row = field.value }
      if field.number == 2 { entry.policy = Array(copying: bytes, field.range) }
    }
    return entry
  }

  private static func indices(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> Range<Int> {
    let run = try idRun(range, bytes)
    let first = try number(run.first)
    return first..<first + Int(run.count)
  }

  private static func numbers(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> (Int, Int) {
    var reader = FieldReader(range)
    var pair = (0, 0)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: pair.0 = try number(field.value)
      case 2: pair.1 = try number(field.value)
      default: break
      }
    }
    return pair
  }

  static func sectionReload(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> (index: Int, isReplaced: Bool, animation: UInt64?) {
    var reader = FieldReader(range)
    var reload: (index: Int, isReplaced: Bool, animation: UInt64?) = (0, false, nil)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 2: reload.index = try number(field.value)
      case 3: reload.isReplaced = field.value != 0
      case 4: reload.animation = field.value
      default: break
      }
    }
    return reload
  }

  private static func update(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> (row: UInt64, columns: [UInt64]) {
    var reader = FieldReader(range)
    var update = (row: UInt64(0), columns: [UInt64]())
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 5: update.row = field.value
      case 6:
        var list = FieldReader(field.range)
        while list.offset < list.end { update.columns.append(try list.varint(in: bytes)) }
      default: break
      }
    }
    return update
  }

  /// An index or a count: below what any table can hold.
  private static func number(_ value: UInt64) throws(CodingFault) -> Int {
    guard value <= UInt64(TableLimits.rows) else { throw .badVarint }
    return Int(value)
  }
}

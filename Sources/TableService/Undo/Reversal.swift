internal import Coding

/// What a revision did to one table and how the table was before: all that taking it back needs.
struct Reversal {
  /// Neighbours that were removed or moved, as they stood.
  struct Places {
    var section: UInt64 = 0
    var row = 0
    var after: UInt64 = 0
    var ids: [UInt64] = []
  }

  /// A section that was removed, moved or given other attributes.
  struct SectionPlace {
    var record: SectionRecord
    var index = 0
    var after: UInt64 = 0
    var isPlaced = false
  }

  /// A piece of the record.
  private struct Piece {
    var part: Int
    var range: Range<Int>
  }

  /// What it did.
  let change: ChangeReader
  private(set) var columns: [Column] = []
  private(set) var sections: [SectionPlace] = []
  private(set) var places: [Places] = []
  private(set) var header: [UInt8]?
  private(set) var footer: [UInt8]?
  private(set) var policy: [UInt8]?
  /// Own policies of rows that changed or went.
  private(set) var policies: [(row: UInt64, policy: [UInt8]?)] = []
  /// Ids of rows that it made.
  private(set) var inserted: [UInt64] = []
  /// Ids of rows that it removed.
  private(set) var deleted: Set<UInt64> = []

  private let bodies: [[UInt8]]
  private let olds: [[UInt8]]
  private var newImages: [UInt64: Piece] = [:]
  private var oldImages: [UInt64: Piece] = [:]

  /// Reads a record.
  ///
  /// - Parameters:
  ///   - bodies: hp.v1.Change in parts.
  ///   - olds: Its fields `old_rows` and `before`, in parts.
  ///   - table: The table's id.
  ///   - rest: Called often.
  /// - Throws: Any `CodingFault`.
  /// - Complexity: O(*n*) in the size of the record.
  init(
    _ bodies: [[UInt8]], _ olds: [[UInt8]], table: UInt64, rest: () -> Void = {}
  ) throws(CodingFault) {
    self.bodies = bodies
    self.olds = olds
    change = try ChangeReader(bodies, table: table, wantsUpdates: true, rest: rest)
    newImages.reserveCapacity(change.images.count)
    for (part, range) in change.images {
      rest()
      let body = bodies[part]
      newImages[try Self.id(range, body.span)] = Piece(part: part, range: range)
    }
    for stage in [change.main, change.moved, change.replaced] {
      for run in stage.inserts + stage.contents where !run.isMoved {
        for offset in 0..<run.count {
          inserted.append(run.id &+ UInt64(offset))
          rest()
        }
      }
    }
    for run in change.deleted {
      for id in run.first..<run.first &+ run.count {
        deleted.insert(id)
        rest()
      }
    }
    for (part, old) in olds.enumerated() {
      var reader = FieldReader(0..<old.count)
      while let field = try reader.next(in: old.span) {
        rest()
        switch field.number {
        case 10:
          oldImages[try Self.id(field.range, old.span)] = Piece(part: part, range: field.range)
        case 12: try readBefore(field.range, old.span, table: table)
        default: break
        }
      }
    }
  }

  /// The image of a row after the revision, as it was shown; `nil` for one it did not change.
  func newImage(of row: UInt64) -> [UInt8]? {
    newImages[row].map { Array(bodies[$0.part][$0.range]) }
  }

  /// The image of a row before the revision, as it was stored; `nil` for one it did not change.
  func oldImage(of row: UInt64) -> [UInt8]? {
    oldImages[row].map { Array(olds[$0.part][$0.range]) }
  }

  /// Where an element stood before the revision; `nil` where that did not place it.
  func origin(of element: Element) -> Origin? {
    switch element {
    case .row(let id):
      for block in places where block.ids.contains(id) {
        return Origin(section: block.section, after: block.after)
      }
    case .section(let id):
      for place in sections where place.isPlaced && place.record.id == id {
        return Origin(section: 0, after: place.after)
      }
    }
    return nil
  }

  private static func id(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> UInt64 {
    var reader = FieldReader(range)
    guard let field = try reader.next(in: bytes), field.number == 1 else { throw .badTag }
    return field.value
  }

  /// The columns that hp.v1.Before tells of a table; none where it tells none.
  static func columns(
    at range: Range<Int>, _ bytes: Span<UInt8>, table: UInt64
  ) throws(CodingFault) -> [Column] {
    guard try id(range, bytes) == table else { return [] }
    var reader = FieldReader(range)
    var columns: [Column] = []
    while let field = try reader.next(in: bytes) {
      if field.number == 2 { columns.append(try Column(at: field.range, in: bytes)) }
    }
    return columns
  }

  private mutating func readBefore(
    _ range: Range<Int>, _ bytes: Span<UInt8>, table: UInt64
  ) throws(CodingFault) {
    guard try Self.id(range, bytes) == table else { return }
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 2: columns.append(try Column(at: field.range, in: bytes))
      case 3: sections.append(try Self.section(field.range, bytes))
      case 4: places.append(try Self.places(field.range, bytes))
      case 5: header = Array(copying: bytes, field.range)
      case 6: footer = Array(copying: bytes, field.range)
      case 7: policy = Array(copying: bytes, field.range)
      case 8: policies.append(try ChangeReader.rowPolicy(field.range, bytes))
      default: break
      }
    }
  }

  private static func places(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> Places {
    var reader = FieldReader(range)
    var places = Places()
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: places.section = field.value
      case 2: places.row = Int(truncatingIfNeeded: field.value)
      case 3: places.after = field.value
      case 4:
        var list = FieldReader(field.range)
        var last: UInt64 = 0
        while list.offset < list.end {
          last = last &+ UInt64(bitPattern: Varint.unzigzag(try list.varint(in: bytes)))
          places.ids.append(last)
        }
      default: break
      }
    }
    return places
  }

  private static func section(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> SectionPlace {
    var reader = FieldReader(range)
    var place = SectionPlace(record: SectionRecord(id: 0))
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1:
        place.record = try SectionRecord(at: field.range, in: bytes)
        var inner = FieldReader(field.range)
        while let part = try inner.next(in: bytes) {
          if part.number == 6 { place.index = Int(truncatingIfNeeded: part.value) }
        }
      case 2: place.after = field.value
      case 3: place.isPlaced = field.value != 0
      default: break
      }
    }
    return place
  }
}

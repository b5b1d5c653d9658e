internal import Coding

/// What stands beside one part of a change (see `ChangeSites`), found in its bytes.
struct SideReader {
  /// What is kept for one table.
  struct Table {
    var homes: [(home: RowHome, count: Int)] = []
    var gone: [(section: UInt64, run: IDRun)] = []
    var crossings:
      [(from: UInt64, to: UInt64, row: UInt64, image: Range<Int>, policy: Range<Int>)] = []
    var policies: [(section: UInt64, row: UInt64, policy: Range<Int>)] = []
  }

  /// A row before the change: where its image stands.
  struct OldRow {
    var image: Range<Int>
    var home: UInt64?
  }

  private(set) var tables: [UInt64: Table] = [:]
  private(set) var oldRows: [OldRow] = []

  /// Reads it, and takes the sections' places into `pass`.
  init(_ side: [UInt8], _ pass: inout ChangeFilter.Pass) throws(CodingFault) {
    let bytes = side.span
    var reader = FieldReader(0..<side.count)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 10: oldRows.append(OldRow(image: field.range))
      case ChangeSites.field: try read(field.range, bytes, &pass)
      case ChangeSites.oldHome:
        if !oldRows.isEmpty { oldRows[oldRows.count - 1].home = field.value }
      case ChangeSites.oldShown:
        if !oldRows.isEmpty { oldRows[oldRows.count - 1].image = field.range }
      default: break
      }
    }
  }

  private mutating func read(
    _ range: Range<Int>, _ bytes: Span<UInt8>, _ pass: inout ChangeFilter.Pass
  ) throws(CodingFault) {
    var id: UInt64 = 0
    var table = Table()
    var sites = ChangeFilter.Pass.Sites()
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: id = field.value
      case 2:
        let pair = try Self.numbers(field.range, bytes)
        sites.old[Int(clamping: pair.0)] = pair.1
      case 3:
        let pair = try Self.numbers(field.range, bytes)
        sites.new[Int(clamping: pair.0)] = pair.1
      case 4: table.homes.append(try RowHome.read(field.range, bytes))
      case 5:
        let run = try Self.numbers(field.range, bytes)
        table.gone.append((run.0, IDRun(first: run.1, count: max(run.2, 1))))
      case 6:
        let crossing = try Self.numbers(field.range, bytes)
        table.crossings.append(
          (crossing.0, crossing.1, crossing.2, crossing.image, crossing.policy))
      case 7:
        let policy = try Self.numbers(field.range, bytes)
        table.policies.append((policy.0, policy.2, policy.policy))
      default: break
      }
    }
    tables[id] = table
    if pass.sites[id] == nil { pass.sites[id] = sites }
  }

  /// The numbers 1 to 3 of a message, and where its fields 4 and 5 stand.
  private static func numbers(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> (UInt64, UInt64, UInt64, image: Range<Int>, policy: Range<Int>) {
    var result: (UInt64, UInt64, UInt64, image: Range<Int>, policy: Range<Int>) =
      (0, 0, 0, 0..<0, 0..<0)
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: result.0 = field.value
      case 2: result.1 = field.value
      case 3: result.2 = field.value
      case 4: result.image = field.range
      case 5: result.policy = field.range
      default: break
      }
    }
    return result
  }
}

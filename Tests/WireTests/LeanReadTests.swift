import HouseSupport
import Testing

@_spi(Fuzzing) @testable import Wire

/// The lean reader reads what the schema's reader reads, or leaves the frame to it.
@Suite struct LeanReadTests {
  private static func varint(_ value: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], value)
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func field(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
    tag + varint(UInt64(content.count)) + content
  }

  private static func frame(_ id: UInt64, _ table: [UInt8], _ ids: [UInt64]) -> [UInt8] {
    let packed = ids.flatMap { varint($0) }
    return [8] + varint(id)
      + field([0x82, 0x02], field([0x0a], table) + field([0x12], packed))
  }

  private static func lean(_ bytes: [UInt8]) -> Request? {
    var batch = BatchBuffer()
    return LeanRead.request(bytes.span, &batch)
  }

  @Test func plainReadsAreTaken() throws {
    let items = Self.field([0x12], Array("items".utf8))
    let one = Self.frame(7, items, [300])
    #expect(
      Self.lean(one)
        == Request(id: 7, body: .getRows(.name("items"), ids: [300])))
    let many = Self.frame(1 << 40, [8, 5], [1, 2, (1 << 53) - 1])
    #expect(
      Self.lean(many)
        == Request(id: 1 << 40, body: .getRows(.id(5), ids: [1, 2, (1 << 53) - 1])))
    let golden = try Golden.named("get_rows").payload
    #expect(Self.lean(golden) != nil)
    #expect(Self.lean(Self.frame(0, items, [1])) == nil)
    #expect(Self.lean(Self.frame(1, items, Array(1...65))) == nil)
    #expect(Self.lean(Self.frame(1, [0x12, 1, 0], [1])) == nil)
    #expect(Self.lean(Self.frame(1, [0x12, 2, 0xc3, 0xa4], [1])) == nil)
    #expect(Self.lean(one + [0x12, 1, 0x61]) == nil)
  }

  @Test(arguments: UInt64(1)...8) func readsAsTheSchemaDoes(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let decoder = RequestDecoder()
    var taken = 0
    for step in 0..<2_500 {
      let name = (0..<Int.random(in: 0...70, using: &random)).map { _ in
        UInt8.random(in: 0x1f...0x7f, using: &random)
      }
      let table =
        Bool.random(using: &random)
        ? [8] + Self.varint(UInt64.random(in: 0...300, using: &random)) : Self.field([0x12], name)
      let ids = (0..<Int.random(in: 0...66, using: &random)).map { _ in
        UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
      }
      var bytes = Self.frame(UInt64.random(in: 0...500, using: &random), table, ids)
      Self.damage(&bytes, &random)
      if Self.lean(bytes) != nil { taken += 1 }
      #expect(Self.readsAlike(bytes, decoder), "seed \(seed) step \(step): \(bytes)")
    }
    #expect(taken > 100, "seed \(seed): \(taken) frames")
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
      default: bytes.remove(at: index)
      }
      if bytes.isEmpty { bytes = [8] }
    }
  }

  /// Whether the decoder answers to a frame what the schema's reader alone does.
  private static func readsAlike(_ bytes: [UInt8], _ decoder: RequestDecoder) -> Bool {
    let whole: Result<Request, WireFault> = Result { () throws(WireFault) in
      try decoder.decodeBySchema(bytes.span)
    }
    let batch = decoder.batch
    let lean: Result<Request, WireFault> = Result { () throws(WireFault) in
      try decoder.decode(bytes.span)
    }
    guard lean == whole else { return false }
    guard case .success(let request) = whole, request.body == .batch else { return true }
    return batch == decoder.batch
  }

  @Test func plainListsAreTaken() {
    let frame = [8, 7] + Self.field([0x8a, 0x02], [0x0a, 2, 8, 5, 0x18, 9, 0x20, 100])
    var list = ListRowsRequest(
      table: .id(5), section: .absent, first: 9, count: 100, snapshot: nil, columns: [])
    #expect(Self.lean(frame) == Request(id: 7, body: .listRows(list)))
    list.count = nil
    list.first = 0
    let whole = [8, 7] + Self.field([0x8a, 0x02], [0x0a, 2, 8, 5])
    #expect(Self.lean(whole) == Request(id: 7, body: .listRows(list)))
    // A section, a snapshot.
    for more in [[0x12, 2, 8, 1], [0x28, 3]] as [[UInt8]] {
      #expect(Self.lean([8, 7] + Self.field([0x8a, 0x02], [0x0a, 2, 8, 5] + more)) == nil)
    }
  }

  @Test(arguments: UInt64(1)...4) func readsListsAsTheSchemaDoes(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let decoder = RequestDecoder()
    var taken = 0
    for step in 0..<4_000 {
      var list = Self.field(
        [0x0a], random.below(2) == 0 ? [8, 5] : Self.field([0x12], Self.text(&random)))
      if random.below(9) == 0 { list += Self.field([0x12], [8, 1]) }
      if random.below(3) > 0 { list += [0x18] + Self.varint(Self.number(&random)) }
      if random.below(3) > 0 { list += [0x20] + Self.varint(Self.number(&random)) }
      if random.below(9) == 0 { list += [0x28, 1] }
      var bytes = [8] + Self.varint(Self.number(&random)) + Self.field([0x8a, 0x02], list)
      if random.below(2) == 0 { Self.damage(&bytes, &random) }
      if Self.lean(bytes) != nil { taken += 1 }
      #expect(Self.readsAlike(bytes, decoder), "seed \(seed) step \(step): \(bytes)")
    }
    #expect(taken > 300, "seed \(seed): \(taken) frames")
  }

  // MARK: Batches

  private static func signed(_ value: Int64) -> [UInt8] {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  private static func number(_ random: inout SeededRandom) -> UInt64 {
    UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
  }

  private static func text(_ random: inout SeededRandom) -> [UInt8] {
    let words = ["", "a", "Shiny Spork", "Ä ö", "snow ☃ 𝄞", "\u{0}", "name", "value"]
    var bytes = Array(words[random.below(words.count)].utf8)
    if random.below(20) == 0, !bytes.isEmpty { bytes[random.below(bytes.count)] ^= 0x80 }
    return bytes
  }

  private static func cell(_ random: inout SeededRandom) -> [UInt8] {
    var bytes: [UInt8] = []
    let named = random.below(8)
    if named < 2 { bytes += [0x08] + varint(number(&random)) }
    switch random.below(9) {
    case 0: break
    case 1...3: bytes += field([0x12], text(&random))
    case 4: bytes += [0x38, UInt8(random.below(3))]
    default:
      bytes += [[0x18, 0x20, 0x28, 0x30][random.below(4)]]
      bytes += signed(Int64(truncatingIfNeeded: number(&random)))
    }
    if named > 0 { bytes += field([0x42], text(&random)) }
    return bytes
  }

  private static func path(_ random: inout SeededRandom) -> [UInt8] {
    (random.below(4) > 0 ? [0x08] + varint(number(&random)) : [])
      + (random.below(4) > 0 ? [0x10] + varint(number(&random)) : [])
  }

  private static func row(_ random: inout SeededRandom) -> [UInt8] {
    switch random.below(8) {
    case 0: [0x10] + varint(number(&random))
    case 1: []
    case 2...4: [0x08] + varint(number(&random))
    default: field([0x1a], path(&random))
    }
  }

  private static func place(_ random: inout SeededRandom) -> [UInt8] {
    switch random.below(8) {
    case 0: field([0x22], [0x20] + varint(number(&random)))
    case 1: []
    case 2: field([0x12], row(&random))
    case 3: field([0x1a], row(&random))
    default: field([0x0a], path(&random))
    }
  }

  private static func cells(_ tag: UInt8, _ random: inout SeededRandom) -> [UInt8] {
    (0..<random.below(5)).flatMap { _ in field([tag], cell(&random)) }
  }

  private static func operation(_ random: inout SeededRandom) -> [UInt8] {
    switch random.below(5) {
    case 0: field([0x12], field([0x0a], row(&random)))
    case 1: field([0x1a], field([0x0a], row(&random)) + field([0x12], place(&random)))
    case 2: field([0x22], field([0x0a], row(&random)) + cells(0x12, &random))
    default:
      field(
        [0x0a],
        (random.below(2) == 0 ? field([0x0a], place(&random)) : [])
          + field([0x12], cells(0x0a, &random)))
    }
  }

  /// A batch as clients write it, now and then with something that is not for the lean reader.
  private static func batch(_ random: inout SeededRandom) -> [UInt8] {
    var bytes = field([0x0a], random.below(2) == 0 ? [8, 5] : field([0x12], text(&random)))
    if random.below(8) == 0 { bytes += [0x10, UInt8(random.below(3))] }
    if random.below(2) == 0 { bytes += field([0x1a], [8, UInt8(random.below(3))]) }
    for _ in 0..<random.below(4) { bytes += field([0x2a], operation(&random)) }
    if random.below(8) == 0 { bytes += [0x38, 1] }
    return [8] + varint(1 + number(&random) >> 1) + field([0x92, 0x03], bytes)
  }

  @Test func plainBatchesAreTaken() throws {
    let golden = try Golden.named("insert_row").payload
    let decoder = RequestDecoder()
    #expect(Self.readsAlike(golden, decoder))
    let cells = Self.field([0x0a], [0x12, 1, 0x61] + Self.field([0x42], Array("name".utf8)))
    let insert = Self.field([0x0a], Self.field([0x12], cells))
    let frame =
      [8, 7]
      + Self.field([0x92, 0x03], [0x0a, 2, 8, 5, 0x1a, 2, 8, 1] + Self.field([0x2a], insert))
    var batch = BatchBuffer()
    #expect(LeanRead.request(frame.span, &batch) == Request(id: 7, body: .batch))
    #expect(batch.table == .id(5))
    #expect(batch.basis == .current)
    #expect(batch.text == Array("namea".utf8))
    let name = TextRange(start: 0, count: 4)
    #expect(
      batch.cells == [
        BatchCell(column: .name(name), value: .text(TextRange(start: 4, count: 1)))
      ])
    #expect(batch.operations.count == 1)
    #expect(Self.readsAlike(frame, decoder))
  }

  @Test func longLengthsAreLeftToTheSchema() {
    // The length of the ids in six bytes.
    let ids: [UInt8] = [0x12, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 9]
    let frame = [8, 7] + Self.field([0x82, 0x02], [0x0a, 2, 8, 5] + ids)
    #expect(Self.lean(frame) == nil)
    #expect(Self.readsAlike(frame, RequestDecoder()))
  }

  @Test(arguments: UInt64(1)...8) func readsBatchesAsTheSchemaDoes(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let decoder = RequestDecoder()
    var taken = 0
    for step in 0..<4_000 {
      var bytes = Self.batch(&random)
      if random.below(3) == 0 { Self.damage(&bytes, &random) }
      if Self.lean(bytes) != nil { taken += 1 }
      #expect(Self.readsAlike(bytes, decoder), "seed \(seed) step \(step): \(bytes)")
    }
    #expect(taken > 300, "seed \(seed): \(taken) frames")
  }
}

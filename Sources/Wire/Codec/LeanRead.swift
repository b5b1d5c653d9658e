/// A reader of the requests that are asked most often: rows by id and by position, and batches of
/// rows.
///
/// It takes frames in the one form that clients write: an id, then the request, each field once and
/// in rising order. For anything else it answers nothing, and the frame is scanned and unpacked
/// like any other; what it does take it reads as that would.
struct LeanRead {
  private static let idTag: UInt8 = 0x08
  /// The tags of fields 32, 33 and 50 of hp.v1.ClientFrame, in two bytes each.
  private static let getRowsTag: (UInt8, UInt8) = (0x82, 0x02)
  private static let listRowsTag: (UInt8, UInt8) = (0x8a, 0x02)
  private static let batchTag: (UInt8, UInt8) = (0x92, 0x03)
  private static let tableTag: UInt8 = 0x0a
  private static let idsTag: UInt8 = 0x12
  /// So short that no limit on what frames hold can be passed.
  private static let largest = 64 << 10
  private static let name = 64

  var offset = 0
  var end: Int

  /// Reads a frame.
  ///
  /// - Parameters:
  ///   - frame: The bytes after the length.
  ///   - batch: Gets the content of a batch; where the frame is another one it may hold anything.
  /// - Returns: The request, or `nil` where the frame is another one.
  static func request(_ frame: Span<UInt8>, _ batch: inout BatchBuffer) -> Request? {
    guard frame.count <= largest else { return nil }
    var reader = LeanRead(end: frame.count)
    guard reader.take(idTag, frame), let id = reader.varint(frame), id != 0 else { return nil }
    if reader.take(getRowsTag.0, frame) {
      guard reader.take(getRowsTag.1, frame), reader.rest(frame),
        reader.take(tableTag, frame), let table = reader.table(frame),
        reader.take(idsTag, frame), let ids = reader.ids(frame)
      else { return nil }
      return Request(id: id, body: .getRows(table, ids: ids))
    }
    if reader.take(listRowsTag.0, frame) {
      guard reader.take(listRowsTag.1, frame), reader.rest(frame),
        reader.take(tableTag, frame), let table = reader.table(frame),
        let list = reader.list(of: table, frame)
      else { return nil }
      return Request(id: id, body: .listRows(list))
    }
    guard reader.take(batchTag.0, frame), reader.take(batchTag.1, frame), reader.rest(frame),
      reader.take(tableTag, frame), let table = reader.table(frame)
    else { return nil }
    batch.reset()
    batch.table = table
    guard reader.batch(frame, into: &batch) else { return nil }
    return Request(id: id, body: .batch)
  }

  private init(end: Int) { self.end = end }

  /// Whether a length stands here that reaches to the end of the frame.
  private mutating func rest(_ frame: Span<UInt8>) -> Bool {
    guard let stop = stop(frame) else { return false }
    return stop == end
  }

  @inline(__always)
  mutating func take(_ byte: UInt8, _ frame: Span<UInt8>) -> Bool {
    guard offset < end, frame[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// A number of at most nine bytes; longer ones are for the other reader.
  @inline(__always)
  mutating func varint(_ frame: Span<UInt8>) -> UInt64? {
    guard offset < end else { return nil }
    let byte = frame[offset]
    if byte < 0x80 {
      offset += 1
      return UInt64(byte)
    }
    return longVarint(frame)
  }

  private mutating func longVarint(_ frame: Span<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end, shift < 63 {
      let byte = frame[offset]
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Where what follows ends, by the length in front of it; one that is written longer than it has
  /// to be is for the other reader.
  @inline(__always)
  mutating func stop(_ frame: Span<UInt8>) -> Int? {
    let start = offset
    guard let length = varint(frame), length <= UInt64(end - offset), offset - start <= 3 else {
      return nil
    }
    return offset + Int(length)
  }

  /// A table by id, or by a name of printable ASCII.
  private mutating func table(_ frame: Span<UInt8>) -> TableReference? {
    guard let stop = stop(frame) else { return nil }
    if take(0x08, frame) {
      guard let id = varint(frame), offset == stop else { return nil }
      return .id(id)
    }
    guard take(0x12, frame), let last = self.stop(frame), last == stop,
      stop - offset <= LeanRead.name
    else { return nil }
    for index in offset..<stop where frame[index] < 0x20 || frame[index] > 0x7e { return nil }
    guard let text = try? UTF8Span(validating: frame.extracting(offset..<stop)) else { return nil }
    offset = stop
    return .name(String(copying: text))
  }

  /// Where a list begins and how long it is, which ends the frame.
  private mutating func list(
    of table: TableReference, _ frame: Span<UInt8>
  ) -> ListRowsRequest? {
    var list = ListRowsRequest(
      table: table, section: .absent, first: 0, count: nil, snapshot: nil, columns: [])
    if take(0x18, frame) {
      guard let first = varint(frame) else { return nil }
      list.first = Int(min(first, Limits.greatestNumber))
    }
    if take(0x20, frame) {
      guard let count = varint(frame) else { return nil }
      list.count = Int(min(count, Limits.greatestNumber))
    }
    return offset == end ? list : nil
  }

  /// The packed ids that end the frame.
  private mutating func ids(_ frame: Span<UInt8>) -> IDList? {
    guard rest(frame), let first = varint(frame) else { return nil }
    var rest: [UInt64] = []
    while offset < end {
      guard rest.count < 63, let id = varint(frame) else { return nil }
      rest.append(id)
    }
    return IDList(first: first, rest: rest)
  }
}

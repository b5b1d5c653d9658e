/// A reader of the request that is asked most often and says least: rows by id.
///
/// It takes a frame in the one form that clients write: an id, then `get_rows` with a table and at most
/// 64 packed ids, all once and in this order. For anything else it answers nothing, and the frame
/// is scanned and unpacked like any other; what it does take it reads as that would.
struct LeanRead {
  private static let idTag: UInt8 = 0x08
  /// Field 32 of hp.v1.ClientFrame, in two bytes.
  private static let requestTag: (UInt8, UInt8) = (0x82, 0x02)
  private static let tableTag: UInt8 = 0x0a
  private static let idsTag: UInt8 = 0x12
  private static let largest = 700
  private static let name = 64

  private var offset = 0
  private var end: Int

  /// Reads a frame.
  ///
  /// - Parameter frame: The bytes after the length.
  /// - Returns: The request, or `nil` where the frame is another one.
  static func request(_ frame: Span<UInt8>) -> Request? {
    guard frame.count <= largest else { return nil }
    var reader = LeanRead(end: frame.count)
    guard reader.take(idTag, frame), let id = reader.varint(frame), id != 0,
      reader.take(requestTag.0, frame), reader.take(requestTag.1, frame),
      let length = reader.varint(frame), length == UInt64(frame.count - reader.offset),
      reader.take(tableTag, frame), let table = reader.table(frame),
      reader.take(idsTag, frame), let ids = reader.ids(frame)
    else { return nil }
    return Request(id: id, body: .getRows(table, ids: ids))
  }

  private init(end: Int) { self.end = end }

  private mutating func take(_ byte: UInt8, _ frame: Span<UInt8>) -> Bool {
    guard offset < end, frame[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// A number of at most nine bytes; longer ones are for the other reader.
  private mutating func varint(_ frame: Span<UInt8>) -> UInt64? {
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

  /// A table by id, or by a name of printable ASCII.
  private mutating func table(_ frame: Span<UInt8>) -> TableReference? {
    guard let length = varint(frame), length <= UInt64(end - offset) else { return nil }
    let stop = offset + Int(length)
    if take(0x08, frame) {
      guard let id = varint(frame), offset == stop else { return nil }
      return .id(id)
    }
    guard take(0x12, frame), let size = varint(frame), size <= UInt64(LeanRead.name),
      offset + Int(size) == stop
    else { return nil }
    for index in offset..<stop where frame[index] < 0x20 || frame[index] > 0x7e { return nil }
    guard let text = try? UTF8Span(validating: frame.extracting(offset..<stop)) else { return nil }
    offset = stop
    return .name(String(copying: text))
  }

  /// The packed ids that end the frame.
  private mutating func ids(_ frame: Span<UInt8>) -> IDList? {
    guard let length = varint(frame), length == UInt64(end - offset), length > 0,
      let first = varint(frame)
    else { return nil }
    var rest: [UInt64] = []
    while offset < end {
      guard rest.count < 63, let id = varint(frame) else { return nil }
      rest.append(id)
    }
    return IDList(first: first, rest: rest)
  }
}

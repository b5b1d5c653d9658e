internal import Coding

/// One value of a cell that is not null.
///
/// Text is bytes: equality compares them as sent (contract S7).
public enum CellValue: Equatable, Hashable, Sendable {
  case text([UInt8])
  case integer(Int64)
  case decimal(Int64)
  case date(Int64)
  case timestamp(Int64)
  case boolean(Bool)

  /// The kind of column that holds such a value.
  public var kind: ColumnKind {
    switch self {
    case .text: .text
    case .integer: .integer
    case .decimal: .decimal
    case .date: .date
    case .timestamp: .timestamp
    case .boolean: .boolean
    }
  }

  /// A value of a kind that is held as a number.
  ///
  /// - Parameters:
  ///   - kind: Any kind but text.
  ///   - number: The number; 0 or 1 for a boolean.
  init(kind: ColumnKind, number: Int64) {
    switch kind {
    case .text: preconditionFailure("text is not a number")
    case .integer: self = .integer(number)
    case .decimal: self = .decimal(number)
    case .date: self = .date(number)
    case .timestamp: self = .timestamp(number)
    case .boolean: self = .boolean(number != 0)
    }
  }

  /// The value as text for an error's place, decimals and times in their raw units.
  var described: String {
    switch self {
    case .text(let bytes): Self.excerpt(bytes)
    case .integer(let number), .decimal(let number), .date(let number), .timestamp(let number):
      String(number)
    case .boolean(let flag): flag ? "true" : "false"
    }
  }

  /// At most a hundred bytes of a text, whole characters of it.
  private static func excerpt(_ bytes: [UInt8]) -> String {
    var end = min(bytes.count, 100)
    while end > 0, end < bytes.count, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    guard let text = try? UTF8Span(validating: bytes.span.extracting(0..<end)) else {
      return "bad text"
    }
    return String(copying: text)
  }

  /// Appends the value's field of hp.v1.Cell.
  ///
  /// - Parameter bytes: Where the field goes.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .text(let text): bytes.appendField(kind.field, bytes: text)
    case .integer(let number), .decimal(let number), .date(let number), .timestamp(let number):
      bytes.appendField(kind.field, signed: number)
    case .boolean(let flag): bytes.appendField(kind.field, bool: flag)
    }
  }
}

/// How a request names a table.
///
/// Names resolve once, when the request is read (contract K9).
public enum TableReference: Equatable, Sendable {
  /// None given: the request's own rule says what that means.
  case absent
  /// By id.
  case id(UInt64)
  /// By name.
  case name(String)
}

/// Bytes in a `BatchBuffer`'s text storage.
public struct TextRange: Equatable, Sendable {
  /// The first byte.
  public var start: Int32
  /// How many there are.
  public var count: Int32

  /// The same as positions in `BatchBuffer.text`.
  public var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

  /// No bytes.
  public static let empty = TextRange(start: 0, count: 0)
}

/// How a request names a row.
///
/// Indices above `Limits.greatestNumber` arrive as that number, so that adding to them is
/// safe; no table is that long.
public enum RowReference: Equatable, Sendable {
  /// None given.
  case absent
  /// By id.
  case id(UInt64)
  /// By the handle that an earlier operation of the batch gave it.
  case handle(UInt64)
  /// By its place.
  case path(section: Int, row: Int)
}

/// How an operation names a section.
public enum SectionReference: Equatable, Sendable {
  /// None given.
  case absent
  /// By id.
  case id(UInt64)
  /// By its title, which stands in the batch's text.
  case title(TextRange)
  /// By the handle that an earlier operation of the batch gave it.
  case handle(UInt64)
  /// By its index.
  case index(Int)
}

/// Where a row goes.
public enum RowPlace: Equatable, Sendable {
  /// Last of the last section.
  case absent
  /// To this path.
  case path(section: Int, row: Int)
  /// Before a row.
  case before(RowReference)
  /// After a row.
  case after(RowReference)
  /// First of a section.
  case firstOf(SectionReference)
  /// Last of a section.
  case lastOf(SectionReference)
}

/// Where a section goes.
public enum SectionPlace: Equatable, Sendable {
  /// Last.
  case absent
  /// To this index.
  case index(Int)
  /// Before a section.
  case before(SectionReference)
  /// After a section.
  case after(SectionReference)
}

/// What the paths and section indices of a request mean (contract E2).
public enum Basis: Equatable, Sendable {
  /// None given: paths are refused then.
  case absent
  /// As they are when applied.
  case current
  /// As they were at a cursor; with `rebase` carried to now (contract E3).
  case at(Cursor, rebase: Bool)
}

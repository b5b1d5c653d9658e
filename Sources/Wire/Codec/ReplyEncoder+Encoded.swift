internal import Coding

/// Tables that are encoded already as hp.v1.Table.
extension ReplyEncoder {
  /// Appends a reply with one table.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - table: hp.v1.Table.
  ///   - out: Where the frame goes.
  public static func table(id: UInt64, encoded table: [UInt8], into out: inout [UInt8]) {
    head(id, .table, size: table.count, into: &out)
    out.append(contentsOf: table)
  }

  /// Appends a part of a reply with a table: the parts' content one after the other is hp.v1.Table.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - part: Fields of hp.v1.Table.
  ///   - hasMore: Whether further parts follow.
  ///   - out: Gets the frame.
  public static func table(
    id: UInt64, encoded part: [UInt8], hasMore: Bool, into out: inout [UInt8]
  ) {
    guard hasMore else { return table(id: id, encoded: part, into: &out) }
    let result = Result.table.rawValue
    let inner =
      FrameWriter.size(1, varint: id) + FrameWriter.size(2, varint: 1)
      + FrameWriter.size(result, content: part.count)
    FrameWriter.openFrame(1, content: inner, into: &out)
    out.appendField(1, varint: id)
    out.appendField(2, bool: true)
    FrameWriter.open(result, content: part.count, into: &out)
    out.append(contentsOf: part)
  }

  /// Whether a table can be told in one frame.
  ///
  /// - Parameter table: hp.v1.Table.
  /// - Returns: Whether it can.
  public static func fits(table: [UInt8]) -> Bool { table.count <= Limits.frameDown - 64 }

  /// Appends a reply with a list of tables.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - tables: hp.v1.Table each.
  ///   - cursor: Where they stand.
  ///   - out: Where the frame goes.
  public static func tables(
    id: UInt64, encoded tables: [[UInt8]], cursor: Cursor, into out: inout [UInt8]
  ) {
    append(id, .tables, into: &out) { list in
      for table in tables { list.appendField(1, bytes: table) }
      list.appendField(2) { cursor.encode(into: &$0) }
    }
  }
}

extension ReplyEncoder {
  /// Appends a part of a reply with the objects of a nib.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - nib: hp.v1.NibLoaded; parts are joined.
  ///   - more: Whether parts follow.
  ///   - out: Where the frame goes.
  public static func nib(
    id: UInt64, encoded nib: [UInt8], more: Bool, into out: inout [UInt8]
  ) {
    part(id, .nib, nib, more: more, into: &out)
  }

  /// Appends a part of a reply with what a header or footer shows.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - header: hp.v1.HeaderShown; parts are joined.
  ///   - more: Whether parts follow.
  ///   - out: Where the frame goes.
  public static func header(
    id: UInt64, encoded header: [UInt8], more: Bool, into out: inout [UInt8]
  ) {
    part(id, .header, header, more: more, into: &out)
  }

  /// Appends a part of a reply whose content is encoded already.
  static func part(
    _ id: UInt64, _ result: Result, _ content: [UInt8], more: Bool, into out: inout [UInt8]
  ) {
    let inner =
      FrameWriter.size(1, varint: id) + (more ? FrameWriter.size(2, varint: 1) : 0)
      + FrameWriter.size(result.rawValue, content: content.count)
    FrameWriter.openFrame(1, content: inner, into: &out)
    out.appendField(1, varint: id)
    if more { out.appendField(2, bool: true) }
    FrameWriter.open(result.rawValue, content: content.count, into: &out)
    out.append(contentsOf: content)
  }
}

extension EventEncoder {
  /// The body of a snapshot's first part.
  ///
  /// - Parameters:
  ///   - cursor: Where the tables stand.
  ///   - tables: hp.v1.Table each, without rows.
  /// - Returns: hp.v1.SnapshotHead.
  public static func snapshot(_ cursor: Cursor, encoded tables: [[UInt8]]) -> [UInt8] {
    var body: [UInt8] = []
    body.appendField(1) { cursor.encode(into: &$0) }
    for table in tables { body.appendField(2, bytes: table) }
    return body
  }
}

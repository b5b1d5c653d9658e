internal import Coding

extension ReplyEncoder {
  /// Appends the sum of a column.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - sum: The sum, in the column's smallest unit.
  ///   - rows: Rows that have a value.
  ///   - nulls: Rows that have none.
  ///   - cursor: The state it is of.
  ///   - out: Gets the frame.
  public static func sum(
    id: UInt64, _ sum: Int64, rows: Int, nulls: Int, cursor: Cursor, into out: inout [UInt8]
  ) {
    append(id, .sum, into: &out) { reply in
      reply.appendField(1, signed: sum)
      reply.appendField(2, varint: UInt64(rows))
      reply.appendField(3, varint: UInt64(nulls))
      reply.appendField(4) { cursor.encode(into: &$0) }
    }
  }
}

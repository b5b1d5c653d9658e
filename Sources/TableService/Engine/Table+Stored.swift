internal import Coding

extension Table {
  /// Makes a table without sections and rows from what `appendTable` wrote.
  ///
  /// - Parameters:
  ///   - bytes: hp.v1.Table without sections and rows.
  ///   - nextColumn: An id above those of all columns that it ever had.
  ///   - lastChanged: The last revision that changed it.
  ///   - identifiers: Gives the ids of its rows and sections.
  ///   - pending: Takes what is to be written to disk.
  /// - Throws: Any `CodingFault`; `badTag` where id or name is missing.
  convenience init(
    stored bytes: Span<UInt8>, nextColumn: UInt64 = 1, lastChanged: UInt64,
    identifiers: Identifiers,
    pending: PendingWrites
  ) throws(CodingFault) {
    var id: UInt64 = 0
    var name: String?
    var schemaRevision: UInt64 = 0
    var columns: [Column] = []
    var header: [UInt8]?
    var footer: [UInt8]?
    var policy: [UInt8]?
    var reader = FieldReader(0..<bytes.count)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: id = field.value
      case 2: name = try bytes.text(field.range)
      case 3: schemaRevision = field.value
      case 5: columns.append(try Column(at: field.range, in: bytes))
      case 7: header = Array(copying: bytes, field.range)
      case 8: footer = Array(copying: bytes, field.range)
      case 10: policy = Array(copying: bytes, field.range)
      default: break
      }
    }
    guard id > 0, let name else { throw .badTag }
    self.init(
      id: id, name: name,
      schema: Schema(columns: columns, revision: schemaRevision, nextColumn: nextColumn),
      lastChanged: lastChanged, identifiers: identifiers, pending: pending)
    self.header = header
    self.footer = footer
    self.policy = policy
  }
}

internal import Coding

/// What the store needs to know of hp.v1.Table: its name, and its columns with their revision.
struct TableRecord {
  var name: String
  /// The revision that last changed the columns.
  var schemaRevision: UInt64 = 0
  var columns: [Column]

  /// Reads hp.v1.Table; other fields are left to the caller of the store.
  ///
  /// - Parameters:
  ///   - bytes: The whole message.
  ///   - action: What a fault names.
  /// - Throws: What SQLite says.
  init(_ bytes: Span<UInt8>, _ action: StoreAction) throws(StoreFault) {
    var name: String?
    columns = []
    var reader = FieldReader(0..<bytes.count)
    do throws(CodingFault) {
      while let field = try reader.next(in: bytes) {
        switch field.number {
        case 2: name = try bytes.text(field.range)
        case 3: schemaRevision = field.value
        case 5: columns.append(try Column(at: field.range, in: bytes))
        default: break
        }
      }
    } catch { throw .damaged(action) }
    guard let name else { throw .damaged(action) }
    self.name = name
  }
}

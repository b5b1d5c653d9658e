public import Coding

/// What stands at the front of each part of a change: which revision, whose, which tables.
public struct ChangeHead: Equatable, Sendable {
  /// What became of a table; the values are those of hp.v1.TableEvent.
  public enum Event: UInt8, Sendable {
    /// Its content changed.
    case changed
    /// It is new.
    case created
    /// It has another name.
    case renamed
    /// It is gone.
    case dropped
    /// Its data was reloaded.
    case reloaded
  }

  /// A table of the change.
  public struct Table: Equatable, Sendable {
    /// Its id.
    public var id: UInt64 = 0
    /// What became of it.
    public var event = Event.changed
  }

  /// The revision.
  public var revision: UInt64 = 0
  /// Wall time in microseconds.
  public var time: Int64 = 0
  /// Who changed it, from the kernel.
  public var uid: UInt64 = 0
  /// Who changed it, as they call themselves.
  public var actor = ""
  /// The client's id.
  public var client: UInt64 = 0
  /// The id of the request's frame.
  public var request: UInt64 = 0
  /// The step that it takes back; 0: none.
  public var undoes: UInt64 = 0
  /// The step that it makes again; 0: none.
  public var redoes: UInt64 = 0
  /// The tables that the part is about.
  public var tables: [Table] = []

  /// Reads a part of a change.
  ///
  /// - Parameter part: The whole part.
  /// - Throws: Any `CodingFault`.
  /// - Complexity: O(*t*) in the number of tables; their content is not read.
  public init(_ part: [UInt8]) throws(CodingFault) {
    let bytes = part.span
    var reader = FieldReader(0..<part.count)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1: revision = field.value
      case 2: time = field.signed
      case 3: uid = field.value
      case 4: actor = try bytes.text(field.range)
      case 5: client = field.value
      case 6: request = field.value
      case 7: undoes = field.value
      case 8: redoes = field.value
      case 9: tables.append(try Self.table(field.range, bytes))
      default: break
      }
    }
  }

  /// Reads the front of an hp.v1.TableChange.
  static func table(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(CodingFault) -> Table {
    var reader = FieldReader(range)
    var table = Table()
    while let field = try reader.next(in: bytes), field.number <= 3 {
      if field.number == 1 { table.id = field.value }
      if field.number == 3 {
        guard let event = Event(rawValue: UInt8(truncatingIfNeeded: field.value)) else {
          throw .badTag
        }
        table.event = event
      }
    }
    return table
  }
}

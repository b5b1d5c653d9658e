internal import CHPProto

/// Everything the scan has to know of the schema, in flat tables made from protobuf-c's own
/// descriptors at the start.
///
/// A field is found by its number without a search. All messages that a client's frame can
/// hold are there; the schema is not recursive.
@safe final class FrameSchema {
  /// What a field's value is, and which wire type and width it has.
  enum Kind: UInt8 {
    case unknown = 0
    case varint
    case int32
    case uint32
    case boolean
    case enumeration
    case fixed64
    case fixed32
    case text
    case bytes
    case message
  }

  /// One field of a message.
  struct Entry {
    var kind = Kind.unknown
    var wire: UInt8 = 0
    /// A repeated field whose values may also stand packed in one.
    var packable = false
    var inChoice = false
    /// The bit that marks it as seen; a choice has one for all; 64: repeated.
    var bit: UInt8 = 64
    /// The message or enumeration it refers to.
    var target: UInt16 = 0
  }

  /// Where a message's fields stand: entry `base + number`, for numbers up to `last`.
  struct Message {
    var base: UInt32
    var last: UInt32
  }

  // Safe: owned by this object, written in init only, freed in deinit.
  let messages: UnsafeMutablePointer<Message>
  let entries: UnsafeMutablePointer<Entry>
  /// Bit sets of 256 values each.
  let enumerations: UnsafeMutablePointer<(UInt64, UInt64, UInt64, UInt64)>
  /// How deep messages stand in each other; the frame itself is 1.
  let depth: Int

  /// Reads the descriptors of `hp.v1.ClientFrame` and all it can hold.
  init() {
    var tables = SchemaTables()
    // Safe: descriptors are constants of the program; the pointers in them live as long.
    depth = unsafe withUnsafePointer(to: hp__v1__client_frame__descriptor) { root in
      _ = unsafe tables.add(root)
      return tables.depth(of: 0)
    }
    precondition(depth <= Limits.depth, "the schema is deeper than the limit")
    unsafe messages = .allocate(capacity: tables.messages.count)
    unsafe entries = .allocate(capacity: tables.entries.count)
    unsafe enumerations = .allocate(capacity: max(1, tables.enumerations.count))
    for (index, message) in tables.messages.enumerated() {
      unsafe (messages + index).initialize(to: message)
    }
    for (index, entry) in tables.entries.enumerated() {
      unsafe (entries + index).initialize(to: entry)
    }
    for (index, set) in tables.enumerations.enumerated() {
      unsafe (enumerations + index).initialize(to: set)
    }
  }

  deinit {
    // Safe: a scan holds the schema while it runs.
    unsafe messages.deallocate()
    unsafe entries.deallocate()
    unsafe enumerations.deallocate()
  }
}

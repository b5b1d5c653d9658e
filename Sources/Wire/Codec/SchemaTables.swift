internal import CHPProto

/// The tables of a `FrameSchema` while they are collected.
@safe struct SchemaTables {
  var messages: [FrameSchema.Message] = []
  var entries: [FrameSchema.Entry] = []
  var enumerations: [(UInt64, UInt64, UInt64, UInt64)] = []
  private var known: [UnsafeRawPointer: Int] = unsafe [:]

  /// Adds a message and all it can hold; its index.
  mutating func add(_ pointer: UnsafePointer<ProtobufCMessageDescriptor>) -> Int {
    if let index = unsafe known[pointer] { return index }
    let added = messages.count
    unsafe known[pointer] = added
    // Safe: a descriptor's field array is a constant of the program, sorted by number.
    let fields = unsafe UnsafeBufferPointer(
      start: pointer.pointee.fields, count: Int(pointer.pointee.n_fields))
    let last = unsafe fields.last?.id ?? 0
    let base = entries.count
    messages.append(FrameSchema.Message(base: UInt32(base), last: last))
    entries.append(contentsOf: repeatElement(FrameSchema.Entry(), count: Int(last) + 1))
    var choices: [UInt32: UInt8] = [:]
    var bits: UInt8 = 0
    for index in fields.indices {
      let field = unsafe fields[index]
      var entry = unsafe self.entry(of: field)
      if unsafe field.label != PROTOBUF_C_LABEL_REPEATED {
        let shared = unsafe entry.inChoice ? choices[field.quantifier_offset] : nil
        entry.bit = shared ?? bits
        if shared == nil { bits += 1 }
        if entry.inChoice { unsafe choices[field.quantifier_offset] = entry.bit }
      }
      entries[base + Int(unsafe field.id)] = entry
    }
    precondition(bits <= 64, "a message has more than 64 fields that are there once")
    return added
  }

  private mutating func entry(of field: ProtobufCFieldDescriptor) -> FrameSchema.Entry {
    var entry = FrameSchema.Entry()
    unsafe entry.inChoice = field.flags & UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue) != 0
    (entry.kind, entry.wire) = unsafe Self.kind(of: field.type)
    entry.packable = unsafe field.label == PROTOBUF_C_LABEL_REPEATED && entry.wire != 2
    guard let target = unsafe field.descriptor else { return entry }
    // Safe: the descriptor of a field is of the kind that its type says.
    switch entry.kind {
    case .message:
      entry.target = UInt16(
        unsafe add(target.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)))
    case .enumeration:
      entry.target = UInt16(
        unsafe add(target.assumingMemoryBound(to: ProtobufCEnumDescriptor.self)))
    case .unknown, .varint, .int32, .uint32, .boolean, .fixed64, .fixed32, .text, .bytes: break
    }
    return entry
  }

  /// Adds an enumeration; its index.
  private mutating func add(_ pointer: UnsafePointer<ProtobufCEnumDescriptor>) -> Int {
    if let index = unsafe known[pointer] { return index }
    let added = enumerations.count
    unsafe known[pointer] = added
    var words: [UInt64] = [0, 0, 0, 0]
    // Safe: an enumeration's values are a constant array of the program.
    let values = unsafe UnsafeBufferPointer(
      start: pointer.pointee.values, count: Int(pointer.pointee.n_values))
    for index in values.indices {
      let number = Int(unsafe values[index].value)
      precondition(number >= 0 && number < 256, "an enumeration has a value above 255")
      words[number / 64] |= 1 << UInt64(number % 64)
    }
    enumerations.append((words[0], words[1], words[2], words[3]))
    return added
  }

  /// How deep the messages of message `index` go, itself included.
  func depth(of index: Int) -> Int {
    let message = messages[index]
    var deepest = 0
    for entry in entries[Int(message.base)...Int(message.base + message.last)]
    where entry.kind == .message {
      deepest = max(deepest, depth(of: Int(entry.target)))
    }
    return deepest + 1
  }

  private static func kind(of type: ProtobufCType) -> (FrameSchema.Kind, wire: UInt8) {
    switch type {
    case PROTOBUF_C_TYPE_INT32: (.int32, 0)
    case PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_UINT32: (.uint32, 0)
    case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_UINT64: (.varint, 0)
    case PROTOBUF_C_TYPE_BOOL: (.boolean, 0)
    case PROTOBUF_C_TYPE_ENUM: (.enumeration, 0)
    case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: (.fixed64, 1)
    case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: (.fixed32, 5)
    case PROTOBUF_C_TYPE_STRING: (.text, 2)
    case PROTOBUF_C_TYPE_BYTES: (.bytes, 2)
    case PROTOBUF_C_TYPE_MESSAGE: (.message, 2)
    default: preconditionFailure("a field has a type that protobuf-c does not have")
    }
  }
}

extension WireFault {
  /// The code that a peer is told.
  public var code: ErrorCode {
    switch reason {
    case .badLength, .truncated, .badVarint, .badTag, .badWireType, .wrongWireType, .setTwice,
      .choiceTwice:
      .badFrame
    case .oversized: .frameTooLarge
    case .tooWide, .notInEnum: .badValue
    case .badText, .innerNul: .badText
    case .textTooLong: .textTooLong
    case .tooManyElements: .tooManyElements
    case .outOfMemory: .outOfMemory
    case .missingID, .badKey, .missingColumn, .columnTwice, .tooManyFeatures: .badRequest
    case .unknownField: .unknownField
    }
  }

  /// What is wrong, for people.
  public var message: String {
    switch reason {
    case .badLength: "The frame's length is not a varint of at most 5 bytes."
    case .oversized: "The frame is too long."
    case .truncated: "A field reaches past the end of its message."
    case .badVarint: "A varint does not end, or is over 64 bits."
    case .badTag: "A field has no legal number."
    case .badWireType: "A field has a wire type that is not used."
    case .wrongWireType: "A field has the wire type of another kind of field."
    case .tooWide: "A value does not fit its field."
    case .notInEnum: "A value is not one of its enumeration."
    case .badText: "A text is not UTF-8."
    case .innerNul: "A text holds a NUL."
    case .textTooLong: "A text is too long."
    case .setTwice: "A field that may be there once is there twice."
    case .choiceTwice: "Two fields of one choice are there."
    case .tooManyElements: "The frame holds too many elements."
    case .outOfMemory: "The frame takes too much memory."
    case .missingID: "The frame has no id."
    case .badKey: "The key is empty or too long."
    case .unknownField: "A request that changes something has a field that is not known."
    case .missingColumn: "A cell names no column."
    case .columnTwice: "A cell names its column twice."
    case .tooManyFeatures: "The hello lists too many features."
    }
  }

  /// What was expected at that place.
  public var expected: String {
    switch reason {
    case .badLength: "a varint length"
    case .oversized: "at most \(Limits.frameUp) bytes"
    case .truncated: "a field that ends with its message"
    case .badVarint: "a varint of at most 10 bytes and 64 bits"
    case .badTag: "a field number from 1 to 536870911"
    case .badWireType: "wire type 0, 1, 2 or 5"
    case .wrongWireType: "the wire type of the field's kind"
    case .tooWide: "a value that fits the field's kind"
    case .notInEnum: "a value of the enumeration"
    case .badText: "UTF-8"
    case .innerNul: "text without NUL"
    case .textTooLong: "at most \(field == 0 ? Limits.name : Limits.text) bytes"
    case .setTwice: "the field once"
    case .choiceTwice: "one field of the choice"
    case .tooManyElements: "at most \(Limits.elements) elements"
    case .outOfMemory: "at most \(Limits.unpackMemory) bytes of memory"
    case .missingID: "an id above 0"
    case .badKey: "1 to \(Limits.key) bytes"
    case .unknownField: "fields of this version"
    case .missingColumn: "column or column_name"
    case .columnTwice: "column or column_name, not both"
    case .tooManyFeatures: "at most \(Limits.features) features"
    }
  }

  /// The error reply that tells all of it.
  public var error: ErrorReply {
    var error = ErrorReply(code, message)
    error.expected = expected
    error.offset = UInt64(offset)
    error.field = field == 0 ? nil : UInt64(field)
    error.operation = operation.map(UInt64.init)
    return error
  }
}

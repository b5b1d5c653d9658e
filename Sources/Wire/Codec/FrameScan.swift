internal import Coding

/// One pass over a client's frame before protobuf-c sees it.
///
/// protobuf-c checks neither UTF-8 nor widths, cuts texts at an inner NUL and lets a small
/// frame grow to many times its size; whatever passes here it unpacks without surprise.
/// Nothing is allocated.
@unsafe struct FrameScan {
  private let bytes: UnsafePointer<UInt8>
  private let messages: UnsafeMutablePointer<FrameSchema.Message>
  private let entries: UnsafeMutablePointer<FrameSchema.Entry>
  private let enumerations: UnsafeMutablePointer<(UInt64, UInt64, UInt64, UInt64)>
  private var elements = 0
  /// The first field that the schema does not have; 0: none.
  private(set) var unknownField: UInt32 = 0
  /// Where it stands.
  private(set) var unknownOffset = 0

  /// Scans `count` bytes.
  ///
  /// - Parameters:
  ///   - bytes: The frame's payload, alive while the scan is used.
  ///   - count: Its length.
  ///   - schema: The tables, alive while the scan is used.
  /// - Throws: The first fault found, without the request's id.
  /// - Complexity: O(*n*)
  init(_ bytes: UnsafePointer<UInt8>, count: Int, schema: FrameSchema) throws(WireFault) {
    unsafe self.bytes = bytes
    unsafe messages = schema.messages
    unsafe entries = schema.entries
    unsafe enumerations = schema.enumerations
    try unsafe scan(message: 0, 0, count)
  }

  private mutating func scan(message index: Int, _ start: Int, _ end: Int) throws(WireFault) {
    let message = unsafe messages[index]
    let fields = unsafe entries + Int(message.base)
    var seen: UInt64 = 0
    var at = start
    while at < end {
      let tagAt = at
      // Safe: at < end, and end is at most the frame's length, here and below.
      var tag = UInt64(unsafe bytes[at])
      at += 1
      if tag >= 0x80 { tag = try unsafe longVarint(&at, end, from: tagAt, field: 0) }
      let wire = UInt8(truncatingIfNeeded: tag & 7)
      guard tag >> 3 != 0, tag <= UInt64(UInt32.max), at - tagAt <= 5 else {
        throw WireFault(.badTag, offset: tagAt)
      }
      let number = UInt32(truncatingIfNeeded: tag >> 3)
      // Safe: entries 0...last stand from the message's base on.
      let entry = number <= message.last ? unsafe fields[Int(number)] : FrameSchema.Entry()
      if entry.kind == .unknown {
        try unsafe skip(wire, number, &at, end, from: tagAt)
        continue
      }
      if entry.bit < 64 {
        let mask: UInt64 = 1 &<< UInt64(entry.bit)
        guard seen & mask == 0 else {
          throw WireFault(entry.inChoice ? .choiceTwice : .setTwice, offset: tagAt, field: number)
        }
        seen |= mask
      }
      if wire == entry.wire {
        if wire == 2 {
          let size = try unsafe length(&at, end, from: tagAt, field: number)
          try unsafe content(entry, number, at, size)
          at += size
        } else {
          if entry.packable { try unsafe count(from: tagAt, field: number) }
          try unsafe scalar(entry, number, &at, end, from: tagAt)
        }
      } else if wire == 2, entry.packable {
        let size = try unsafe length(&at, end, from: tagAt, field: number)
        let last = at + size
        while at < last {
          let valueAt = at
          try unsafe count(from: valueAt, field: number)
          try unsafe scalar(entry, number, &at, last, from: valueAt)
        }
      } else {
        throw unsafe WireFault(Self.reason(ofWrong: wire), offset: tagAt, field: number)
      }
    }
  }

  /// Judges what a length stands in front of.
  @inline(__always)
  private mutating func content(
    _ entry: FrameSchema.Entry, _ number: UInt32, _ at: Int, _ size: Int
  ) throws(WireFault) {
    if entry.kind == .message {
      try unsafe count(from: at, field: number)
      try unsafe scan(message: Int(entry.target), at, at + size)
      return
    }
    if entry.bit == 64 { try unsafe count(from: at, field: number) }
    guard entry.kind == .text else { return }
    guard size <= Limits.text else { throw WireFault(.textTooLong, offset: at, field: number) }
    // Safe: at + size is inside the frame.
    let fault = unsafe TextCheck.fault(bytes, at, at + size)
    guard let fault else { return }
    throw WireFault(unsafe bytes[fault] == 0 ? .innerNul : .badText, offset: fault, field: number)
  }

  /// Judges a value that has no length in front.
  @inline(__always)
  private func scalar(
    _ entry: FrameSchema.Entry, _ number: UInt32, _ at: inout Int, _ end: Int, from start: Int
  ) throws(WireFault) {
    if entry.wire == 0 {
      guard at < end else { throw WireFault(.truncated, offset: start, field: number) }
      var value = UInt64(unsafe bytes[at])
      at += 1
      if value >= 0x80 { value = try unsafe longVarint(&at, end, from: start, field: number) }
      switch entry.kind {
      case .int32:
        guard Int64(bitPattern: value) == Int64(Int32(truncatingIfNeeded: value)) else {
          throw WireFault(.tooWide, offset: start, field: number)
        }
      case .uint32:
        guard value <= UInt64(UInt32.max) else {
          throw WireFault(.tooWide, offset: start, field: number)
        }
      case .boolean:
        guard value <= 1 else { throw WireFault(.tooWide, offset: start, field: number) }
      case .enumeration: try unsafe enumerated(value, entry, number, from: start)
      case .unknown, .varint, .fixed64, .fixed32, .text, .bytes, .message: break
      }
    } else {
      let size = entry.wire == 1 ? 8 : 4
      guard end - at >= size else { throw WireFault(.truncated, offset: start, field: number) }
      at += size
    }
  }

  private func enumerated(
    _ value: UInt64, _ entry: FrameSchema.Entry, _ number: UInt32, from start: Int
  ) throws(WireFault) {
    guard Int64(bitPattern: value) == Int64(Int32(truncatingIfNeeded: value)) else {
      throw WireFault(.tooWide, offset: start, field: number)
    }
    let set = unsafe enumerations[Int(entry.target)]
    let word =
      switch value >> 6 {
      case 0: set.0
      case 1: set.1
      case 2: set.2
      case 3: set.3
      default: UInt64(0)
      }
    guard word >> (value & 63) & 1 == 1 else {
      throw WireFault(.notInEnum, offset: start, field: number)
    }
  }

  /// Passes over a field that the schema does not have, and notes the first one.
  private mutating func skip(
    _ wire: UInt8, _ number: UInt32, _ at: inout Int, _ end: Int, from start: Int
  ) throws(WireFault) {
    try unsafe count(from: start, field: number)
    switch wire {
    case 0:
      guard at < end else { throw WireFault(.truncated, offset: start, field: number) }
      let first = unsafe bytes[at]
      at += 1
      if first >= 0x80 { _ = try unsafe longVarint(&at, end, from: start, field: number) }
    case 1, 5:
      at += wire == 1 ? 8 : 4
      guard at <= end else { throw WireFault(.truncated, offset: start, field: number) }
    case 2: at += try unsafe length(&at, end, from: start, field: number)
    default: throw WireFault(.badWireType, offset: start, field: number)
    }
    if unsafe unknownField == 0 {
      unsafe unknownField = number
      unsafe unknownOffset = start
    }
  }

  @inline(__always)
  private mutating func count(from start: Int, field: UInt32) throws(WireFault) {
    unsafe elements &+= 1
    guard unsafe elements <= Limits.elements else {
      throw WireFault(.tooManyElements, offset: start, field: field)
    }
  }

  /// Reads a length; what it announces lies inside the message.
  @inline(__always)
  private func length(
    _ at: inout Int, _ end: Int, from start: Int, field: UInt32
  ) throws(WireFault) -> Int {
    guard at < end else { throw WireFault(.truncated, offset: start, field: field) }
    let first = at
    var size = UInt64(unsafe bytes[at])
    at += 1
    if size >= 0x80 { size = try unsafe longVarint(&at, end, from: start, field: field) }
    guard size <= UInt64(end - at) else {
      throw WireFault(.truncated, offset: start, field: field)
    }
    // protobuf-c reads a length of at most 5 bytes.
    guard at - first <= 5 else { throw WireFault(.badVarint, offset: first, field: field) }
    return Int(size)
  }

  /// Reads a varint whose first byte, before `at`, says that it goes on.
  private func longVarint(
    _ at: inout Int, _ end: Int, from start: Int, field: UInt32
  ) throws(WireFault) -> UInt64 {
    var value = UInt64(unsafe bytes[at - 1] & 0x7f)
    var shift: UInt64 = 7
    while at < end {
      let byte = unsafe bytes[at]
      guard shift < 63 || byte <= 1 else {
        throw WireFault(.badVarint, offset: start, field: field)
      }
      at += 1
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw WireFault(.truncated, offset: start, field: field)
  }

  private static func reason(ofWrong wire: UInt8) -> WireFault.Reason {
    switch wire {
    case 0, 1, 2, 5: .wrongWireType
    default: .badWireType
    }
  }
}

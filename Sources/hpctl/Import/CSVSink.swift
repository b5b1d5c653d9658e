internal import CCSV

/// Takes the fields and records of a separated file from libcsv in its strict mode.
@safe class CSVSink {
  private let parser: UnsafeMutablePointer<csv_parser>

  /// - Parameter delimiter: What stands between the fields.
  /// - Throws: OUT_OF_MEMORY.
  init(delimiter: UInt8) throws(Fault) {
    // Safe: owned by this object and freed in deinit.
    unsafe parser = .allocate(capacity: 1)
    // Safe: the new memory is this object's own.
    unsafe parser.initialize(to: csv_parser())
    let options = UInt8(CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL)
    guard unsafe csv_init(parser, options) == 0 else {
      throw Fault(.refused, "OUT_OF_MEMORY", "out of memory")
    }
    unsafe csv_set_delim(parser, delimiter)
    // Spaces are data: without this libcsv trims unquoted fields.
    unsafe csv_set_space_func(parser) { _ in 0 }
  }

  deinit {
    // Safe: made by init; nobody else holds it.
    unsafe csv_free(parser)
    unsafe parser.deallocate()
  }

  /// Takes a field; `nil` for one that is empty and has no quotes.
  ///
  /// - Parameter bytes: Its text, valid during the call.
  func field(_ bytes: UnsafeRawBufferPointer?) {}

  /// Takes the end of a record.
  func endOfRecord() {}

  /// Whether the last byte that was read ended a record.
  var isBetweenRecords: Bool { unsafe parser.pointee.pstate == 0 }

  /// Whether the parser stopped for want of memory, not for a quote out of place.
  var isOutOfMemory: Bool { unsafe csv_error(parser) != CSV_EPARSE }

  /// Reads some bytes.
  ///
  /// - Returns: Whether they can stand there.
  func feed(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    // Safe: `self` outlives the call, and the callbacks run inside it only.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    // Safe: libcsv reads the bytes during the call only.
    let read = unsafe bytes.withUnsafeBytes { raw in
      unsafe csv_parse(
        parser, raw.baseAddress?.advanced(by: range.lowerBound), range.count, Self.onField,
        Self.onRecord, context)
    }
    return read == range.count
  }

  /// Ends the file.
  ///
  /// - Returns: Whether it may end there.
  func finish() -> Bool {
    // Safe: as in `feed`.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe csv_fini(parser, Self.onField, Self.onRecord, context) == 0
  }

  private static let onField:
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Void =
      { text, count, context in
        guard let context = unsafe context else { return }
        // Safe: the object that was passed, which is alive; libcsv's buffer lives for the call.
        let sink = unsafe Unmanaged<CSVSink>.fromOpaque(context)
        unsafe sink._withUnsafeGuaranteedRef { sink in
          unsafe sink.field(text.map { unsafe UnsafeRawBufferPointer(start: $0, count: count) })
        }
      }

  private static let onRecord: @convention(c) (CInt, UnsafeMutableRawPointer?) -> Void =
    { _, context in
      guard let context = unsafe context else { return }
      // Safe: as above.
      unsafe Unmanaged<CSVSink>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.endOfRecord() }
    }
}

internal import CSQLite

/// One prepared statement, kept for the life of its connection.
///
/// Bindings are copied by SQLite, so nothing has to outlive a call. A failed binding is reported
/// by the next `step`.
@safe
final class Statement {
  private let handle: OpaquePointer
  private let connection: Connection
  private var bindingFailure: Int32 = SQLITE_OK

  init(_ connection: Connection, handle: OpaquePointer) {
    // Safe: both are stored; this object finalises the statement before it lets go of the
    // connection.
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit {
    // Safe: the handle is this object's own and is used no more.
    unsafe sqlite3_finalize(handle)
  }

  /// Runs to the next row.
  ///
  /// - Parameter action: What a fault names.
  /// - Returns: Whether there is a row. Without one, and on a fault, the statement is reset.
  /// - Throws: What SQLite says.
  func step(_ action: StoreAction) throws(StoreFault) -> Bool {
    guard bindingFailure == SQLITE_OK else {
      let code = bindingFailure
      reset()
      throw Connection.fault(code, action)
    }
    // Safe: the handle is valid as long as this object is.
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code != SQLITE_DONE {
      let fault = connection.fault(code, action)
      reset()
      throw fault
    }
    reset()
    return false
  }

  /// Runs a statement that gives no rows.
  ///
  /// - Parameter action: What a fault names.
  /// - Throws: What SQLite says.
  func execute(_ action: StoreAction) throws(StoreFault) {
    while try step(action) {}
  }

  /// Ends a read: an open one would pin the write-ahead log.
  func reset() {
    bindingFailure = SQLITE_OK
    // Safe: the handle is valid as long as this object is. The code repeats the last step's.
    unsafe sqlite3_reset(handle)
  }

  /// Makes every parameter null.
  func clear() {
    // Safe: the handle is valid as long as this object is.
    unsafe sqlite3_clear_bindings(handle)
  }

  // MARK: Binding

  private func note(_ code: Int32) {
    precondition(code != SQLITE_RANGE && code != SQLITE_MISUSE, "binding that does not exist")
    if code != SQLITE_OK { bindingFailure = code }
  }

  func bind(_ index: Int32, _ value: Int64) {
    // Safe: passes a number.
    note(unsafe sqlite3_bind_int64(handle, index, value))
  }

  func bind(_ index: Int32, _ value: UInt64) { bind(index, Int64(bitPattern: value)) }

  func bind(_ index: Int32, _ value: Int) { bind(index, Int64(value)) }

  func bindNull(_ index: Int32) {
    // Safe: passes no data.
    note(unsafe sqlite3_bind_null(handle, index))
  }

  func bind(_ index: Int32, blob: Span<UInt8>) {
    // Safe: SQLite copies the bytes before the closure ends.
    let code = unsafe blob.withUnsafeBufferPointer { bytes in
      unsafe bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(
          handle, index, bytes.baseAddress, sqlite3_uint64(bytes.count), Statement.copied)
    }
    note(code)
  }

  func bind(_ index: Int32, blob: [UInt8]) { bind(index, blob: blob.span) }

  /// Binds bytes without a copy while `body` runs the statement.
  ///
  /// - Parameters:
  ///   - index: The parameter.
  ///   - blob: Its bytes.
  ///   - body: Runs the statement to its end.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  func lend<R, Failure: Error>(
    _ index: Int32, blob: [UInt8], _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    // Safe: the bytes live for the closure, and the parameter is set anew before it ends.
    try unsafe blob.withUnsafeBufferPointer { bytes throws(Failure) -> R in
      note(
        unsafe bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : sqlite3_bind_blob64(
            handle, index, bytes.baseAddress, sqlite3_uint64(bytes.count), nil))
      defer { bindNull(index) }
      return try body()
    }
  }

  /// Bytes that are lent to a statement.
  @safe
  struct Loan {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>
  }

  /// Lets many parameters be bound to parts of the same bytes without copies while `body` runs the
  /// statement; all of its parameters are null after that.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - body: Binds and runs the statement to its end.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  func lend<R, Failure: Error>(
    _ bytes: [UInt8], _ body: (Loan) throws(Failure) -> R
  ) throws(Failure) -> R {
    // Safe: the bytes live for the closure, and no parameter refers to them after it.
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(Failure) -> R in
      defer { clear() }
      return try unsafe body(Loan(bytes: bytes))
    }
  }

  /// Binds a part of bytes that are lent.
  func bind(_ index: Int32, blob range: Range<Int>, of loan: Loan) {
    precondition(unsafe range.upperBound <= loan.bytes.count, "beyond what is lent")
    guard !range.isEmpty, let start = unsafe loan.bytes.baseAddress else {
      // Safe: passes no data.
      note(unsafe sqlite3_bind_zeroblob(handle, index, 0))
      return
    }
    // Safe: the loan ends when the statement has run; see `lend`.
    note(
      unsafe sqlite3_bind_blob64(
        handle, index, start + range.lowerBound, sqlite3_uint64(range.count), nil))
  }

  func bind(_ index: Int32, text: Span<UInt8>) {
    // Safe: SQLite copies the bytes before the closure ends. An empty span may have no address,
    // which SQLite would take for null.
    let code = unsafe text.withUnsafeBufferPointer { bytes in
      unsafe bytes.isEmpty
        ? sqlite3_bind_text(handle, index, "", 0, Statement.copied)
        : bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe sqlite3_bind_text64(
            handle, index, characters.baseAddress, sqlite3_uint64(characters.count),
            Statement.copied, UInt8(SQLITE_UTF8))
        }
    }
    note(code)
  }

  func bind(_ index: Int32, text: String) {
    var text = text
    text.makeContiguousUTF8()
    bind(index, text: text.utf8Span.span)
  }

  func bind(_ index: Int32, textOrNull text: String?) {
    if let text { bind(index, text: text) } else { bindNull(index) }
  }

  /// SQLite's SQLITE_TRANSIENT: copy the bytes at once.
  // Safe: SQLite compares the value and never calls it.
  private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  // MARK: Columns of the row that `step` found

  @inline(__always)
  func isNull(_ column: Int32) -> Bool {
    // Safe: asks for a type.
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 {
    // Safe: reads a number.
    unsafe sqlite3_column_int64(handle, column)
  }

  @inline(__always)
  func unsigned(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

  /// Lends the bytes of a text or blob; null has none.
  @inline(__always)
  func withBytes<R>(_ column: Int32, _ body: (Span<UInt8>) -> R) -> R {
    // Safe: SQLite keeps the value until the next step, reset or conversion; the span ends with
    // the closure. Blob access does not convert a text.
    guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return body(Span()) }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe body(
      Span(_unsafeStart: bytes.assumingMemoryBound(to: UInt8.self), count: count))
  }

  func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { [UInt8](copying: $0, 0..<$0.count) }
  }

  /// A text that hpd wrote; bytes that are not UTF-8 make it a fault.
  func text(_ column: Int32, _ action: StoreAction) throws(StoreFault) -> String {
    let bytes = bytes(column)
    guard let text = try? UTF8Span(validating: bytes.span) else { throw .damaged(action) }
    return String(copying: text)
  }
}

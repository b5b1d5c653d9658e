internal import CSQLite

/// How long the write-ahead log is.
final class LogMeter {
  /// Pages in it after the last commit; fewer than before where that began the log anew.
  var pages = 0 {
    didSet { if pages < oldValue { copied = 0 } }
  }
  /// Pages of them that a checkpoint has copied.
  var copied = 0

  /// Pages that are only in the log.
  var waiting: Int { pages - copied }
}

/// One connection to a store's file.
///
/// The store has a single one and one thread uses it, so SQLite runs without its own locks
/// (sqlite.org/threadsafe.html, multi-thread mode). It closes when the last statement is gone.
@safe
final class Connection {
  private let handle: OpaquePointer
  private let busyMilliseconds: Int32
  /// Set by SQLite's commit hook.
  let log = LogMeter()

  /// Opens a file that exists.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - fileLayer: SQLite's file layer, `nil` for the system's.
  ///   - busyMilliseconds: How long locks of others are waited for.
  /// - Throws: `sqlite` with what SQLite said.
  init(path: String, fileLayer: String?, busyMilliseconds: Int32) throws(StoreFault) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    // Safe: the path and the name live through the call; the handle is closed below or in deinit.
    let code = unsafe sqlite3_open_v2(path, &opened, flags, fileLayer)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      unsafe sqlite3_close(opened)
      throw Connection.fault(code, .opening)
    }
    unsafe self.handle = handle
    self.busyMilliseconds = busyMilliseconds
    // Safe: the handle is open; the meter lives as long as this object, which closes the handle.
    unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
    // Safe: as above. This also takes the place of SQLite's automatic checkpoints (contract S11).
    unsafe _ = sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        if let context = unsafe context {
          unsafe Unmanaged<LogMeter>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(log).toOpaque())
    checkpointsOnClose(false)
  }

  /// Says whether the close may checkpoint and remove the write-ahead log.
  ///
  /// Only a clean stop may: after a failed commit it would hide what the log holds (contract S2).
  func checkpointsOnClose(_ on: Bool) {
    // Safe: sets a flag.
    unsafe _ = hp_sqlite_checkpoint_on_close(handle, on ? 1 : 0)
  }

  /// Makes the write-ahead log so long that the first commits overwrite it.
  ///
  /// A sync is faster where a file does not grow. Without room on the disk it stays as it is.
  ///
  /// - Parameter pages: The number of pages that it shall hold; the caller has the write lock.
  func growLog(to pages: Int) {
    // Safe: the handle is open; the log is written through it.
    unsafe _ = hp_sqlite_grow_log(handle, 32 + Int64(pages) * (4096 + 24))
  }

  /// Says whether the locks of other programs are waited for.
  func waitForOthers(_ on: Bool) {
    // Safe: sets a number.
    unsafe _ = sqlite3_busy_timeout(handle, on ? busyMilliseconds : 0)
  }

  deinit {
    // Safe: every statement holds this object, so none is left.
    let code = unsafe sqlite3_close(handle)
    precondition(code == SQLITE_OK, "connection closed with open statements")
  }

  /// Prepares a statement that is kept.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - action: What a fault names.
  /// - Returns: The statement.
  /// - Throws: What SQLite says.
  func prepare(_ sql: String, _ action: StoreAction) throws(StoreFault) -> Statement {
    var prepared: OpaquePointer?
    // Safe: the text lives through the call; the statement owns the handle.
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else { throw fault(code, action) }
    return unsafe Statement(self, handle: prepared)
  }

  /// Runs one or more statements whose rows nobody wants.
  ///
  /// - Parameters:
  ///   - sql: The statements.
  ///   - action: What a fault names.
  /// - Throws: What SQLite says.
  func run(_ sql: String, _ action: StoreAction) throws(StoreFault) {
    // Safe: the text lives through the call.
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw fault(code, action) }
  }

  /// Runs a query for one number.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - action: What a fault names.
  /// - Returns: The first column of the first row, `nil` for null and for no row.
  /// - Throws: What SQLite says.
  func number(_ sql: String, _ action: StoreAction) throws(StoreFault) -> Int64? {
    let statement = try prepare(sql, action)
    guard try statement.step(action) else { return nil }
    return statement.isNull(0) ? nil : statement.integer(0)
  }

  /// Whether a transaction is open.
  var inTransaction: Bool {
    // Safe: asks for a flag.
    unsafe sqlite3_get_autocommit(handle) == 0
  }

  /// The number of the row that was inserted last.
  var lastRow: UInt64 {
    // Safe: asks for a number.
    UInt64(bitPattern: unsafe sqlite3_last_insert_rowid(handle))
  }

  /// Rows that the last statement changed.
  var changes: Int {
    // Safe: asks for a number.
    Int(unsafe sqlite3_changes64(handle))
  }

  /// Copies pages of the write-ahead log into the file without waiting for anybody.
  ///
  /// - Parameter restart: Wait for readers, so that the next commit begins the log anew.
  /// - Returns: Whether every page was copied.
  /// - Throws: What SQLite says.
  func checkpoint(restart: Bool = false) throws(StoreFault) -> Bool {
    var pages: Int32 = 0
    var copied: Int32 = 0
    let mode = restart ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
    // Safe: the results are written before the call returns.
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &copied)
    if code & 0xff == SQLITE_BUSY { return false }
    guard code == SQLITE_OK else { throw fault(code, .checkpointing) }
    return pages == copied
  }

  /// The fault for what SQLite has just said.
  func fault(_ code: Int32, _ action: StoreAction) -> StoreFault {
    // Safe: asks for a number.
    let extended = unsafe sqlite3_extended_errcode(handle)
    return Connection.fault(extended & 0xff == code & 0xff ? extended : code, action)
  }

  static func fault(_ code: Int32, _ action: StoreAction) -> StoreFault {
    switch code & 0xff {
    case SQLITE_FULL: .full(action)
    case SQLITE_BUSY: .busy(action)
    case SQLITE_NOTADB: .notAStore
    case SQLITE_CORRUPT: .damaged(action)
    default: .sqlite(code: code, action)
    }
  }
}

internal import CHPSystem
internal import Glibc

/// Who a store's file is; a copy is somebody else (contract S3).
struct FileIdentity: Equatable {
  var inode: UInt64
  /// Nanoseconds since 1970, 0 where the file system keeps none.
  var birth: Int64
}

/// A lock file that is held.
private struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Parameter path: The lock's own file.
  /// - Throws: `locked`, or `system` with what the system said.
  init(path: String) throws(StoreFault) {
    var holder: Int32 = 0
    // Safe: the path lives through the call, which writes one number.
    let result = unsafe hp_file_lock(path, &holder)
    if result == -EWOULDBLOCK { throw .locked(pid: holder) }
    descriptor = try StoreFile.check(result, .locking)
  }

  deinit { hp_file_unlock(descriptor) }
}

/// A store's file and the lock that makes this process its only daemon.
///
/// The lock lies on a file of its own, `<store>.lock`: closing the database file by hand would drop
/// SQLite's locks on it (contract S11).
struct StoreFile: ~Copyable {
  /// The file without symbolic links, so that two names of one store find one lock.
  let path: String
  private let lock: FileLock

  /// Finds or makes the file and takes the lock.
  ///
  /// - Parameter path: The store's file.
  /// - Throws: `network`, `locked`, `linked`, or `system` with what the system said.
  init(path: String) throws(StoreFault) {
    // Safe: the path lives through the call.
    try StoreFile.check(unsafe hp_file_make_parents(path), .opening)
    let resolved = try StoreFile.resolve(path)
    // Safe: as above.
    switch try StoreFile.check(unsafe hp_file_network(resolved), .opening) {
    case Int32(HP_FILE_NFS): throw .network(.nfs)
    case Int32(HP_FILE_SMB): throw .network(.smb)
    case Int32(HP_FILE_9P): throw .network(.plan9)
    default: break
    }
    let lock = try FileLock(path: resolved + ".lock")
    // Safe: as above.
    try StoreFile.check(unsafe hp_file_create(resolved), .opening)
    guard try StoreFile.read(resolved).links == 1 else { throw .linked }
    self.path = resolved
    self.lock = lock
  }

  /// Who the file is now.
  func identity() throws(StoreFault) -> FileIdentity {
    let found = try StoreFile.read(path)
    return FileIdentity(inode: found.inode, birth: found.birth)
  }

  /// Makes an empty file, mode 0600.
  ///
  /// - Returns: Whether it was made: `false` where something has that name.
  static func makeEmpty(_ path: String) throws(StoreFault) -> Bool {
    // Safe: the path lives through the call.
    try check(unsafe hp_file_create(path), .copying) == 1
  }

  /// Makes a file that nobody has open durable.
  static func sync(_ path: String) throws(StoreFault) {
    // Safe: the path lives through the call.
    try check(unsafe hp_file_sync(path), .copying)
  }

  private static func read(_ path: String) throws(StoreFault) -> hp_file_identity {
    var found = hp_file_identity()
    // Safe: the path and the structure live through the call.
    try check(unsafe hp_file_identity(path, &found), .opening)
    return found
  }

  private static func resolve(_ path: String) throws(StoreFault) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    // Safe: the path and the buffer live through the call, which is told the buffer's size.
    try check(unsafe hp_file_resolve(path, &buffer, buffer.count), .opening)
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .system(errno: EILSEQ, .opening)
    }
    return text
  }

  @discardableResult
  fileprivate static func check(_ result: Int32, _ action: StoreAction) throws(StoreFault) -> Int32
  {
    guard result < 0 else { return result }
    switch -result {
    case ENOSPC, EDQUOT: throw .full(action)
    default: throw .system(errno: -result, action)
    }
  }
}

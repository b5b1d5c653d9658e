internal import Glibc

/// A file of a bundle: who it is and what it holds.
struct BundleFile {
  /// What tells one state of a file from another.
  struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64
    var size: Int
    var modified: Int64
    var changed: Int64
  }

  /// Why a file was not read.
  enum Fault: Error {
    case notFound
    /// It changed at each of the attempts.
    case changing
    case tooLarge
    case noFile
    case failed(CInt)
  }

  var identity: Identity
  var bytes: [UInt8]
  /// Whether it had been left alone for a while when it was read, so that a later change shows in
  /// its times.
  var isSettled: Bool

  /// The state of a file.
  ///
  /// - Parameter path: Its path.
  /// - Returns: Who it is, or `nil` where it can't be told.
  static func identity(of path: String) -> Identity? {
    var info = stat()
    // Safe: the struct lives for the call.
    guard unsafe stat(path, &info) == 0 else { return nil }
    return Identity(info)
  }

  /// Reads a whole file; its state is the same before and after.
  ///
  /// - Parameter path: Its path.
  /// - Throws: Any `Fault`.
  init(_ path: String) throws(Fault) {
    for _ in 0..<3 {
      if let file = try BundleFile.attempt(path) {
        self = file
        return
      }
    }
    throw .changing
  }

  private init(identity: Identity, bytes: [UInt8], isSettled: Bool) {
    self.identity = identity
    self.bytes = bytes
    self.isSettled = isSettled
  }

  /// `nil`: the file changed while it was read.
  private static func attempt(_ path: String) throws(Fault) -> BundleFile? {
    // Not to wait for a writer, should it be a FIFO.
    // Safe: the path lives for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      throw number == ENOENT || number == ENOTDIR ? .notFound : .failed(number)
    }
    defer { _ = close(descriptor) }
    let before = try state(descriptor)
    guard before.mode & S_IFMT == S_IFREG else { throw .noFile }
    let size = before.identity.size
    guard size <= NibLimits.bytes else { throw .tooLarge }
    var bytes = [UInt8](repeating: 0, count: size)
    var count = 0
    while count < size {
      // Safe: the buffer has `size` bytes and lives for the call.
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress?.advanced(by: count), size - count)
      }
      if got < 0 {
        let number = errno
        if number == EINTR { continue }
        throw .failed(number)
      }
      if got == 0 { return nil }
      count += got
    }
    let after = try state(descriptor)
    guard after.identity == before.identity else { return nil }
    var now = timespec()
    // Safe: the struct lives for the call.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
    let age = now.nanoseconds - max(before.identity.modified, before.identity.changed)
    // A clock's tick is some milliseconds; a second change within one would not show.
    return BundleFile(identity: before.identity, bytes: bytes, isSettled: age > 50_000_000)
  }

  private static func state(
    _ descriptor: CInt
  ) throws(Fault) -> (identity: Identity, mode: mode_t) {
    var info = stat()
    // Safe: the struct lives for the call.
    guard unsafe fstat(descriptor, &info) == 0 else { throw .failed(errno) }
    return (Identity(info), info.st_mode)
  }
}

extension BundleFile.Identity {
  fileprivate init(_ info: stat) {
    device = UInt64(info.st_dev)
    inode = UInt64(info.st_ino)
    size = Int(info.st_size)
    modified = info.st_mtim.nanoseconds
    changed = info.st_ctim.nanoseconds
  }
}

extension timespec {
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}

extension BundleFile {
  /// The system's words for an error number.
  static func text(of number: CInt) -> String {
    // Safe: strerror's text is copied at once; one thread serves views.
    unsafe String(cString: strerror(number))
  }
}

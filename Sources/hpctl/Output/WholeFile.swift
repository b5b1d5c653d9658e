internal import Glibc

/// A file that is there whole or not at all: written beside its name, then renamed.
///
/// What is no regular file (a pipe, a device) is written directly. An interrupted run leaves
/// nothing behind.
final class WholeFile {
  let output: Output
  private let name: String
  private let path: String
  /// The name while it is written; `nil` where it is written directly.
  private let temporary: String?
  private let descriptor: CInt
  private var isOpen = true

  /// Begins a file.
  ///
  /// - Parameter name: Its name, as the user gave it; links are followed.
  /// - Throws: OUTPUT with the system's reason.
  init(_ name: String) throws(Fault) {
    self.name = name
    var status = stat()
    // Safe, here and below: paths are lent for the calls, the struct is a local.
    let isThere = unsafe stat(name, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      path = name
      temporary = nil
      descriptor = unsafe open(name, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure(name, errno) }
      output = Output(descriptor: descriptor)
      return
    }
    path = isThere ? Self.resolved(name) : name
    let beside = path + ".\(getpid()).new"
    Interruption.leaves(beside)
    descriptor = unsafe open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let code = errno
      Interruption.leavesNothing()
      throw Self.failure(name, code)
    }
    if isThere { _ = fchmod(descriptor, status.st_mode & 0o7777) }
    temporary = beside
    output = Output(descriptor: descriptor)
  }

  /// Ends the file: on disk, under its name.
  ///
  /// - Throws: OUTPUT with the system's reason; the old file is as it was then.
  func finish() throws(Fault) {
    output.flush()
    if let code = output.failure { throw Self.failure(name, code) }
    guard let temporary else { return }
    guard fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
      throw Self.failure(name, errno)
    }
    close()
  }

  private func close() {
    guard isOpen else { return }
    isOpen = false
    _ = Glibc.close(descriptor)
    if temporary != nil { Interruption.leavesNothing() }
  }

  deinit {
    if isOpen, let temporary { _ = unsafe unlink(temporary) }
    close()
  }

  private static func resolved(_ name: String) -> String {
    // Safe: realpath's text is copied and given back.
    guard let text = unsafe realpath(name, nil) else { return name }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }

  private static func failure(_ name: String, _ code: CInt) -> Fault {
    Fault(.refused, "OUTPUT", "\(TerminalSafety.shown(name)): \(Input.reason(code))")
  }
}

/// What a signal that ends hpctl takes with it.
private enum Interruption {
  // Safe: one thread; the handler only reads it, and it is set before the handler is.
  nonisolated(unsafe) static var path: UnsafeMutablePointer<CChar>?

  static func leaves(_ name: String) {
    unsafe path = strdup(name)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      // Safe: a local of this call. What is ignored (nohup) stays so.
      guard unsafe sigaction(number, nil, &old) == 0,
        unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) != 1
      else { continue }
      signal(number) { number in
        // Safe: unlink and _exit may be called in a handler.
        if let path = unsafe Interruption.path { _ = unsafe unlink(path) }
        _exit(128 + number)
      }
    }
  }

  static func leavesNothing() {
    let old = unsafe path
    unsafe path = nil
    // Safe: made by strdup above, and nobody else has it now.
    unsafe free(old)
  }
}

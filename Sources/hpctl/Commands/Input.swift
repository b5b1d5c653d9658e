internal import Glibc

/// What comes in: stdin and files.
enum Input {
  /// The largest file that is read.
  static let limit = 1 << 30

  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// A line of stdin without its end; `nil` at the end of the input.
  static func line() -> String? { readLine(strippingNewline: true) }

  /// Reads a file, or stdin for `-`.
  ///
  /// - Parameters:
  ///   - name: The file's name; without one stdin is read, but not from a terminal.
  ///   - verb: The verb that reads, for messages.
  /// - Returns: All bytes.
  /// - Throws: Usage when there is no name and stdin is a terminal; BAD_INPUT for a file that
  ///   can't be read or is too large.
  static func read(_ name: String?, verb: Verb) throws(Fault) -> [UInt8] {
    guard let name, name != "-" else {
      guard name != nil || !isTerminal else {
        throw .usage(
          "\(verb.rawValue) needs a file, or - for stdin", hint: "hpctl help \(verb.rawValue)")
      }
      return try read(STDIN_FILENO, "stdin")
    }
    let descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(name, errno) }
    defer { close(descriptor) }
    return try read(descriptor, name)
  }

  private static func read(_ descriptor: CInt, _ name: String) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      var code: CInt = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        // Safe: the buffer is the new array's own, and read fills at most its capacity.
        let got = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        code = got < 0 ? errno : 0
        count = max(got, 0)
      }
      if code == EINTR { continue }
      guard code == 0 else { throw failure(name, code) }
      if piece.isEmpty { return bytes }
      bytes.append(contentsOf: piece)
      guard bytes.count <= limit else {
        throw .badInput(
          "\(TerminalSafety.shown(name)) is larger than \(limit >> 20) MiB",
          hint: "split it into several files")
      }
    }
  }

  private static func failure(_ name: String, _ code: CInt) -> Fault {
    .badInput("\(TerminalSafety.shown(name)): \(reason(code))")
  }

  /// What the system says about an errno.
  static func reason(_ code: CInt) -> String {
    // Safe: strerror's text is copied before anything else could change it; one thread.
    unsafe String(cString: strerror(code))
  }
}

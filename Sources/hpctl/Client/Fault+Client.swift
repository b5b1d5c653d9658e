internal import hpclient

extension Fault {
  /// Why a call of the client failed, with all that the daemon said about it.
  init(client: OpaquePointer, seconds: Double) {
    // Safe: `client` is alive during the call; everything is copied.
    if let refusal = unsafe hp_client_server_error(client) {
      unsafe self.init(server: refusal.pointee)
      return
    }
    unsafe self.init(error: hp_client_error(client).pointee, seconds: seconds)
  }

  /// Why a call of the library failed on this side, or how the connection ended.
  init(error: hp_error, seconds: Double) {
    var error = error
    // Safe: `error` is a local that outlives the message's pointer.
    let message = unsafe withUnsafePointer(to: &error) { pointer in
      unsafe String(cString: hp_error_message(pointer))
    }
    let code = ErrorCode(rawValue: error.code.rawValue)
    switch error.kind {
    case HP_ERROR_SOCKET_PATH:
      self = .unreachable(message, hint: "--socket or HPD_SOCKET name another socket")
    case HP_ERROR_CONNECT:
      self = .unreachable(
        message, hint: "is hpd running? --socket or HPD_SOCKET name another socket")
    case HP_ERROR_TIMEOUT:
      self = .unreachable(
        "no answer within \(seconds.formatted) s",
        hint: "a change may have happened all the same; --timeout waits longer")
    case HP_ERROR_GOODBYE:
      self.init(
        ExitStatus(code: code), code?.name ?? "GOODBYE",
        "the daemon ended the connection: " + message)
    case HP_ERROR_TOO_LARGE:
      self = .coded(
        .frameTooLarge, "one operation is larger than a request may be (1 MiB or 200,000 elements)",
        hint: "split it into several")
    case HP_ERROR_ARGUMENT: self = .badInput(message)
    case HP_ERROR_MEMORY: self.init(.refused, "OUT_OF_MEMORY", message)
    case HP_ERROR_PROTOCOL: self.init(.refused, "PROTOCOL", message)
    default: self = .unreachable(message)
    }
  }

  /// What helps against a refusal where the daemon itself has no hint.
  private static func hint(_ code: ErrorCode?) -> String? {
    switch code {
    case .notHolder: "hpctl edit on takes hold; --lease hpctl then changes under it"
    default: nil
    }
  }

  /// A sentence of the daemon in the form of all others: what is wrong with a frame it tells with
  /// a capital and a full stop.
  private static func plain(_ message: String) -> String {
    guard message.hasSuffix("."), let first = message.first, first.isUppercase else {
      return message
    }
    return first.lowercased() + message.dropFirst().dropLast()
  }

  /// A refusal of the daemon.
  init(server error: hp_server_error) {
    let code = unsafe ErrorCode(rawValue: error.code.rawValue)
    self.init(
      ExitStatus(code: code), code?.name ?? "CODE_\(unsafe error.code.rawValue)",
      Self.plain(unsafe String(hp: error.message) ?? "refused"),
      hint: unsafe String(hp: error.hint) ?? Self.hint(code))
    operation = unsafe error.has_operation ? error.operation : nil
    path = unsafe error.has_path ? IndexPath(error.path) : nil
    otherPath = unsafe error.has_other_path ? IndexPath(error.other_path) : nil
    row = unsafe error.has_row ? error.row : nil
    section = unsafe error.has_section ? error.section : nil
    revision = unsafe error.has_revision ? error.revision : nil
    column = unsafe String(hp: error.column)
    value = unsafe String(hp: error.value)
    file = unsafe String(hp: error.file)
    line = unsafe error.has_line ? Int(clamping: error.line) : nil
    expected = unsafe String(hp: error.expected)
    // Safe: the list belongs to the error, which is alive during the call.
    unsafe UnsafeBufferPointer(start: error.conflicts, count: error.conflict_count).forEach {
      conflict in
      conflicts.append(
        Conflict(
          revision: unsafe conflict.revision, uid: unsafe conflict.uid,
          actor: unsafe String(hp: conflict.actor) ?? "",
          row: unsafe conflict.row == 0 ? nil : conflict.row,
          section: unsafe conflict.section == 0 ? nil : conflict.section,
          column: unsafe String(hp: conflict.column), isRemoved: unsafe conflict.removed))
    }
  }
}

extension IndexPath {
  init(_ path: hp_path) { self.init(section: path.section, row: path.row) }
}

extension Double {
  /// Seconds without a fraction where there is none.
  var formatted: String { self == rounded() ? String(Int(self)) : "\(self)" }
}

internal import CHPSystem
internal import Glibc

/// The socket that clients connect to.
///
/// A socket file that nobody answers at is replaced; one that a daemon answers at never is
/// (SPEC 8). The file is removed at the end unless systemd owns it.
final class Listener {
  let descriptor: Descriptor
  let path: String
  private let owned: Bool
  private var spare: CInt

  /// Why hpd can't listen.
  enum Fault: Error {
    case inUse(String)
    case notASocket(String)
    case failed(SystemFault)
  }

  init(path: String) throws(Fault) {
    self.path = path
    spare = hp_spare_fd()
    if hp_listen_fds() == 1 {
      descriptor = Descriptor(3)
      owned = false
      return
    }
    owned = true
    // Safe, here and below: a path's characters are lent for the call.
    let kind = unsafe hp_is_socket(path)
    if kind == 0 { throw .notASocket(path) }
    if kind == 1 { try Listener.removeStale(path) }
    let socket = Descriptor(hp_socket_unix())
    guard socket.raw >= 0 else {
      throw .failed(SystemFault(doing: "socket", code: hp_errno()))
    }
    guard unsafe hp_bind_unix(socket.raw, path) == 0 else {
      let code = hp_errno()
      if code == EADDRINUSE { throw .inUse(path) }
      throw .failed(SystemFault(doing: "bind to \(path)", code: code))
    }
    guard hp_listen(socket.raw, 128) == 0 else {
      throw .failed(SystemFault(doing: "listen", code: hp_errno()))
    }
    descriptor = socket
  }

  private static func removeStale(_ path: String) throws(Fault) {
    let probe = Descriptor(hp_socket_unix())
    guard unsafe hp_connect_unix(probe.raw, path) != 0 else { throw .inUse(path) }
    let code = hp_errno()
    guard code == ECONNREFUSED || code == ENOENT else { throw .inUse(path) }
    _ = unsafe unlink(path)
  }

  /// What came of accepting one connection.
  enum Accepted: ~Copyable {
    case connection(Descriptor)
    /// Out of descriptors: the connection was taken with the spare one and must be refused.
    case exhausted(Descriptor)
    case none
    case retryLater(CInt)
  }

  func accept() -> Accepted {
    while true {
      let raw = hp_accept(descriptor.raw)
      if raw >= 0 { return .connection(Descriptor(raw)) }
      let code = hp_errno()
      switch code {
      case EINTR, ECONNABORTED: continue
      case EAGAIN, EWOULDBLOCK: return .none
      case EMFILE, ENFILE:
        guard spare >= 0 else { return .retryLater(code) }
        _ = close(spare)
        spare = -1
        let raw = hp_accept(descriptor.raw)
        guard raw >= 0 else {
          spare = hp_spare_fd()
          return .retryLater(code)
        }
        return .exhausted(Descriptor(raw))
      default: return .retryLater(code)
      }
    }
  }

  /// Opens the spare descriptor again, after a refused connection was closed.
  func restoreSpare() {
    if spare < 0 { spare = hp_spare_fd() }
  }

  /// Removes the socket file, so that clients see at once that nobody is there.
  func removeFile() {
    if owned { _ = unsafe unlink(path) }
  }

  deinit {
    if spare >= 0 { _ = close(spare) }
  }
}

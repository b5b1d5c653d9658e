internal import CHPSystem
internal import Glibc

/// The kernel's readiness queue, level-triggered.
final class Epoll {
  private let descriptor: Descriptor
  private var ready: [hp_ready]

  init(capacity: Int = 256) throws(SystemFault) {
    let raw = hp_epoll_create()
    guard raw >= 0 else { throw SystemFault(doing: "epoll_create", code: hp_errno()) }
    descriptor = Descriptor(raw)
    ready = Array(repeating: hp_ready(token: 0, events: 0), count: capacity)
  }

  func add(_ fd: CInt, _ interest: UInt32, _ token: Token) throws(SystemFault) {
    guard hp_epoll_add(descriptor.raw, fd, interest, token.packed) == 0 else {
      throw SystemFault(doing: "epoll_ctl", code: hp_errno())
    }
  }

  func modify(_ fd: CInt, _ interest: UInt32, _ token: Token) {
    _ = hp_epoll_modify(descriptor.raw, fd, interest, token.packed)
  }

  func remove(_ fd: CInt) {
    _ = hp_epoll_remove(descriptor.raw, fd)
  }

  /// Waits for events, at most `milliseconds` (-1: for ever).
  ///
  /// - Returns: How many events `event(_:)` has.
  func wait(milliseconds: CInt) -> Int {
    // Safe: the kernel fills at most as many entries as the array has.
    let count = unsafe ready.withUnsafeMutableBufferPointer { buffer in
      unsafe hp_epoll_wait(
        descriptor.raw, buffer.baseAddress, CInt(buffer.count), milliseconds)
    }
    return max(0, Int(count))
  }

  func event(_ index: Int) -> (token: Token, events: UInt32) {
    (Token(packed: ready[index].token), ready[index].events)
  }
}

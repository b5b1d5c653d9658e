internal import CHPSystem
internal import Glibc

/// What a system call came to.
enum SystemResult {
  case done(Int)
  case wouldBlock
  case peerGone
  case failed(CInt)
}

/// A system call that failed, with what was being done.
struct SystemFault: Error {
  let doing: String
  let code: CInt

  /// The reason in the C library's words.
  var text: String { errorText(code) }
}

/// The C library's words for an error number.
func errorText(_ code: CInt) -> String {
  // Safe: strerrordesc_np gives a static string.
  unsafe String(cString: hp_error_text(code))
}

/// Sorts a call's outcome; the error number is read before anything else can run.
private func sorted(_ count: Int, _ code: CInt) -> SystemResult {
  if count >= 0 { return .done(count) }
  switch code {
  case EAGAIN, EWOULDBLOCK: return .wouldBlock
  case EPIPE, ECONNRESET, ENOTCONN: return .peerGone
  case EBADF, EFAULT: fatalError("a descriptor or pointer of our own is wrong")
  default: return .failed(code)
  }
}

/// Receives into `memory`; 0 bytes mean that the peer has closed.
func receive(_ descriptor: CInt, into memory: UnsafeMutableRawBufferPointer) -> SystemResult {
  while true {
    // Safe: the caller lends the memory for the call.
    let count = unsafe hp_receive(descriptor, memory.baseAddress, memory.count)
    let code = hp_errno()
    if count < 0, code == EINTR { continue }
    return sorted(count, code)
  }
}

/// Sends pieces of memory in one call.
func send(_ descriptor: CInt, _ pieces: UnsafeBufferPointer<hp_piece>) -> SystemResult {
  while true {
    // Safe: the caller keeps the pieces' memory alive for the call.
    let count = unsafe hp_send(descriptor, pieces.baseAddress, pieces.count)
    let code = hp_errno()
    if count < 0, code == EINTR { continue }
    return sorted(count, code)
  }
}

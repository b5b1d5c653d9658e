internal import Glibc

/// Bytes on their way to a descriptor, written with `write(2)` in large pieces.
///
/// A reader that has gone is no error: `hpctl list | head -1` ends quietly.
final class Output {
  private let descriptor: CInt
  private var buffer: [UInt8] = []
  /// The reader closed its end; nothing more is written.
  private(set) var isReaderGone = false
  /// errno of a write that failed for another reason.
  private(set) var failure: CInt?

  init(descriptor: CInt) {
    self.descriptor = descriptor
    // One that was closed at the start stands for reading: who waits for something to write ends.
    if fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY { failure = EBADF }
  }

  /// Whether nothing that is written arrives any more.
  var isOver: Bool { isReaderGone || failure != nil }

  /// Said when polling shows that the reader has closed its end.
  func readerIsGone() { isReaderGone = true }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  func write(_ bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= 1 << 16 { flush() }
  }

  func write(_ text: String) { write(text.utf8) }

  func line(_ text: String) { write(text + "\n") }

  func line(_ value: JSON) {
    write(value.text)
    write(CollectionOfOne(UInt8(ascii: "\n")))
  }

  /// Writes what is buffered; waits where the descriptor does not block.
  func flush() {
    var start = 0
    while start < buffer.count, !isOver {
      // Safe: the buffer is owned here and is not changed during the call.
      let (count, code) = unsafe buffer.withUnsafeBytes { bytes -> (Int, CInt) in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        return (count, errno)
      }
      if count >= 0 {
        start += count
      } else if code == EPIPE {
        isReaderGone = true
      } else if code == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Safe: a local of this call; poll keeps no pointer to it.
        _ = unsafe poll(&waiting, 1, -1)
      } else if code != EINTR {
        failure = code
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

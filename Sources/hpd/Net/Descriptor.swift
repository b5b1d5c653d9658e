internal import Glibc

/// An open file descriptor; the value's end closes it.
struct Descriptor: ~Copyable {
  let raw: CInt

  init(_ raw: CInt) { self.raw = raw }

  deinit { _ = close(raw) }
}

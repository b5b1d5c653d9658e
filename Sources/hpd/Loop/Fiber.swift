internal import CHPSystem

/// Work on a stack of its own, carried on in turns; nothing else runs meanwhile.
@safe final class Fiber {
  /// Enough for the deepest calls of SQLite; only what is used costs memory.
  private static let stack = 4 << 20

  // Safe: owned by this object, freed in deinit once the body has returned.
  private var handle: OpaquePointer?
  private var body: (() -> Void)?
  private(set) var isDone = false

  /// Takes the work; it begins with the first `resume`.
  ///
  /// - Parameter body: The work. It must come to its end before the fiber is let go of.
  init(_ body: @escaping () -> Void) {
    self.body = body
    // Safe: the fiber outlives its body, so the reference that is passed is good while it runs.
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    // Safe: as above.
    unsafe handle = hp_fiber_new(
      Fiber.stack,
      { context in
        guard let context = unsafe context else { return }
        // Safe: what was passed above.
        let fiber = unsafe Unmanaged<Fiber>.fromOpaque(context).takeUnretainedValue()
        let body = fiber.body
        fiber.body = nil
        body?()
      }, this)
  }

  deinit {
    // Safe: nobody else has it. One whose body is still on its stack is kept for ever instead.
    if let handle = unsafe handle, isDone { unsafe hp_fiber_free(handle) }
  }

  /// Whether there was memory for its stack.
  var isReady: Bool { unsafe handle != nil }

  /// Goes on with the work until it pauses or is done.
  func resume() {
    guard let handle = unsafe handle, !isDone else { return }
    // Safe: called from the loop's own stack only.
    isDone = unsafe !hp_fiber_resume(handle)
  }

  /// Called by the work: lets the loop go on.
  func pause() {
    // Safe: called on the fiber's stack only, so there is one.
    if let handle = unsafe handle { unsafe hp_fiber_pause(handle) }
  }
}

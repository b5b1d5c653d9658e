internal import hpclient

/// A connection to the daemon: a thin face over hpclient's blocking layer.
@safe final class Client {
  /// What the daemon's hello said.
  struct Hello {
    var server: String
    var epoch: UInt64
    var revision: UInt64
    var client: UInt64
    var uid: UInt64
    /// Microseconds on the daemon's running clock, which ends of leases are told by.
    var runningClock: Int64
    var frameLimit: UInt64
    var rows: RowLimits
  }

  let handle: OpaquePointer
  let hello: Hello
  private let timeout: Double
  /// Called while a batch is sent in parts: bytes that the daemon has, and all there are.
  var onProgress: ((UInt64, UInt64) -> Void)?

  /// The time that an answer may take.
  var milliseconds: Int32 { max(1, Int32(clamping: Int(min(timeout, 1_000_000) * 1_000))) }

  /// Connects and waits for the hello.
  ///
  /// - Parameters:
  ///   - socket: The path that was given, or `nil` for the usual places.
  ///   - actor: Who changes are signed by.
  ///   - timeout: Seconds that a reply may take.
  /// - Throws: UNREACHABLE when nobody answers.
  init(socket: String?, actor: String, timeout: Double) throws(Fault) {
    let text = CText()
    var options = unsafe hp_async_options()
    // Safe: the texts live in `text` until after the calls, and the library copies them.
    unsafe options.client_name = text("hpctl " + HP_VERSION)
    unsafe options.actor = text(actor)
    let milliseconds = Int32(clamping: Int(min(timeout, 1_000_000) * 1_000))
    unsafe options.connect_timeout = max(1, milliseconds)
    guard let handle = unsafe hp_client_new(&options) else {
      throw Fault(.refused, "OUT_OF_MEMORY", "out of memory")
    }
    unsafe hp_client_set_timeout(handle, max(1, milliseconds))
    guard unsafe hp_client_connect(handle, text(optional: socket)),
      let hello = unsafe hp_client_hello(handle)
    else {
      // Safe: `handle` is freed here and nowhere else, because the object is not made.
      defer { unsafe hp_client_free(handle) }
      throw unsafe Fault(client: handle, seconds: timeout)
    }
    // Safe: owned by this object and freed in deinit; `hello` lives as long as the client.
    unsafe self.handle = handle
    self.timeout = timeout
    self.hello = Hello(
      server: unsafe String(hp: hello.pointee.server) ?? "", epoch: unsafe hello.pointee.epoch,
      revision: unsafe hello.pointee.revision, client: unsafe hello.pointee.client,
      uid: unsafe hello.pointee.uid,
      runningClock: unsafe hello.pointee.running_clock,
      frameLimit: unsafe hello.pointee.limits.frame_up,
      rows: unsafe RowLimits(hello.pointee.limits))
    // Keeps the copied texts until the library has read them.
    withExtendedLifetime(text) {}
    // Safe: the library calls back only from calls of this object, which is alive then.
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe hp_client_set_progress(
      handle,
      { taken, total, context in
        guard let context = unsafe context else { return }
        // Safe: the object that was passed above.
        unsafe Unmanaged<Client>.fromOpaque(context).takeUnretainedValue().onProgress?(
          taken, total)
      }, this)
  }

  /// How long each later answer may take.
  ///
  /// - Parameter seconds: At least as long as one may wait for the outcome of a large batch.
  func wait(seconds: Double) {
    unsafe hp_client_set_timeout(
      handle, max(1, Int32(clamping: Int(min(seconds, 1_000_000) * 1_000))))
  }

  deinit { unsafe hp_client_free(handle) }

  /// Queues a request.
  ///
  /// - Parameter body: Calls one `hp_send_…` function.
  /// - Returns: The request's number, for `receive`.
  /// - Throws: BAD_INPUT, FRAME_TOO_LARGE or UNREACHABLE; nothing was sent then.
  func send(_ body: (OpaquePointer) -> UInt64) throws(Fault) -> UInt64 {
    // Safe: the connection belongs to the client, which lives as long as this object.
    guard let connection = unsafe hp_client_async(handle) else {
      throw .unreachable("the connection is closed")
    }
    let number = unsafe body(connection)
    guard number != 0 else {
      throw unsafe Fault(error: hp_async_error(connection).pointee, seconds: timeout)
    }
    return number
  }

  /// Waits for the reply to a request.
  ///
  /// - Throws: What the daemon refused, or why no reply came.
  func receive(_ request: UInt64) throws(Fault) -> Reply {
    guard let reply = unsafe hp_client_receive(handle, request) else {
      // Safe: `handle` is owned here; the fault copies what it says.
      let fault = unsafe Fault(client: handle, seconds: timeout)
      _ = unsafe hp_client_clear_error(handle)
      throw fault
    }
    // Safe: the reply's ownership passes to the object, which frees it.
    return unsafe Reply(handle: reply)
  }

  /// Sends one request and waits for its reply.
  func run(_ body: (OpaquePointer) -> UInt64) throws(Fault) -> Reply {
    try unsafe receive(send(body))
  }

  /// The next event, or `nil` when none came within the time.
  ///
  /// - Parameter milliseconds: How long to wait; 0 takes only what is there, negative waits.
  /// - Returns: The event, which the caller alone holds.
  /// - Throws: Why the connection is over.
  func event(milliseconds: Int32) throws(Fault) -> Event? {
    if let event = unsafe hp_wait_event(handle, milliseconds) {
      // Safe: the event's ownership passes to the object, which frees it.
      return unsafe Event(handle: event)
    }
    guard unsafe hp_client_error(handle).pointee.kind != HP_ERROR_NONE else { return nil }
    throw unsafe Fault(client: handle, seconds: timeout)
  }

  /// What to poll while waiting for events: descriptor, events, and milliseconds at most.
  var polling: (descriptor: CInt, events: Int16, timeout: CInt) {
    // Safe: the connection belongs to the client, which lives as long as this object.
    guard let connection = unsafe hp_client_async(handle) else { return (-1, 0, 0) }
    return unsafe (
      hp_async_fd(connection), hp_async_events(connection), hp_async_timeout(connection)
    )
  }
}

/// A reply of the daemon; what is read from it lives as long as this object.
@safe final class Reply {
  let handle: OpaquePointer

  init(handle: OpaquePointer) { unsafe self.handle = handle }

  // Safe: the reply was handed over to this object alone.
  deinit { unsafe hp_reply_free(handle) }
}

/// An event of a subscription.
@safe final class Event {
  let handle: UnsafeMutablePointer<hp_event>

  init(handle: UnsafeMutablePointer<hp_event>) { unsafe self.handle = handle }

  // Safe: the event was handed over to this object alone.
  deinit { unsafe hp_event_free(handle) }
}

extension String {
  /// A text of the C library, which has checked that it is UTF-8.
  init?(hp text: UnsafePointer<CChar>?) {
    guard let text = unsafe text else { return nil }
    self = unsafe String(cString: text)
  }
}

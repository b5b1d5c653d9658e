internal import CHPSystem
internal import Glibc
internal import TableService

/// Ends the program with a line that says why.
func fail(_ text: String, _ status: Int32 = 1) -> Never {
  write("hpd: \(text)\n", to: 2)
  exit(status)
}

/// Writes text for people in one call.
func write(_ text: String, to descriptor: CInt) {
  var text = text
  text.withUTF8 { bytes in
    // Safe: the bytes live for the call.
    _ = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  }
}

// A store or a socket must not become what is written to for people.
_ = hp_keep_standard()

let options: Options
do {
  options = try Options()
} catch {
  fail(error.text, 2)
}
if options.help {
  write(Options.usage, to: 1)
  exit(0)
}
if options.version {
  write("hpd \(Daemon.release)\n", to: 1)
  exit(0)
}

hp_private_umask()
let signals = hp_signal_fd()
guard signals >= 0 else { fail("signalfd: \(errorText(hp_errno()))") }
let log = Log(level: options.logLevel)

let storePath: String
do {
  storePath = try Paths.store(options.store)
} catch {
  fail(error.text)
}

if options.check {
  exit(Check.run(storePath))
}

let socketPath: String
do {
  socketPath = try Paths.socket(options.socket)
} catch {
  fail(error.text)
}

let began = hp_monotonic_us()
let service: Service
do {
  service = try Service(
    StoreOptions(path: storePath, durability: Daemon.storeDurability(options.durability)),
    retention: options.retention)
} catch {
  fail("\(storePath): \(error)")
}
if let copy = service.keptCopy {
  log.write(.info, "store migrated", ["copy": copy])
}

let listener: Listener
do {
  listener = try Listener(path: socketPath)
} catch {
  // The store was opened, so it is closed again as a clean end.
  try? service.close()
  switch error {
  case .inUse(let path): fail("\(path): another daemon answers there")
  case .notASocket(let path): fail("\(path) is there and is no socket; it is left alone")
  case .failed(let fault): fail("\(fault.doing): \(fault.text)")
  }
}

let daemon: Daemon
do {
  daemon = try Daemon(
    options: options, log: log, service: service, storePath: storePath, listener: listener,
    signals: Descriptor(signals))
} catch {
  fail("\(error.doing): \(error.text)")
}
log.write(
  .info, "ready",
  [
    "socket": socketPath, "store": storePath, "revision": "\(service.revision)",
    "ms": "\((hp_monotonic_us() - began) / 1000)",
  ])
// Safe: a literal, and the environment is not changed.
_ = unsafe hp_notify("READY=1")
daemon.run()
exit(0)

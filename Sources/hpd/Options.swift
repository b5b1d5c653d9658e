internal import CHPSystem
internal import Glibc
internal import TableService

/// What the command line asks for.
struct Options {
  enum Durability: String {
    case commit
    case interval
    case none
  }

  var socket: String?
  var store: String?
  var bundle: String?
  var durability = Durability.commit
  var logLevel = LogLevel.info
  var check = false
  var help = false
  var version = false
  var maximumClients = 2048
  var maximumClientsPerUser = 1024
  var maximumOutput = 8 << 20
  var maximumUpload = 512 << 20
  var maximumTotalOutput = 256 << 20
  var historyRevisions: Int?
  var historyBytes: Int?
  var historySeconds: Int?

  /// How much of the past is kept.
  var retention: Service.Retention {
    var retention = Service.Retention()
    if let historyRevisions { retention.historyRevisions = UInt64(historyRevisions) }
    if let historyBytes { retention.historyBytes = Int64(historyBytes) }
    if let historySeconds { retention.historySeconds = Int64(historySeconds) }
    return retention
  }

  static let usage = """
    Usage: hpd [--socket PATH] [--store PATH] [OPTION…]

      --socket PATH        where to listen; else $HPD_SOCKET, $XDG_RUNTIME_DIR/hpd/hpd.sock
                           or /tmp/hpd-UID/hpd.sock
      --store PATH         the SQLite file; else $XDG_DATA_HOME/hpd/hpd.db
                           or ~/.local/share/hpd/hpd.db
      --bundle FOLDER      .xib files of views; else the folder bundle beside the store
      --durability MODE    commit (default): on disk before the reply; interval; none
      --log-level LEVEL    error, warning, info (default) or debug
      --max-clients N      connections at a time (2048)
      --max-clients-per-user N
                           connections of one user at a time (1024)
      --max-output BYTES   unread output after which a client is told goodbye (8388608)
      --max-upload BYTES   a batch that is sent in parts (536870912); of one user twice as much
                           at a time, of all four times
      --max-output-total BYTES
                           the same for all clients together (268435456)
      --history-revisions N, --history-bytes BYTES, --history-seconds SECONDS
                           how much of the past is kept to go on from
                           (1000000, 4294967296, 31536000)
      --check              examine the store and exit
      --version            say which version this is
      --help               say this

    """

  /// A command line that can't be followed.
  struct Fault: Error {
    let text: String
  }

  private static let names: [(name: StaticString, takesArgument: Bool)] = [
    ("socket", true), ("store", true), ("bundle", true),
    ("durability", true), ("log-level", true),
    ("max-clients", true), ("max-clients-per-user", true), ("max-output", true),
    ("max-upload", true),
    ("max-output-total", true), ("history-revisions", true), ("history-bytes", true),
    ("history-seconds", true),
    ("check", false), ("version", false), ("help", false),
  ]

  /// Reads the command line with glibc's getopt_long.
  ///
  /// - Throws: `Fault`, with a text for people; getopt's own messages stand on standard error.
  init() throws(Fault) {
    // Safe: the entries point to the program's own literals.
    var list = unsafe [hp_option]()
    for (index, entry) in Options.names.enumerated() {
      // Safe: a StaticString's bytes are part of the program and end with a NUL.
      unsafe entry.name.utf8Start.withMemoryRebound(
        to: CChar.self, capacity: entry.name.utf8CodeUnitCount + 1
      ) { name in
        unsafe list.append(
          hp_option(
            name: name, value: CInt(256 + index), takes_argument: entry.takesArgument ? 1 : 0))
      }
    }
    while true {
      var argument: UnsafePointer<CChar>?
      var index: CInt = 0
      // Safe: argv outlives the process; the list outlives the call.
      let found = unsafe hp_option_next(
        CommandLine.argc, CommandLine.unsafeArgv, "", list, list.count, &argument, &index)
      if found < 0 {
        if index < CommandLine.argc {
          throw Fault(text: "unexpected word: \(CommandLine.arguments[Int(index)])")
        }
        return
      }
      guard found >= 256 else { throw Fault(text: "see hpd --help") }
      // Safe: getopt's argument is a word of argv.
      let value = unsafe argument.map { unsafe String(cString: $0) } ?? ""
      try set(Options.names[Int(found) - 256].name.description, value)
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(Fault) {
    switch name {
    case "socket": socket = value
    case "store": store = value
    case "bundle": bundle = value
    case "durability":
      guard let mode = Durability(rawValue: value) else {
        throw Fault(text: "--durability takes commit, interval or none, not \"\(value)\"")
      }
      durability = mode
    case "log-level":
      guard let level = LogLevel(name: value) else {
        throw Fault(text: "--log-level takes error, warning, info or debug, not \"\(value)\"")
      }
      logLevel = level
    case "max-clients": maximumClients = try number(name, value, 1...100_000)
    case "max-clients-per-user": maximumClientsPerUser = try number(name, value, 1...100_000)
    case "max-output": maximumOutput = try number(name, value, 65_536...(1 << 32))
    case "max-upload": maximumUpload = try number(name, value, 65_536...(1 << 31))
    case "max-output-total":
      maximumTotalOutput = try number(name, value, 1_048_576...(1 << 40))
    case "history-revisions": historyRevisions = try number(name, value, 1...(1 << 40))
    case "history-bytes": historyBytes = try number(name, value, 65_536...(1 << 50))
    case "history-seconds": historySeconds = try number(name, value, 1...(1 << 32))
    case "check": check = true
    case "version": version = true
    default: help = true
    }
  }

  private func number(
    _ name: String, _ value: String, _ range: ClosedRange<Int>
  ) throws(Fault) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw Fault(text: "--\(name) takes \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

internal import CTerminal
internal import Glibc

/// What a verb works with: its command line, where results and notes go, and the daemon.
final class Context {
  let invocation: Invocation
  let format: Format
  let output: Output
  /// Notes for the user, on stderr.
  let notes: Output
  let isColored: Bool
  private var connection: Client?

  init(_ invocation: Invocation, output: Output, notes: Output) throws(Fault) {
    self.invocation = invocation
    self.output = output
    self.notes = notes
    format = try Self.format(invocation, isTerminal: output.isTerminal)
    switch invocation[.color] ?? "auto" {
    case "always": isColored = true
    case "never": isColored = false
    case "auto":
      isColored =
        output.isTerminal && Environment["TERM"] != "dumb" && Environment["NO_COLOR"] == nil
    case let other:
      throw .usage("--color is auto, always or never, not \"\(TerminalSafety.shown(other))\"")
    }
    _ = try seconds()
    guard format != .template || Template.verbs.contains(invocation.verb.rawValue) else {
      throw .usage(
        "a template is for rows, and \(invocation.verb.rawValue) prints none",
        hint: "it goes with " + Template.verbs.sorted().joined(separator: ", "))
    }
    let verb = invocation.verb
    guard ![.csv, .tsv].contains(format) || verb != .watch && !verb.rawValue.hasPrefix("scene ")
    else {
      throw .usage(
        "\(verb.rawValue) prints no \(format.rawValue)",
        hint: "--format is table, plain, json or ndjson")
    }
  }

  /// The format that was asked for, or the usual one.
  static func format(_ invocation: Invocation, isTerminal: Bool) throws(Fault) -> Format {
    if let name = invocation[.format] {
      guard let format = Format(rawValue: name) else {
        throw .usage(
          "unknown format \"\(TerminalSafety.shown(name))\"",
          hint: "known are " + Format.allCases.map(\.rawValue).joined(separator: ", "))
      }
      guard !invocation.has(.json) || format == .json else {
        throw .usage("--json and --format \(name) contradict each other")
      }
      guard !invocation.has(.formatString) || format == .template else {
        throw .usage("--format-string goes with --format template, not \(name)")
      }
      return format
    }
    if invocation.has(.json) {
      guard !invocation.has(.formatString) else {
        throw .usage("--json and --format-string contradict each other")
      }
      return .json
    }
    if invocation.has(.formatString) { return .template }
    return isTerminal ? .table : .plain
  }

  /// The table that the verb works on.
  var table: String { invocation[.table] ?? "items" }

  var isQuiet: Bool { invocation.has(.quiet) }

  /// Writes a line for the user to stderr, unless `-q` is given.
  func note(_ text: String) {
    guard !isQuiet else { return }
    notes.line("hpctl: " + text)
    notes.flush()
  }

  /// Writes a line for the user to stderr where `-v` asks for it.
  func detail(_ text: @autoclosure () -> String) {
    if invocation.has(.verbose) { note(text()) }
  }

  /// What `--timeout` says.
  func seconds() throws(Fault) -> Double? {
    guard let text = invocation[.timeout] else { return nil }
    guard let seconds = Double(text), seconds > 0, seconds.isFinite else {
      throw .usage("--timeout takes seconds, not \"\(TerminalSafety.shown(text))\"")
    }
    return seconds
  }

  /// The connection to the daemon, made when it is first needed.
  func client() throws(Fault) -> Client {
    if let connection { return connection }
    let client = try connect()
    connection = client
    return client
  }

  /// A further connection, which belongs to the caller.
  func connect() throws(Fault) -> Client {
    let wait = invocation.verb == .watch ? nil : try seconds()
    let client = try Client(
      socket: invocation[.socket], actor: actor, timeout: wait ?? 10)
    detail(
      "connected to \(client.hello.server) as client \(client.hello.client), at "
        + Cursor(epoch: client.hello.epoch, revision: client.hello.revision).text)
    return client
  }

  /// `--actor`, else HPCTL_ACTOR, else `USER/hpctl` (contract K10).
  private var actor: String {
    if let actor = invocation[.actor] ?? Environment["HPCTL_ACTOR"] { return actor }
    return (Environment["USER"] ?? Environment["LOGNAME"] ?? "uid\(getuid())") + "/hpctl"
  }

  /// A grid for rows of text, in the width of the terminal.
  func grid(_ columns: [Grid.Column]) -> Grid {
    Grid(
      columns, format: format, output: output,
      width: output.isTerminal ? Int(hp_terminal_columns(STDOUT_FILENO)) : 0,
      isColored: isColored)
  }

  /// A cell as this format shows it; times are local in tables, unless `--utc` is given.
  func text(_ value: CellValue, in column: ColumnInfo) -> String? {
    if case .timestamp(let time) = value, format == .table, !invocation.has(.utc) {
      return Calendar.localText(timestamp: time)
    }
    return value.text(in: column)
  }
}

/// The environment's variables.
enum Environment {
  /// A variable's value, or `nil` when it is empty, not set, or no UTF-8.
  static subscript(name: String) -> String? {
    // Safe: the value belongs to the environment, which nothing here changes; it is copied.
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(validatingCString: value)
  }
}

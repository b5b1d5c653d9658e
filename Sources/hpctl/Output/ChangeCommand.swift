internal import CTerminal
internal import Glibc

/// What `--exec` runs for each change: a command of the shell, with the change as its stdin.
struct ChangeCommand {
  private let command: String
  private var lines: [UInt8] = []
  private var environment: [(name: String, value: String)] = []

  init?(_ context: Context) {
    guard let command = context.invocation[.exec] else { return nil }
    self.command = command
  }

  /// Takes one line of a change; a revision may have several.
  mutating func add(
    _ line: JSON, epoch: UInt64, from: UInt64, revision: UInt64, table: String,
    actor: String
  ) {
    lines += line.text
    lines.append(UInt8(ascii: "\n"))
    environment = [
      ("HPCTL_EPOCH", Cursor.epochText(epoch)), ("HPCTL_FROM", String(from)),
      ("HPCTL_REVISION", String(revision)), ("HPCTL_TABLE", table), ("HPCTL_ACTOR", actor),
    ]
  }

  /// Forgets a change whose last part did not come.
  mutating func forget() { lines = [] }

  /// Runs the command for the change that was taken, and waits for its end.
  ///
  /// - Returns: Its exit status; 0 where there is nothing to tell it.
  /// - Throws: It can't be run.
  mutating func run() throws(Fault) -> CInt {
    guard !lines.isEmpty else { return 0 }
    defer { lines = [] }
    // Safe: setenv copies both texts, and this process has one thread.
    for (name, value) in environment { _ = unsafe setenv(name, value, 1) }
    // Safe: the bytes are alive and unchanged until the call returns, which keeps no pointer.
    let status = unsafe lines.withUnsafeBytes {
      unsafe hp_run_command(command, $0.baseAddress, $0.count)
    }
    guard status >= 0 else {
      throw Fault(.refused, "EXEC", "the command can't be run: " + Input.reason(-status))
    }
    return status
  }
}

internal import TableService
internal import Wire

/// The live state of the daemon's tables, and what belongs to it between turns.
final class EditingDesk {
  /// Who edits what.
  var board = EditingBoard()
  /// The board before the first step of this turn that waits for the turn's commit: what is
  /// put back where that fails (contract S2).
  var saved: EditingBoard?
  /// The number of the last event that the scenes have followed.
  var followed: UInt64 = 0
  /// The tables whose nodes were told that they say Done.
  var titled: Set<UInt64> = []
  /// The tables whose flag the scenes show as up, and those where a swipe has raised it.
  var shown: Set<UInt64> = []
  var swiped: Set<UInt64> = []
  /// When the timer for the next lease's end is set, on the monotonic clock.
  var leaseTimer: Int64?
  /// When the next lease ends, on the running clock.
  var nextEnd: Int64?
}

extension ErrorCode {
  /// The code as it is written in the schema: `NO_SUCH_ROW`.
  var schemaName: String {
    var name = ""
    for letter in "\(self)" {
      if letter.isUppercase { name.append("_") }
      name.append(contentsOf: letter.uppercased())
    }
    return name
  }
}

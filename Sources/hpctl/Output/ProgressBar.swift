/// A line on a terminal that says how far something has come; it is gone when that is done.
final class ProgressBar {
  private static let cells = 24

  private let output: Output
  private var shown = -1

  /// Begins with nothing shown.
  ///
  /// - Parameter output: Where it stands: a terminal.
  init(_ output: Output) { self.output = output }

  /// Shows how far it has come.
  ///
  /// - Parameters:
  ///   - done: What is done.
  ///   - total: All there is.
  func show(_ done: UInt64, of total: UInt64) {
    let percent = total == 0 ? 100 : Int(min(done, total) * 100 / total)
    guard percent != shown else { return }
    shown = percent
    output.write(ProgressBar.text(percent))
    output.flush()
  }

  /// Takes the line away.
  func end() {
    guard shown >= 0 else { return }
    shown = -1
    output.write("\r\u{1b}[K")
    output.flush()
  }

  /// The line for a percentage; all sent means that it is being applied.
  static func text(_ percent: Int) -> String {
    let full = cells * percent / 100
    let bar = String(repeating: "#", count: full) + String(repeating: ".", count: cells - full)
    let number = String(percent)
    let padding = String(repeating: " ", count: 3 - number.count)
    return "\r[\(bar)] \(padding)\(number) %" + (percent == 100 ? ", applying" : "")
  }
}

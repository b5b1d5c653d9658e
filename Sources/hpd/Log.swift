internal import CHPSystem
internal import Glibc

/// How much a log line matters.
enum LogLevel: Int, CaseIterable {
  case error
  case warning
  case info
  case debug

  var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .info: "info"
    case .debug: "debug"
    }
  }

  init?(name: String) {
    guard let found = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// One line an event on standard error; never the contents of cells.
struct Log {
  var level: LogLevel
  private let time = LogTime()

  /// Makes a log.
  ///
  /// - Parameter level: What is less important is dropped.
  init(level: LogLevel) { self.level = level }

  /// Writes a line in one call.
  ///
  /// - Parameters:
  ///   - level: Dropped where it is above the log's own.
  ///   - event: A short word for what happened.
  ///   - fields: Names and values.
  func write(_ level: LogLevel, _ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    guard level.rawValue <= self.level.rawValue else { return }
    var line = "\(time.stamp)hpd: \(level.name) \(event)"
    for (name, value) in fields { line += " \(name)=\(Log.quoted(value))" }
    line += "\n"
    line.withUTF8 { bytes in
      // Safe: the bytes live for the call.
      _ = unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
    }
  }

  /// A value without spaces and controls stands as it is, any other in quotes.
  static func quoted(_ value: String) -> String {
    let plain = value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7f }
    if plain, !value.isEmpty { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

import Foundation
import Testing

/// A golden frame (Proto/golden/README.md).
struct Golden: CustomTestStringConvertible, Sendable {
  var name: String
  var isUp: Bool
  /// The whole frame, its length first.
  var frame: [UInt8]

  var testDescription: String { name }

  /// The bytes after the length.
  var payload: [UInt8] {
    let head = frame.prefix { $0 >= 0x80 }.count + 1
    return Array(frame.dropFirst(head))
  }

  static let all: [Golden] = load()
  static let up = all.filter(\.isUp)
  static let down = all.filter { !$0.isUp }

  static func named(_ name: String) throws -> Golden {
    try #require(all.first { $0.name == name })
  }

  private static func load() -> [Golden] {
    let folder = URL(filePath: #filePath)
      .appending(path: "../../../Proto/golden").standardizedFileURL
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".hex") }.sorted().compactMap { file in
      guard
        let text = try? String(contentsOf: folder.appending(path: file), encoding: .utf8)
      else { return nil }
      var golden = Golden(name: String(file.dropLast(4)), isUp: false, frame: [])
      for line in text.split(separator: "\n") {
        if line == "direction: up" { golden.isUp = true }
        guard line.hasPrefix("hex: ") else { continue }
        var digits = line.dropFirst(5)
        while !digits.isEmpty {
          guard let byte = UInt8(digits.prefix(2), radix: 16) else { return nil }
          golden.frame.append(byte)
          digits = digits.dropFirst(2)
        }
      }
      return golden
    }
  }
}

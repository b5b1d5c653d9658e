import Testing

@testable import hpctl

/// The manual page says what the command table says.
@Suite struct ManualTests {
  private static func manual() throws -> String {
    let path = #filePath.replacingSuffix(
      "Tests/CommandTests/ManualTests.swift", with: "man/hpctl.1")
    let bytes = try Input.read(path, verb: .help)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "\\-")
  }

  @Test(arguments: Verb.allCases) func describesEveryVerb(verb: Verb) throws {
    let manual = try Self.manual()
    #expect(manual.contains("\n.B " + Self.escaped(verb.rawValue)))
    for option in CommandTable.info(verb).options {
      #expect(manual.contains("\n.B \\-\\-" + Self.escaped(option.rawValue)))
    }
  }

  @Test(arguments: OptionName.global) func describesEveryGlobalOption(option: OptionName) throws {
    #expect(try Self.manual().contains("\\-\\-" + Self.escaped(option.rawValue)))
  }

  @Test func describesEveryExitStatus() throws {
    let manual = try Self.manual()
    for status: Int32 in [0, 1, 2, 3, 4, 5, 6, 130] {
      #expect(hpctl.ExitStatus(rawValue: status) != nil)
      #expect(manual.contains("\n.TP\n\(status)\n"))
    }
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
    hasSuffix(suffix) ? dropLast(suffix.count) + other : self
  }
}

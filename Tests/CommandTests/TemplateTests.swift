import Testing

@testable import hpctl

@Suite struct TemplateTests {
  static let row = Row(
    id: 7, revision: 41, cells: [.text("Kettle"), .null, .decimal(3995), .null],
    path: IndexPath(section: 0, row: 3), section: 2)

  private func line(_ template: String, isSafe: Bool = false) throws -> String {
    let template = try Template(template, columns: Sample.columns)
    return template.line(Self.row, section: "Kit\u{1b}chen", isSafe: isSafe) { index in
      Self.row.cells[index].text(in: Sample.columns[index])
    }
  }

  static let lines: [(template: String, line: String)] = [
    ("{{name}} {{value}}", "Kettle 39.95\n"), ("{{ name }}\\t{{_id}}\\n", "Kettle\t7\n"),
    ("{{name}}\\0", "Kettle\0"), ("{{serial}}|", "|\n"),
    ("{{default(serial, \"none\")}}", "none\n"), ("{{default(serial, name)}}", "Kettle\n"),
    ("{{trunc(name, 4)}}", "Ket…\n"), ("{{trunc(default(serial, \"a b c d\"), 4)}}", "a b…\n"),
    ("{{_revision}} {{_path}} {{id}}", "41 0,3 7\n"), ("a{b}\\\\", "a{b}\\\n"), ("", "\n"),
    ("{{_section}}", "Kit\u{1b}chen\n"), ("{{default(serial, \"q\\\\t\\t\")}}", "q\\t\t\n"),
  ]

  @Test(arguments: lines) func makesLines(template: String, line: String) throws {
    #expect(try self.line(template) == line)
  }

  @Test func sendsNoControlsOfCellsToATerminal() throws {
    #expect(try line("{{_section}}\\t", isSafe: true) == "Kit\\x1bchen\t\n")
  }

  @Test(arguments: [
    "{{", "{{}}", "{{name", "{{name}", "\\x", "\\", "{{trunc(name)}}", "{{trunc(name, 0)}}",
    "{{upper(name, 1)}}", "{{default(name, \"x)}}",
  ]) func refusesWhatIsWrong(template: String) throws {
    let fault = try #require(throws: Fault.self) { try line(template) }
    #expect(fault.status == .usage)
  }

  @Test func suggestsColumns() throws {
    let fault = try #require(throws: Fault.self) { try line("{{nmae}}") }
    #expect(fault.status == .notFound && fault.hint == "did you mean name?")
  }
}

import Glibc
import Testing

@testable import hpctl

/// What a person sees: columns that stay in order and in their width, whatever cells hold.
@Suite struct GridTests {
  private func written(
    _ rows: [[String?]], format: Format = .table, width: Int = 0
  ) throws -> [String] {
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    let output = Output(descriptor: ends[1])
    var grid = Grid(
      [
        Grid.Column(title: "id", isNumeric: true), Grid.Column(title: "name"),
        Grid.Column(title: "x"),
      ],
      format: format, output: output, width: width, isColored: false)
    for row in rows { grid.add(row) }
    grid.finish()
    output.flush()
    close(ends[1])
    defer { close(ends[0]) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(ends[0], &bytes, bytes.count)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  static let texts = [
    "Kettle", "日本語のやかん", "👨‍👩‍👧 family", "e\u{301}le\u{301}gant", "שלום", "مرحبا بالعالم", "🇩🇪🇫🇷",
    "\u{1b}[31mred\u{1b}[0m", "a\u{202e}b", "\u{7f}\u{9b}31m", "tab\there", "", "한국어", "ก็ำ", "❤️",
  ]

  @Test(arguments: texts) func laterColumnsStartWhereTheyShould(text: String) throws {
    let lines = try written([["1", text, "end"], ["2", "plain", "end"]])
    #expect(lines.count == 3)
    let isolates: Set<Unicode.Scalar> = ["\u{2068}", "\u{2069}"]
    for line in lines.dropFirst() {
      #expect(line.hasSuffix("end"))
      var seen = String.UnicodeScalarView()
      seen.append(contentsOf: line.unicodeScalars.filter { !isolates.contains($0) })
      #expect(Width.of(String(seen)) == Width.of(lines[0]) + 2)
      #expect(
        seen.allSatisfy { !TerminalSafety.isControl($0) }, "\(line.unicodeScalars.map(\.value))")
    }
  }

  @Test(arguments: texts) func cutsToTheTerminal(text: String) throws {
    for width in 1...40 {
      for line in try written([["1", text + text + text, "end"]], width: width) {
        let isolated = line.unicodeScalars.filter { $0 == "\u{2068}" || $0 == "\u{2069}" }.count
        #expect(isolated % 2 == 0)
        // Five columns are the least: a sign, or what is left of it, for each.
        #expect(
          Width.of(String(line.filter { $0 != "\u{2068}" && $0 != "\u{2069}" })) <= max(width, 14))
      }
    }
  }

  @Test func isolatesWhatIsWrittenFromRightToLeft() throws {
    let lines = try written([["1", "שלום", "x"]])
    #expect(lines[1].contains("\u{2068}שלום\u{2069}"))
  }

  @Test func programsGetTextAsItIs() throws {
    let lines = try written([["1", "\u{1b}[31m\u{202e}", nil]], format: .tsv)
    #expect(lines == ["id\tname\tx", "1\t\u{1b}[31m\u{202e}\t"])
  }
}

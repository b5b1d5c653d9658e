import CHPProto
import HouseSupport
import Testing

@testable import TableService

@Suite struct RowImageTests {
  static let values: [[(column: UInt64, value: CellValue)]] = [
    [],
    [(1, .text([]))],
    [(1, .text(Array("Kettle".utf8))), (2, .text(Array("0007".utf8))), (3, .decimal(3995))],
    [(1, .integer(.min)), (2, .integer(.max)), (3, .decimal(-1)), (4, .timestamp(-5))],
    [(5, .boolean(true)), (6, .boolean(false)), (300, .date(-719_162))],
    [(9, .text(Array(repeating: 0x78, count: 200))), (1 << 40, .integer(0))],
  ]

  @Test(arguments: values.indices) func isTheWiresRow(index: Int) throws {
    let image = RowImage.make(id: 1 << 52, revision: 300, cells: Self.values[index])
    let isOne = RowImage.isCanonical(image.span)
    #expect(isCanonical(image, .row) && isOne)
    let row = try #require(hp__v1__row__unpack(nil, image.count, image))
    defer { hp__v1__row__free_unpacked(row, nil) }
    #expect(row.pointee.id == 1 << 52 && row.pointee.revision == 300)
    #expect(row.pointee.n_cells == Self.values[index].count)
    var found: [(column: UInt64, value: CellValue)] = []
    RowImage.forEachCell(of: image.span) { found.append(($0, $1)) }
    #expect(found.map(\.column) == Self.values[index].map(\.column))
    #expect(found.map(\.value) == Self.values[index].map(\.value))
  }

  @Test func anythingElseIsRefused() {
    let image = RowImage.make(id: 7, revision: 9, cells: Self.values[2])
    var refused: [[UInt8]] = []
    for cut in 0..<image.count where cut < 4 { refused.append(Array(image[..<cut])) }
    refused.append(image + [0x20, 1])
    refused.append([0x08, 0x87, 0x00, 0x10, 0x09])
    refused.append([0x10, 0x09, 0x08, 0x07])
    refused.append([0x08, 7, 0x10, 9, 0x1a, 4, 0x08, 1, 0x38, 2])
    refused.append([0x08, 7, 0x10, 9, 0x1a, 5, 0x08, 1, 0x12, 1, 0xff])
    refused.append([0x08, 7, 0x10, 9, 0x1a, 4, 0x08, 2, 0x18, 2, 0x1a, 4, 0x08, 1, 0x18, 2])
    refused.append([0x08, 7, 0x10, 9, 0x1a, 2, 0x08, 1])
    for bytes in refused {
      let isOne = RowImage.isCanonical(bytes.span)
      #expect(!isOne, "\(bytes)")
    }
  }

  @Test func randomMergesAgreeWithDictionaries() {
    var random = SeededRandom(seed: 11)
    var cells: [UInt64: CellValue] = [:]
    for step in 0..<3000 {
      let old = make(cells, revision: 5)
      var text: [UInt8] = []
      var updates: [ImageCell] = []
      var new = cells
      for column in 1...8 as ClosedRange<UInt64> where random.below(3) == 0 {
        var cell = ImageCell(column: column, kind: .text, source: .null)
        new[column] = nil
        if random.below(2) == 0 {
          let bytes = [UInt8](repeating: 0x61, count: random.below(3) * 70)
          cell = ImageCell(
            column: column, kind: .text, source: .text, start: text.count, count: bytes.count)
          text += bytes
          new[column] = .text(bytes)
        } else if random.below(2) == 0 {
          cell = ImageCell(column: column, kind: .integer, source: .number, number: Int64(step))
          new[column] = .integer(Int64(step))
        }
        updates.append(cell)
      }
      var merged: [UInt8] = []
      let none: [UInt8] = []
      RowImage.merge(
        updates, into: old.span, revision: 6, text: text.span, spare: none.span, to: &merged)
      #expect(merged == make(new, revision: 6), "step \(step)")
      let areEqual = RowImage.haveEqualCells(old.span, merged.span)
      #expect(areEqual == (cells == new), "step \(step)")
      var columns: [UInt64] = []
      RowImage.appendChangedColumns(from: old.span, to: merged.span, into: &columns)
      #expect(columns == (1...8).filter { cells[$0] != new[$0] }, "step \(step)")
      let restamped = RowImage.restamped(merged.span, revision: 5)
      #expect(restamped == make(new, revision: 5))
      cells = new
    }
  }

  private func make(_ cells: [UInt64: CellValue], revision: UInt64) -> [UInt8] {
    RowImage.make(
      id: 3, revision: revision,
      cells: cells.sorted { $0.key < $1.key }.map { (column: $0.key, value: $0.value) })
  }

  @Test func columnsComeBack() throws {
    var column = Column(id: 7, name: "Preis €", kind: .decimal)
    column.isRequired = true
    column.isReadOnly = true
    column.scale = 2
    column.currency = "EUR"
    column.defaultValue = .decimal(-5)
    column.fill = .decimal(0)
    for column in Schema.homepwnerColumns + [column] {
      var bytes: [UInt8] = []
      column.append(to: &bytes)
      #expect(isCanonical(bytes, .column))
      let read = try Column(at: 0..<bytes.count, in: bytes.span)
      #expect(read == column)
    }
  }

  @Test func sectionsComeBack() throws {
    var section = SectionRecord(id: 5, title: Array("Küche".utf8))
    section.header = HeaderFooter(title: "H", view: "HeaderView", height: 0).encoded
    section.footer = []
    section.sentinel = [0x0a, 1, 0x78]
    var bytes: [UInt8] = []
    section.append(to: &bytes, index: 2, rows: 9)
    #expect(isCanonical(bytes, .section))
    let read = try SectionRecord(at: 0..<bytes.count, in: bytes.span)
    #expect(read == section)
  }

  @Test func namesFoldCase() {
    #expect(Name.key("Größe") == Name.key("GRÖSSE"))
    #expect(Name.key("e\u{301}") == Name.key("É"))
    #expect(Name.key("abc") == Name.key("ABC") && Name.key("abc") != Name.key("abd"))
  }
}

import Testing

@testable import Wire

@Suite struct GoldenColumnTests {
  @Test func columnOperationsAreRead() throws {
    let decoder = RequestDecoder()
    _ = try decoder.decode(Golden.named("batch_columns").payload.span)
    let batch = decoder.batch
    func text(_ range: TextRange) -> String {
      String(decoding: batch.text[range.range], as: UTF8.self)
    }
    var place = ColumnInfo(name: "place", kind: .text)
    place.required = true
    place.defaultValue = .text("Hall")
    place.fill = .text("?")
    var code = ColumnInfo(name: "code", kind: .integer)
    code.unique = true
    #expect(batch.columns == [place, code])
    let told = batch.operations.map { operation in
      switch operation.action {
      case .addColumn(let index, let before):
        "add \(batch.columns[index].name) before \(before.map(text) ?? "the end")"
      case .renameColumn(let column, let name): "rename \(text(column)) to \(text(name))"
      case .moveColumn(let column, let index): "move \(text(column)) to \(index)"
      case .dropColumn(let column): "drop \(text(column))"
      default: "other"
      }
    }
    #expect(
      told == [
        "add place before value", "add code before the end", "rename serial to number",
        "move place to 0", "drop value",
      ])
    // The next batch holds nothing of it.
    _ = try decoder.decode(Golden.named("insert_row").payload.span)
    #expect(decoder.batch.columns.isEmpty)
  }
}

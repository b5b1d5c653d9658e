import Testing

@testable import hpctl

@Suite struct BatchFileTests {
  private func request(_ text: String) throws -> BatchRequest {
    try BatchFile.request(BatchFile.Text(Array(text.utf8)), columns: Sample.columns)
  }

  @Test func readsADocument() throws {
    let request = try request(
      """
      {"table":"items","mode":"sequence","expect":"ff:41","key":"k","dry_run":true,
       "ops":[{"op":"insert_section","title":"Attic","as":1},
              {"op":"insert_row","last_of":{"as":1},"row":{"name":"Fan","value":"12.50"},"as":2},
              {"op":"move_row","row_id":{"as":2},"before":7},
              {"op":"update_row","row_id":7,"row":{"value":12.5,"serial":null}},
              {"op":"title_section","section_id":"Attic","title":null},
              {"op":"upsert","column":"name","row":"Kettle","first_of":2}]}
      """)
    #expect(request.mode == .sequence)
    #expect(request.expect == PartialCursor(epoch: 255, revision: 41))
    #expect(request.key == "k")
    #expect(request.isDryRun)
    let fan = NewRow(
      cells: [
        Assignment(column: 1, value: .text("Fan")), Assignment(column: 3, value: .decimal(1250)),
      ], handle: 2)
    let kettle = NewRow(cells: [Assignment(column: 1, value: .text("Kettle"))])
    #expect(
      request.operations == [
        .insertSection(title: "Attic", rows: [], handle: 1, .standard),
        .insertRow(fan, .last(.handle(1))), .moveRow(.handle(2), .before(.id(7))),
        .updateRow(
          .id(7),
          [
            Assignment(column: 3, value: .decimal(1250)), Assignment(column: 2, value: .null),
          ]), .titleSection(.title("Attic"), nil),
        .upsert(column: "name", kettle, .first(.id(2))),
      ])
  }

  @Test func readsOperationsOnManyRows() throws {
    let request = try request(
      """
      {"op":"delete_where","where":"name ~ lid","matched":2}
      {"op":"update_where","where":"","row":{"serial":null}}
      {"op":"move_many","where":"serial is null","first_of":"Attic"}
      {"op":"move_many","row_ids":[7,9],"before":3,"matched":2}
      {"op":"add_to_cell","row_id":7,"column":"value","amount":"-1.50","floor":0}
      {"op":"sort_section","section_id":2,"by":["value:desc","name:nocase"]}
      """)
    #expect(request.mode == .sequence && request.matched == [0: 2, 3: 2])
    let part = Filter(
      nodes: [Filter.Node(operation: .contains, column: "name", values: [.text("lid")])])
    let null = Filter(nodes: [Filter.Node(operation: .isNull, column: "serial")])
    #expect(
      request.operations == [
        .deleteWhere(part), .updateWhere(Filter(), [Assignment(column: 2, value: .null)]),
        .moveWhere(null, .first(.title("Attic"))), .moveRows([7, 9], .before(.id(3))),
        .addToCell(
          .id(7), Assignment(column: 3, value: .decimal(-150)), floor: 0, ceiling: nil),
        .sortSection(
          .id(2),
          [
            SortKey(column: "value", isDescending: true),
            SortKey(column: "name", isFolded: true),
          ]),
      ])
    for text in [
      "{\"op\":\"delete_where\"}", "{\"op\":\"delete_where\",\"where\":7}",
      "{\"op\":\"move_many\",\"where\":\"\",\"row_ids\":[1],\"before\":1}",
      "{\"op\":\"move_many\",\"row_ids\":[1]}", "{\"op\":\"sort_section\",\"section_id\":2}",
      "{\"op\":\"add_to_cell\",\"row_id\":7,\"column\":\"name\",\"amount\":1}",
      "{\"op\":\"delete_row\",\"row_id\":7,\"matched\":1}",
      "{\"op\":\"delete_where\",\"where\":\"\",\"matched\":-1}",
    ] {
      #expect(throws: Fault.self) { try self.request(text) }
    }
  }

  @Test func pathsMakeATransition() throws {
    let request = try request(
      """
      {"ops":[{"op":"insert_row","path":[0,5],"row":"Virg"},{"op":"delete_row","path":[0,4]},
      {"op":"move_row","from":[0,1],"to":[0,3]},{"op":"reload_row","path":[0,2]},
      {"op":"insert_section","section":0,"id":"N","rows":["X","Y"]},
      {"op":"delete_section","section":1},{"op":"move_section","from":2,"to":0},
      {"op":"reload_section","section":3,"rows":["9"]}]}
      """)
    #expect(request.mode == .transition)
    func row(_ name: String) -> NewRow {
      NewRow(cells: [Assignment(column: 1, value: .text(name))])
    }
    func path(_ row: UInt64) -> IndexPath { IndexPath(section: 0, row: row) }
    #expect(
      request.operations == [
        .insertRow(row("Virg"), .path(path(5))), .deleteRow(.path(path(4))),
        .moveRow(.path(path(1)), .path(path(3))), .reloadRow(.path(path(2)), []),
        .insertSection(title: "N", rows: [row("X"), row("Y")], handle: 0, .index(0)),
        .deleteSection(.index(1)), .moveSection(.index(2), .index(0)),
        .reloadSection(.index(3), rows: [row("9")]),
      ])
  }

  @Test func readsOneOperationALine() throws {
    let request = try request(
      "{\"op\":\"delete_row\",\"row_id\":7}\n\n{\"op\":\"delete_row\",\"row_id\":8}\n")
    #expect(request.operations == [.deleteRow(.id(7)), .deleteRow(.id(8))])
    #expect(request.mode == .sequence)
  }

  static let refused: [(text: String, says: String, line: Int?, operation: UInt64?)] = [
    ("", "no operation", nil, nil), ("{\"ops\":[]}", "no operation", nil, nil),
    ("[]", "an object", 1, 0), ("{\"ops\":[{}]}", "\"op\" is missing", nil, 0),
    ("{\"ops\":[],\"opps\":1}", "unknown name \"opps\"", nil, nil),
    ("{\"ops\":[{\"op\":\"delete_row\",\"row_id\":7,\"row\":1}]}", "takes no \"row\"", nil, 0),
    ("{\"ops\":[{\"op\":\"delete_roww\",\"row_id\":7}]}", "unknown operation", nil, 0),
    ("{\"ops\":[],\"ops\":[]}", "not JSON", 1, nil),
    (
      "{\"op\":\"delete_row\",\"row_id\":7}\n{\"op\":\"delete_row\",\n\"row_id\":}", "not JSON", 3,
      nil
    ),
    ("{\"op\":\"delete_row\",\"row_id\":7}\n{\"op\":\"delete_row\"}", "missing", 2, 1),
    (
      "{\"ops\":[{\"op\":\"delete_row\",\"row_id\":7},{\"op\":\"delete_row\",\"path\":[0,1]}]}",
      "some operations use paths", nil, nil
    ),
    ("{\"ops\":[{\"op\":\"insert_row\",\"row\":{\"nme\":\"x\"}}]}", "no column \"nme\"", nil, 0),
    (
      "{\"ops\":[{\"op\":\"insert_row\",\"row\":{\"value\":\"12,34\"}}]}", "is not an amount", nil,
      0
    ),
    ("{\"ops\":[{\"op\":\"insert_row\",\"row\":{\"value\":0.125}}]}", "is not an amount", nil, 0),
    (
      "{\"ops\":[{\"op\":\"insert_row\",\"row\":{\"serial\":7}}]}", "a number is not a text", nil, 0
    ),
    (
      "{\"ops\":[{\"op\":\"insert_row\",\"row\":{\"value\":0.1000000000000000055}}]}", "15 digits",
      1,
      nil
    ),
    ("{\"ops\":[{\"op\":\"insert_row\",\"as\":0,\"row\":\"x\"}]}", "from 1", nil, 0),
    (
      "{\"ops\":[{\"op\":\"insert_row\",\"before\":1,\"after\":2,\"row\":\"x\"}]}", "more than one",
      nil,
      0
    ),
    (
      "{\"ops\":[{\"op\":\"delete_row\",\"row_id\":1}],\"rebase\":true}", "needs \"expect\"", nil,
      nil
    ),
    ("{\"ops\":[{\"op\":\"delete_row\",\"row_id\":1}]} x", "follows", 1, nil),
  ]

  @Test(arguments: refused) func namesThePlaceAtFault(
    text: String, says: String, line: Int?, operation: UInt64?
  ) throws {
    let fault = try #require(throws: Fault.self) { try request(text) }
    #expect(fault.message.contains(says), "\(fault.message)")
    #expect(fault.line == line)
    #expect(fault.operation == operation)
    #expect(fault.status == .badInput || fault.status == .notFound)
  }
}

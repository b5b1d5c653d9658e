import Testing

@testable import Wire

@Suite struct GoldenDecodeTests {
  static let epoch: UInt64 = 0x1234_5678_9abc_def0
  static let items = TableReference.name("items")

  static let bodies = others + steps

  static let others: [(name: String, body: RequestBody)] = [
    (
      "hello",
      .hello(
        ClientHello(
          versionMin: 1, versionMax: 1, clientName: "hpctl 0.1", actor: "anna/hpctl",
          features: ["columns", "policies"], resumeToken: nil))
    ),
    ("ping", .ping([0, 1, 255])),
    ("info", .info),
    ("barrier", .barrier(BarrierRequest(subscription: 0, token: 77, sql: false))),
    ("barrier_sql", .barrier(BarrierRequest(subscription: 3, token: 300, sql: true))),
    (
      "subscribe",
      .subscribe(
        SubscribeRequest(
          table: items, since: nil, snapshotIfLost: false,
          liveState: false, oldRows: false, heartbeat: true, onlyLive: false))
    ),
    (
      "subscribe_since",
      .subscribe(
        SubscribeRequest(
          table: .absent, since: Cursor(epoch: epoch, revision: 41),
          snapshotIfLost: true, liveState: false, oldRows: false,
          heartbeat: false, onlyLive: false))
    ),
    ("unsubscribe", .unsubscribe(3)),
    ("list_tables", .listTables),
    ("describe_table", .describeTable(.id(1))),
    ("get_rows", .getRows(items, ids: [7, 300])),
    (
      "list_rows",
      .listRows(
        ListRowsRequest(
          table: items, section: .title("Kitchen"), first: 10, count: 50, snapshot: nil,
          columns: []))
    ),
    (
      "load_nib",
      .loadNib(
        LoadNibRequest(
          name: "HeaderView", ownerClass: "HPItemsController", language: "fr-CA",
          outlets: ["view", "headerView"], keep: true, controllerClass: nil))
    ),
    (
      "load_view",
      .loadNib(
        LoadNibRequest(
          name: nil, ownerClass: nil, language: nil, outlets: [], keep: false,
          controllerClass: "ItemsViewController"))
    ),
    (
      "get_header",
      .getHeader(GetHeaderRequest(table: items, section: .id(2), isFooter: true))
    ),
    (
      "set_view_node",
      .editing(
        .viewNode(
          SetViewNodeRequest(
            table: items, scene: nil, node: 8, title: "New", state: "highlighted",
            isEnabled: false, isHidden: true,
            frame: SetViewNodeRequest.Frame(x: 1.5, y: 0, width: 80, height: 36))))
    ),
    (
      "set_scene_node",
      .editing(
        .viewNode(
          SetViewNodeRequest(
            table: .absent, scene: "main", controller: 3, button: nil, node: 31, title: "Start",
            state: nil, isEnabled: false, isHidden: nil, frame: nil)))
    ),
    (
      "set_bar_button",
      .editing(
        .viewNode(
          SetViewNodeRequest(
            table: .absent, scene: "main", controller: nil, button: 5, node: 0, title: "Insert",
            state: nil, isEnabled: true, isHidden: nil, frame: nil)))
    ),
    ("locate_row", .locateRow(items, row: 7)),
    (
      "count_rows",
      .countRows(CountRowsRequest(table: items, section: .index(2), filter: nil))
    ),
    (
      "count_where",
      .countRows(
        CountRowsRequest(
          table: items, section: .absent,
          filter: [
            FilterNode(
              .oneOf, column: "name", values: [.text("Lamp"), .text(""), nil], folded: true),
            FilterNode(.not),
          ]))
    ),
    ("find_rows", .findRows(Self.find)),
    (
      "find_rows_next",
      .findRows(
        FindRowsRequest(
          table: .id(1), section: .absent, filter: nil, sort: [], limit: nil, skip: 0,
          first: 900, snapshot: 6))
    ),
    (
      "sum_column",
      .sumColumn(
        SumColumnRequest(
          table: items, column: "value",
          filter: [FilterNode(.prefix, column: "name", values: [.text("A")])]))
    ),
    ("insert_row", .batch),
    ("batch_many", .batch),
    ("batch_keyed", .batch),
    ("batch_sequence", .batch),
    ("batch_transition", .batch),
    ("batch_columns", .batch),
    (
      "new_item",
      .newItem(
        NewItemRequest(table: items, place: .lastOf(.id(1)), dryRun: false, basis: .absent))
    ),
    ("transfer_rows", .transferRows(Self.transfer)),
    (
      "transfer_where",
      .transferRows(
        TransferRequest(
          source: .id(1), target: .id(2),
          selection: .filter([FilterNode(.equal, column: "name", values: [.text("A")])]),
          place: .path(section: 0, row: 3), removes: false, expectTarget: nil, dryRun: true,
          basis: .current, matched: 2, without: []))
    ),
    ("create_table", .createTable(Self.tools)),
    ("rename_table", .renameTable(.name("tools"), name: "workshop")),
    ("drop_table", .dropTable(.id(2))),
    ("list_clients", .listClients),
    ("kill_client", .killClient(12)),
    ("set_log_level", .setLogLevel("debug")),
  ]

  static var steps: [(name: String, body: RequestBody)] {
    [
      (
        "undo",
        .undo(StepRequest(table: items, step: nil, any: false, dryRun: false, expectStep: nil))
      ),
      (
        "undo_step",
        .undo(StepRequest(table: .absent, step: 41, any: true, dryRun: true, expectStep: 41))
      ),
      (
        "redo",
        .redo(StepRequest(table: .id(1), step: 41, any: true, dryRun: true, expectStep: 41))
      ),
      ("restore_row", .restoreRow(RestoreRowRequest(table: items, row: 7, dryRun: true))),
      (
        "history",
        .history(
          HistoryRequest(table: items, before: 41, limit: 10, actor: "anna/hpctl", uid: 1000))
      ),
      ("row_history", .rowHistory(RowHistoryRequest(table: .id(1), row: 7, before: 41, limit: 10))),
    ]
  }

  static var transfer: TransferRequest {
    TransferRequest(
      source: items, target: .name("books"), selection: .ids([300, 7]), place: .before(.id(12)),
      removes: true, expectTarget: Cursor(epoch: 1_311_768_467_463_790_320, revision: 42),
      dryRun: false, basis: .absent, matched: nil, without: ["serial"])
  }

  static var find: FindRowsRequest {
    FindRowsRequest(
      table: items, section: .title("Kitchen"),
      filter: [
        FilterNode(.greaterOrEqual, column: "value", values: [.decimal(10_000)]),
        FilterNode(.contains, column: "name", values: [.text("bär")]),
        FilterNode(.isNull, column: "serial"), FilterNode(.or), FilterNode(.and),
      ],
      sort: [SortRule("value", descending: true), SortRule("name", folded: true)], limit: 50,
      skip: 10, first: 0, snapshot: nil)
  }

  static var tools: CreateTableRequest {
    var name = ColumnInfo(name: "name", kind: .text)
    name.required = true
    name.defaultValue = .text("?")
    var price = ColumnInfo(name: "price", kind: .decimal)
    price.scale = 2
    price.currency = "EUR"
    price.fill = .decimal(0)
    var bought = ColumnInfo(name: "bought", kind: .date)
    bought.defaultNow = true
    return CreateTableRequest(
      name: "tools", columns: [name, price, bought], sections: ["Bench", "Wall"])
  }

  @Test func everyGoldenRequestIsHere() {
    let here =
      Self.bodies.map(\.name) + GoldenSceneTests.names + GoldenEditingTests.bodies.map(\.name)
    #expect(Set(here) == Set(Golden.up.map(\.name)) && Set(here).count == here.count)
    #expect(Golden.up.count >= 25)
  }

  @Test(arguments: bodies) func goldensDecodeToTheirMeaning(
    name: String, body: RequestBody
  ) throws {
    let request = try RequestDecoder().decode(Golden.named(name).payload.span)
    #expect(request.body == body)
    #expect(request.id > 0)
    #expect(
      (request.key != nil) == ["batch_keyed", "transfer_rows", "redo"].contains(name))
  }

  @Test func envelopesAreRead() throws {
    let read = try RequestDecoder().decode(Golden.named("list_tables").payload.span)
    #expect(read.id == 9)
    #expect(read.atLeast == Cursor(epoch: Self.epoch, revision: 42))
    #expect(read.expect == nil)
    let keyed = try RequestDecoder().decode(Golden.named("batch_keyed").payload.span)
    #expect(keyed.id == 16)
    #expect(keyed.key?.text == "import-7")
    #expect(keyed.key?.retryUntil == 90_000_000)
    #expect(keyed.lease == 5)
    #expect(keyed.expect == Cursor(epoch: Self.epoch, revision: 41))
  }

  @Test func anInsertLiesFlat() throws {
    let decoder = RequestDecoder()
    // Twice, with another batch before: the buffer is reused and must hold nothing old.
    for name in ["insert_row", "batch_sequence", "insert_row"] {
      _ = try decoder.decode(Golden.named(name).payload.span)
    }
    let batch = decoder.batch
    #expect(batch.table == Self.items)
    #expect(batch.basis == .absent)
    #expect(batch.operations.count == 1)
    #expect(
      batch.operations.first?.action
        == .insertRow(at: .absent, row: BatchRow(cells: 0..<4, handle: nil), animation: nil))
    #expect(batch.operations.first?.conditions.isEmpty == true)
    func text(_ range: TextRange) -> String {
      String(decoding: batch.text[range.range], as: UTF8.self)
    }
    let cells = batch.cells.map { cell in
      let column =
        switch cell.column {
        case .id(let id): "\(id)"
        case .name(let name): text(name)
        }
      switch cell.value {
      case .text(let value): return column + "=" + text(value)
      case .decimal(let value): return column + "=" + "\(value)"
      case .timestamp(let value): return column + "=" + "\(value)"
      case .null, .integer, .date, .boolean: return column
      }
    }
    #expect(cells == ["name=Rusty Spork", "serial=3F9A1", "value=3995", "4=1764543120000000"])
  }

  @Test func conditionsAndPathsAreRead() throws {
    let decoder = RequestDecoder()
    _ = try decoder.decode(Golden.named("batch_keyed").payload.span)
    let batch = decoder.batch
    #expect(batch.basis == .current)
    #expect(
      Array(batch.conditionList[batch.conditions])
        == [.rowExists(.id(7)), .sectionCount(.id(2), 12), .sectionTotal(3)])
    let operation = try #require(batch.operations.first)
    #expect(operation.action == .updateRow(.path(section: 0, row: 3), cells: 0..<2))
    #expect(batch.cells[1].value == .null)
    #expect(
      Array(batch.conditionList[operation.conditions])
        == [.rowRevision(.id(7), 40), .cellEquals(.id(7), cell: 2)])
    #expect(batch.cells[2] == BatchCell(column: .id(3), value: .decimal(-5)))
    #expect(batch.text == Array("Käse".utf8))
  }

  @Test func aTransitionIsRead() throws {
    let decoder = RequestDecoder()
    _ = try decoder.decode(Golden.named("batch_transition").payload.span)
    let batch = decoder.batch
    #expect(batch.mode == .transition && batch.basis == .current)
    #expect(batch.sectionCounts == [5, 3, 1, 2, 2, 1])
    #expect(batch.operations.count == 9)
    #expect(
      batch.operations[2].action
        == .moveRow(.path(section: 0, row: 1), to: .path(section: 1, row: 0)))
    #expect(batch.operations[6].action == .moveSection(.index(4), to: .index(3)))
    #expect(batch.operations[7].action == .reloadSection(.index(5), rows: nil, animation: nil))
  }

  @Test func everyOperationIsRead() throws {
    let decoder = RequestDecoder()
    _ = try decoder.decode(Golden.named("batch_sequence").payload.span)
    let batch = decoder.batch
    #expect(batch.dryRun)
    #expect(batch.mode == .sequence)
    #expect(batch.basis == .at(Cursor(epoch: Self.epoch, revision: 41), rebase: true))
    func range(of text: String) -> TextRange? {
      let wanted = Array(text.utf8)
      let start = batch.text.indices.first { batch.text[$0...].starts(with: wanted) }
      return start.map { TextRange(start: Int32($0), count: Int32(wanted.count)) }
    }
    let attic = BatchOperation.NewSection(
      place: .index(0), title: range(of: "Attic"), rows: 0..<2, handle: 1,
      header: BatchHeaderFooter(title: range(of: "Upstairs"), view: nil, height: 44),
      footer: nil, animation: .top)
    let expected: [BatchOperation.Action] = [
      .insertSection(attic),
      .insertRow(
        at: .firstOf(.handle(1)), row: BatchRow(cells: 1..<2, handle: 3), animation: .automatic),
      .deleteRow(.id(8), animation: nil),
      .moveRow(.handle(2), to: .before(.id(9))),
      .moveRow(.id(10), to: .after(.handle(3))),
      .moveRow(.id(11), to: .path(section: 1, row: 0)),
      .moveRow(.id(12), to: .lastOf(.title(range(of: "Kitchen") ?? .empty))),
      .reloadRow(.id(9), cells: 2..<3, animation: nil),
      .deleteSection(.index(4), animation: nil),
      .moveSection(.handle(1), to: .after(.id(2))),
      .moveSection(.id(2), to: .before(.title(range(of: "Garage") ?? .empty))),
      .retitleSection(.id(2), title: nil),
      .reloadSection(.id(3), rows: 2..<3, animation: nil),
      .setHeaderFooter(
        .id(3), footer: true,
        value: BatchHeaderFooter(title: nil, view: range(of: "Footer"), height: nil)),
      .upsert(
        column: range(of: "serial") ?? .empty, row: BatchRow(cells: 4..<5, handle: nil),
        at: .lastOf(.id(2))),
      .addToCell(.id(9), amount: 5, floor: 0, ceiling: nil),
      .sortSection(.id(2), by: 0..<1),
    ]
    #expect(batch.operations.map(\.action) == expected)
    #expect(batch.rows.count == 3)
    #expect(batch.rows[0] == BatchRow(cells: 0..<1, handle: 2))
    #expect(batch.rows[1].cells.isEmpty)
    #expect(batch.conditionList == [.matched(1)])
    #expect(batch.sorts == [SortRule("name", folded: true)])
  }

  @Test func operationsOnManyRowsAreRead() throws {
    let decoder = RequestDecoder()
    _ = try decoder.decode(Golden.named("batch_many").payload.span)
    let batch = decoder.batch
    #expect(batch.conditionList == [.matched(9), .matched(2)])
    #expect(
      batch.filters == [
        [FilterNode(.equal, column: "good", values: [.boolean(false)])], [],
        [FilterNode(.less, column: "day", values: [.date(-1)])],
      ])
    #expect(batch.ids == [7, 300])
    #expect(
      batch.sorts == [SortRule("value", descending: true), SortRule("name", folded: true)])
    let actions = batch.operations.map(\.action)
    #expect(actions[0] == .deleteWhere(filter: 0))
    #expect(actions[1] == .updateWhere(filter: 1, cells: 0..<2))
    #expect(actions[2] == .moveMany(.run(first: 40, count: 3), to: .path(section: 0, row: 2)))
    #expect(actions[3] == .moveMany(.ids(0..<2), to: .lastOf(.id(2))))
    #expect(actions[4] == .moveMany(.filter(2), to: .before(.id(7))))
    #expect(actions[6] == .addToCell(.id(7), amount: 2, floor: 0, ceiling: 1000))
    guard case .sortSection(.title, by: 0..<2) = actions[5] else {
      Issue.record("\(actions[5])")
      return
    }
  }
}

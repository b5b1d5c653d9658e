internal import hpclient

/// Rows copied and moved between tables (contract E13).
extension Context {
  /// `cp`: rows are doubled, in their table or in another one.
  func copy() throws(Fault) {
    try transfer(to: invocation[.toTable] ?? table, at: .at, removes: false)
  }

  /// `mv --to-table`: rows leave their table and keep their ids.
  func moveToTable(_ target: String) throws(Fault) {
    try transfer(to: target, at: .to, removes: true)
  }

  private func transfer(
    to target: String, at option: OptionName, removes: Bool
  ) throws(Fault) {
    if removes, target == table {
      throw .usage("the rows are in \(target) already", hint: "without --to-table they move in it")
    }
    let client = try client()
    var request = TransferRequest(
      source: table, target: target, removes: removes, isDryRun: invocation.has(.dryRun))
    request.key = invocation[.idempotencyKey]
    request.expect = try cursor(try point(.expect))
    request.expectTarget = try cursor(try point(.expectTo))
    if let names = invocation[.without] {
      request.without = names.split(separator: ",").map(String.init)
    }
    if invocation.has(.where) {
      guard invocation.words.isEmpty else {
        throw .usage("\(invocation.verb.rawValue) takes ids or --where, not both")
      }
      let info = try client.describe(table)
      let filter = try filter(info.columns) ?? Filter()
      request.filter = filter
      request.matched = try agreed(filter, info, removes ? "move" : "copy")
    } else {
      try refuseCount()
      request.ids = try rows().compactMap { row in
        if case .id(let id) = row { id } else { nil }
      }
    }
    if invocation.has(option) || invocation.has(.section) {
      var batch = BatchRequest()
      request.place = try place(option, try client.describe(target), &batch)
      guard batch.operations.isEmpty else {
        throw .coded(.noSuchSection, "the table has no section", hint: "hpctl section add")
      }
    }
    try unsafe client.outcome(try client.run(request)) { result throws(Fault) in
      guard !isQuiet else { return }
      if unsafe format.isJSON || removes && !result.dry_run {
        unsafe show(result)
      } else if unsafe result.dry_run {
        let count = unsafe result.counts.matched
        let rows = count == 1 ? "1 row" : "\(count) rows"
        output.line("dry run: \(rows) \(removes ? "moved" : "copied") to \(target)")
      } else {
        unsafe show(result, ids: result.inserted, count: result.inserted_count)
      }
    }
  }
}

/// What `cp` and `mv --to-table` ask for.
struct TransferRequest {
  var source: String
  var target: String
  var ids: [UInt64] = []
  /// Instead of ids.
  var filter: Filter?
  var place = Place.standard
  var removes: Bool
  var isDryRun: Bool
  var key: String?
  var expect: Cursor?
  var expectTarget: Cursor?
  var matched: UInt64?
  var without: [String] = []

  init(source: String, target: String, removes: Bool, isDryRun: Bool) {
    self.source = source
    self.target = target
    self.removes = removes
    self.isDryRun = isDryRun
  }
}

extension Client {
  /// Sends a transfer and waits for its outcome.
  func run(_ request: TransferRequest) throws(Fault) -> Reply {
    let text = CText()
    let envelope = Envelope(key: request.key, expect: request.expect)
    var transfer = unsafe hp_transfer()
    // Safe: texts live in `text`, lists and filter until the call returns.
    unsafe transfer.from = hp_table_named(text(request.source))
    unsafe transfer.to = hp_table_named(text(request.target))
    unsafe transfer.at = hp_place(request.place, text)
    unsafe transfer.basis =
      request.expectTarget.map { hp_basis_at(hp_cursor($0)) } ?? hp_basis_current()
    unsafe transfer.remove = request.removes
    unsafe transfer.dry_run = request.isDryRun
    if let cursor = request.expectTarget { unsafe transfer.expect_to = hp_cursor(cursor) }
    unsafe transfer.has_matched = request.matched != nil
    unsafe transfer.matched = request.matched ?? 0
    let without: [UnsafePointer<CChar>?] = unsafe request.without.map { unsafe text($0) }
    // Safe: as above.
    return try unsafe run { connection in
      unsafe without.withUnsafeBufferPointer { names in
        unsafe transfer.without = names.baseAddress
        unsafe transfer.without_count = names.count
        return unsafe request.ids.withUnsafeBufferPointer { ids in
          unsafe transfer.ids = ids.baseAddress
          unsafe transfer.id_count = ids.count
          guard let filter = request.filter else {
            return unsafe envelope.with {
              unsafe hp_send_transfer_rows(connection, $0, &transfer)
            }
          }
          return unsafe filter.with(text) { filter in
            unsafe transfer.filter = filter
            return unsafe envelope.with {
              unsafe hp_send_transfer_rows(connection, $0, &transfer)
            }
          }
        }
      }
    }
  }
}

internal import hpclient

extension Context {
  /// What the options of a changing verb ask for.
  func change() throws(Fault) -> BatchRequest {
    var request = BatchRequest()
    request.isDryRun = invocation.has(.dryRun)
    request.key = invocation[.idempotencyKey]
    request.expect = try point(.expect)
    return request
  }

  /// The point that an option names.
  func point(_ option: OptionName) throws(Fault) -> PartialCursor? {
    guard let text = invocation[option] else { return nil }
    guard let cursor = PartialCursor(text) else {
      throw .usage(
        "--\(option.rawValue) takes EPOCH:REV, not \"\(TerminalSafety.shown(text))\"")
    }
    return cursor
  }

  /// A bare revision counts in the epoch of the hello (contract E1).
  func cursor(_ partial: PartialCursor?) throws(Fault) -> Cursor? {
    guard let partial else { return nil }
    let epoch = if let epoch = partial.epoch { epoch } else { try client().hello.epoch }
    return Cursor(epoch: epoch, revision: partial.revision)
  }

  /// Seconds that the outcome of a batch may take, where no time was asked for.
  static let patience: Double = 600

  /// Sends a change and hands its outcome to `report`.
  func send(
    _ request: BatchRequest, _ report: (hp_batch_result) throws(Fault) -> Void
  ) throws(Fault) {
    let expect = try cursor(request.expect)
    // Paths are meant as they are now, unless a point was named (contract E2).
    var basis = hp_basis_current()
    if let expect {
      basis =
        request.isRebased
        ? hp_basis_rebase(hp_cursor(expect)) : hp_basis_at(hp_cursor(expect))
    }
    let batch = try Batch(request, table: request.table ?? table, basis: basis)
    let count = request.operations.count
    detail("sending \(count) \(count == 1 ? "operation" : "operations"), \(batch.size) bytes")
    let client = try client()
    let bar = notes.isTerminal && !isQuiet ? ProgressBar(notes) : nil
    client.onProgress = bar.map { bar in { bar.show($0, of: $1) } }
    defer {
      client.onProgress = nil
      bar?.end()
    }
    // However large it is, the daemon is at work; only who asks for a time is told of it.
    if try seconds() == nil { client.wait(seconds: Context.patience) }
    let envelope = Envelope(
      key: request.key, expect: request.isRebased ? nil : expect, lease: try namedLease())
    try unsafe client.run(batch, envelope) { result throws(Fault) in
      bar?.end()
      unsafe note(outcome: result)
      try unsafe report(result)
    }
  }

  /// Sends a change of which only the outcome is shown.
  func send(_ request: BatchRequest) throws(Fault) {
    try unsafe send(request) { result throws(Fault) in unsafe show(result) }
  }

  /// Shows an outcome: JSON as SPEC 11 has it, a dry run's summary, else nothing.
  func show(_ result: hp_batch_result) {
    if format.isJSON {
      if !isQuiet { output.line(.object(unsafe JSON.outcome(result))) }
    } else if unsafe result.dry_run && !isQuiet {
      output.line(unsafe Self.summary(result))
    }
  }

  /// Shows an outcome with the ids of what was made, one a line.
  func show(_ result: hp_batch_result, ids: UnsafePointer<hp_id_run>?, count: Int) {
    guard !isQuiet else { return }
    guard !format.isJSON, unsafe !result.dry_run else {
      unsafe show(result)
      return
    }
    // Safe: the runs belong to the reply, which is alive during the call.
    unsafe UnsafeBufferPointer(start: ids, count: count).forEach { run in
      for offset in 0..<run.count { output.line(String(run.first &+ offset)) }
    }
  }

  private func note(outcome result: hp_batch_result) {
    detail(
      unsafe (result.unchanged ? "unchanged at " : "now at ") + Cursor(result.cursor).text
        + (result.replayed ? " (done before, under this key)" : ""))
  }

  /// What a dry run says for people.
  static func summary(_ result: hp_batch_result) -> String {
    let counts = unsafe result.counts
    let parts = [
      (counts.rows_inserted, "row", "new"), (counts.rows_updated, "row", "changed"),
      (counts.rows_moved, "row", "moved"), (counts.rows_deleted, "row", "removed"),
      (counts.sections_inserted, "section", "new"),
      (counts.sections_updated, "section", "changed"),
      (counts.sections_moved, "section", "moved"),
      (counts.sections_deleted, "section", "removed"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s") \($0.2)" }
    let head = unsafe result.step > 0 ? "dry run: step \(result.step): " : "dry run: "
    if unsafe parts.isEmpty && !result.unchanged {
      return head + "the table would change, no row"
    }
    return head + (parts.isEmpty ? "nothing would change" : parts.joined(separator: ", "))
  }

  /// Asks before something that is not easily taken back.
  ///
  /// - Throws: Usage when nobody can be asked and `--yes` is not given.
  func confirm(_ question: String) throws(Fault) {
    if invocation.has(.yes) || invocation.has(.dryRun) { return }
    guard Input.isTerminal, !invocation.has(.noInput) else {
      throw .usage("to \(question) it needs --yes here, because nobody can be asked")
    }
    output.flush()
    notes.write("hpctl: \(question)? [y/N] ")
    notes.flush()
    let answer = Input.line()?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else {
      throw Fault(.refused, "NOT_CONFIRMED", "nothing was changed")
    }
  }
}

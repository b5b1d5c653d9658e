internal import hpclient

/// Undo, redo and the return of removed rows (contract E9).
extension Context {
  func undo() throws(Fault) {
    try unsafe step("undid") { (connection, envelope, options) in
      unsafe hp_send_undo(connection, envelope, options)
    }
  }

  func redo() throws(Fault) {
    try unsafe step("redid") { (connection, envelope, options) in
      unsafe hp_send_redo(connection, envelope, options)
    }
  }

  func restore() throws(Fault) {
    let word = invocation.words[0]
    guard case .id(let row) = try RowName(text: word) else {
      throw .usage("a row is named by its id, not \"\(TerminalSafety.shown(word))\"")
    }
    let request = try change()
    let envelope = Envelope(key: request.key, expect: try cursor(request.expect))
    let text = CText()
    let (name, isDryRun) = (table, request.isDryRun)
    let reply = try unsafe client().run { connection in
      // Safe: the text lives in `text` until the call returns.
      unsafe envelope.with {
        unsafe hp_send_restore_row(connection, $0, hp_table_named(text(name)), row, isDryRun)
      }
    }
    // Safe: the reply is alive until the end of this function.
    if let result = unsafe hp_reply_batch(reply.handle) { unsafe show(result.pointee) }
    withExtendedLifetime(reply) {}
  }

  private func step(
    _ done: String,
    _ send: (
      OpaquePointer, UnsafePointer<hp_envelope>?, UnsafePointer<hp_step_options>
    ) -> UInt64
  ) throws(Fault) {
    let request = try change()
    let envelope = Envelope(key: request.key, expect: try cursor(request.expect))
    let text = CText()
    var options = unsafe hp_step_options()
    // Only a table that is named narrows it: the last command may have been about another one.
    if let table = invocation[.table] { unsafe options.table = hp_table_named(text(table)) }
    if let word = invocation.words.first { unsafe options.step = try revision(word, "a step") }
    if let word = invocation[.expectStep] {
      unsafe options.expect_step = try revision(word, "--expect-step")
    }
    unsafe options.any = invocation.has(.any)
    unsafe options.dry_run = request.isDryRun
    let reply = try unsafe asked { connection in
      // Safe: the options and their text live until the call returns.
      unsafe envelope.with { envelope in
        unsafe withUnsafePointer(to: options) { unsafe send(connection, envelope, $0) }
      }
    }
    withExtendedLifetime(text) {}
    // Safe: the reply is alive until the end of this function.
    if let result = unsafe hp_reply_batch(reply.handle) {
      if unsafe !result.pointee.dry_run {
        let step = unsafe result.pointee.step
        // A daemon that kept no more than the cursor for this key says none.
        note(step > 0 ? "\(done) step \(step)" : "\(done) a step")
      }
      unsafe show(result.pointee)
    }
    withExtendedLifetime(reply) {}
  }

  /// Sends a request about a step.
  private func asked(_ body: (OpaquePointer) -> UInt64) throws(Fault) -> Reply {
    do throws(Fault) {
      return try unsafe client().run(body)
    } catch {
      var fault = error
      if fault.code == ErrorCode.notOwnStep.name { fault.hint = "--any is for steps of others" }
      if fault.code == ErrorCode.conflict.name, invocation.verb == .undo,
        invocation.words.isEmpty
      {
        fault.hint = "hpctl history shows older steps; hpctl undo STEP takes one of them back"
      }
      throw fault
    }
  }

  /// The number of a revision, bare or behind its epoch.
  func revision(_ word: String, _ what: String) throws(Fault) -> UInt64 {
    guard let cursor = PartialCursor(word), cursor.revision > 0 else {
      throw .usage("\(what) is a revision, not \"\(TerminalSafety.shown(word))\"")
    }
    return cursor.revision
  }
}

internal import CHPProto

/// Requests about steps and history.
extension Unpacked {
  static func undo(_ pointer: UnsafePointer<Hp__V1__Undo>) -> StepRequest {
    let undo = unsafe pointer.pointee
    return unsafe StepRequest(
      table: table(undo.table), step: undo.has_step != 0 ? undo.step : nil,
      any: undo.any != 0, dryRun: undo.dry_run != 0,
      expectStep: undo.has_expect_step != 0 ? undo.expect_step : nil)
  }

  static func redo(_ pointer: UnsafePointer<Hp__V1__Redo>) -> StepRequest {
    let redo = unsafe pointer.pointee
    return unsafe StepRequest(
      table: table(redo.table), step: redo.has_step != 0 ? redo.step : nil,
      any: redo.any != 0, dryRun: redo.dry_run != 0,
      expectStep: redo.has_expect_step != 0 ? redo.expect_step : nil)
  }

  static func restoreRow(_ pointer: UnsafePointer<Hp__V1__RestoreRow>) -> RestoreRowRequest {
    let restore = unsafe pointer.pointee
    return unsafe RestoreRowRequest(
      table: table(restore.table), row: restore.row, dryRun: restore.dry_run != 0)
  }

  static func history(_ pointer: UnsafePointer<Hp__V1__History>) -> HistoryRequest {
    let history = unsafe pointer.pointee
    return unsafe HistoryRequest(
      table: table(history.table), before: history.has_before != 0 ? history.before : nil,
      limit: history.has_limit != 0 ? index(history.limit) : nil,
      actor: optionalString(history.actor), uid: history.has_uid != 0 ? history.uid : nil)
  }

  static func rowHistory(_ pointer: UnsafePointer<Hp__V1__RowHistory>) -> RowHistoryRequest {
    let history = unsafe pointer.pointee
    return unsafe RowHistoryRequest(
      table: table(history.table), row: history.row,
      before: history.has_before != 0 ? history.before : nil,
      limit: history.has_limit != 0 ? index(history.limit) : nil)
  }
}

internal import CHPProto

extension RequestDecoder {
  /// Decodes the request that a frame holds.
  // Safe: `client` and all it points to live in the arena until the frame is done, and the
  // member of the union that is read is the one that the case names.
  func body(
    _ client: UnsafePointer<Hp__V1__ClientFrame>, _ kind: RequestKind
  ) throws(WireFault) -> RequestBody {
    switch kind {
    case .hello: return .hello(try unsafe Unpacked.hello(client.pointee.hello))
    case .ping: return unsafe .ping(Unpacked.bytes(client.pointee.ping.pointee.payload))
    case .info: return .info
    case .barrier:
      let barrier = unsafe client.pointee.barrier.pointee
      return unsafe .barrier(
        BarrierRequest(
          subscription: barrier.subscription, token: barrier.token, sql: barrier.sql != 0))
    case .subscribe: return unsafe .subscribe(Unpacked.subscribe(client.pointee.subscribe))
    case .unsubscribe:
      return unsafe .unsubscribe(client.pointee.unsubscribe.pointee.subscription)
    case .moveWindow:
      let move = unsafe client.pointee.move_window.pointee
      return unsafe .moveWindow(
        move.subscription,
        Unpacked.window(move.window) ?? WindowRequest(anchor: .position(0)))
    case .listTables: return .listTables
    case .describeTable:
      return unsafe .describeTable(Unpacked.table(client.pointee.describe_table.pointee.table))
    case .getRows:
      let rows = unsafe client.pointee.get_rows.pointee
      return unsafe .getRows(
        Unpacked.table(rows.table),
        ids: IDList(UnsafeBufferPointer(start: rows.ids, count: rows.n_ids)))
    case .listRows: return unsafe .listRows(Unpacked.listRows(client.pointee.list_rows))
    case .locateRow:
      let locate = unsafe client.pointee.locate_row.pointee
      return unsafe .locateRow(Unpacked.table(locate.table), row: locate.row)
    case .countRows:
      let count = unsafe client.pointee.count_rows.pointee
      return unsafe .countRows(
        CountRowsRequest(
          table: Unpacked.table(count.table), section: Unpacked.namedSection(count.section),
          filter: Unpacked.filter(count.filter)))
    case .findRows: return unsafe .findRows(Unpacked.findRows(client.pointee.find_rows))
    case .sumColumn:
      let sum = unsafe client.pointee.sum_column.pointee
      return unsafe .sumColumn(
        SumColumnRequest(
          table: Unpacked.table(sum.table), column: Unpacked.optionalString(sum.column) ?? "",
          filter: Unpacked.filter(sum.filter)))
    case .batch:
      try unsafe batch.decode(client.pointee.batch)
      return .batch
    case .createTable:
      return unsafe .createTable(Unpacked.createTable(client.pointee.create_table))
    case .renameTable:
      let rename = unsafe client.pointee.rename_table.pointee
      return unsafe .renameTable(
        Unpacked.table(rename.table), name: Unpacked.optionalString(rename.name))
    case .dropTable:
      return unsafe .dropTable(Unpacked.table(client.pointee.drop_table.pointee.table))
    case .newItem: return unsafe .newItem(Unpacked.newItem(client.pointee.new_item))
    case .undo: return unsafe .undo(Unpacked.undo(client.pointee.undo))
    case .redo: return unsafe .redo(Unpacked.redo(client.pointee.redo))
    case .restoreRow: return unsafe .restoreRow(Unpacked.restoreRow(client.pointee.restore_row))
    case .history: return unsafe .history(Unpacked.history(client.pointee.history))
    case .rowHistory: return unsafe .rowHistory(Unpacked.rowHistory(client.pointee.row_history))
    case .uploadBegin:
      let begin = unsafe client.pointee.upload_begin.pointee
      return unsafe .upload(.begin(begin.upload, bytes: begin.bytes))
    case .uploadCommit:
      let commit = unsafe client.pointee.upload_commit.pointee
      return unsafe .upload(.commit(commit.upload, parts: commit.parts))
    case .uploadAbort:
      return unsafe .upload(.abort(client.pointee.upload_abort.pointee.upload))
    case .uploadPart: preconditionFailure("read without being unpacked")
    case .scene: return unsafe .scene(Unpacked.scene(client.pointee.scene))
    case .loadNib: return unsafe .loadNib(Unpacked.loadNib(client.pointee.load_nib))
    case .getHeader: return unsafe .getHeader(Unpacked.getHeader(client.pointee.get_header))
    case .setViewNode:
      return unsafe .editing(.viewNode(Unpacked.setViewNode(client.pointee.set_view_node)))
    case .transferRows:
      return unsafe .transferRows(Unpacked.transfer(client.pointee.transfer_rows))
    case .listClients: return .listClients
    case .killClient: return unsafe .killClient(client.pointee.kill_client.pointee.client)
    case .setLogLevel:
      return unsafe .setLogLevel(
        Unpacked.optionalString(client.pointee.set_log_level.pointee.level))
    case .backup:
      return .unsupported(kind)
    case .reloadData:
      return unsafe .reloadData(Unpacked.table(client.pointee.reload_data.pointee.table))
    case .setEditing, .toggleEditing, .commitEditing, .swipe, .confirm, .drag, .select, .draft,
      .takeLease, .endLease, .listLeases, .getEditing, .getPolicy:
      return .editing(try unsafe editing(client, kind))
    }
  }
}

internal import CHPProto

extension Unpacked {
  static func hello(
    _ pointer: UnsafePointer<Hp__V1__Hello>
  ) throws(WireFault) -> ClientHello {
    let hello = unsafe pointer.pointee
    guard unsafe hello.n_features <= Limits.features else {
      throw WireFault(.tooManyFeatures, offset: 0, field: 5)
    }
    let value = unsafe ClientHello(
      versionMin: hello.version_min, versionMax: hello.version_max,
      clientName: optionalString(hello.client_name) ?? "",
      actor: optionalString(hello.actor) ?? "",
      features: strings(hello.features, hello.n_features),
      resumeToken: optionalString(hello.resume_token))
    let texts = [value.clientName, value.actor, value.resumeToken ?? ""] + value.features
    guard texts.allSatisfy({ $0.utf8.count <= Limits.name }) else {
      throw WireFault(.textTooLong, offset: 0)
    }
    return value
  }

  static func subscribe(_ pointer: UnsafePointer<Hp__V1__Subscribe>) -> SubscribeRequest {
    let subscribe = unsafe pointer.pointee
    var request = unsafe SubscribeRequest(
      table: table(subscribe.table), since: cursor(subscribe.since),
      filter: feedFilter(subscribe.filter), window: window(subscribe.window),
      fingerprint: subscribe.has_fingerprint != 0 ? subscribe.fingerprint : nil,
      snapshotIfLost: subscribe.snapshot_if_lost != 0, liveState: subscribe.live_state != 0,
      oldRows: subscribe.old_rows != 0, heartbeat: subscribe.heartbeat != 0,
      onlyLive: subscribe.only_live != 0)
    unsafe request.scene = optionalString(subscribe.scene)
    unsafe request.sceneOnly = subscribe.scene_only != 0
    request.namesNoTable = unsafe subscribe.table != nil && request.table == .absent
    return request
  }

  static func listRows(_ pointer: UnsafePointer<Hp__V1__ListRows>) -> ListRowsRequest {
    let list = unsafe pointer.pointee
    return unsafe ListRowsRequest(
      table: table(list.table), section: namedSection(list.section), first: index(list.first),
      count: list.has_count != 0 ? index(list.count) : nil,
      snapshot: list.has_snapshot != 0 ? list.snapshot : nil,
      columns: strings(list.columns, list.n_columns))
  }

  static func newItem(_ pointer: UnsafePointer<Hp__V1__NewItem>) -> NewItemRequest {
    let item = unsafe pointer.pointee
    return unsafe NewItemRequest(
      table: table(item.table), place: namedPlace(item.at), dryRun: item.dry_run != 0,
      basis: basis(item.basis))
  }

  static func createTable(
    _ pointer: UnsafePointer<Hp__V1__CreateTable>
  ) -> CreateTableRequest {
    let create = unsafe pointer.pointee
    var columns: [ColumnInfo] = []
    for index in 0..<(unsafe create.n_columns) {
      if let column = unsafe create.columns[index] { unsafe columns.append(self.column(column)) }
    }
    return unsafe CreateTableRequest(
      name: optionalString(create.name), columns: columns,
      sections: strings(create.sections, create.n_sections))
  }

  static func column(_ pointer: UnsafePointer<Hp__V1__Column>) -> ColumnInfo {
    let column = unsafe pointer.pointee
    var info = unsafe ColumnInfo(
      id: column.id, name: optionalString(column.name) ?? "",
      kind: column.has_kind != 0 ? ColumnKind(rawValue: column.kind.rawValue) : nil)
    unsafe info.required = column.required != 0
    unsafe info.unique = column.unique != 0
    unsafe info.readOnly = column.read_only != 0
    unsafe info.scale = column.scale
    unsafe info.currency = optionalString(column.currency)
    unsafe info.defaultValue = value(column.default_value)
    unsafe info.fill = value(column.fill)
    unsafe info.defaultNow = column.default_now != 0
    return info
  }

  static func value(_ pointer: UnsafePointer<Hp__V1__Cell>?) -> CellValue? {
    guard let cell = unsafe pointer?.pointee else { return nil }
    switch unsafe cell.value_case {
    case HP__V1__CELL__VALUE_TEXT: return unsafe .text(string(cell.text))
    case HP__V1__CELL__VALUE_INTEGER: return unsafe .integer(cell.integer)
    case HP__V1__CELL__VALUE_DECIMAL: return unsafe .decimal(cell.decimal)
    case HP__V1__CELL__VALUE_DATE: return unsafe .date(cell.date)
    case HP__V1__CELL__VALUE_TIMESTAMP: return unsafe .timestamp(cell.timestamp)
    case HP__V1__CELL__VALUE_BOOLEAN: return unsafe .boolean(cell.boolean != 0)
    default: return nil
    }
  }
}

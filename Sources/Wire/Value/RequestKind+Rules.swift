extension RequestKind {
  /// Whether the request can change something, so that a field it does not know is refused
  /// (contracts K5, K7).
  public var isMutating: Bool {
    switch self {
    case .hello, .ping, .info, .barrier, .subscribe, .unsubscribe, .moveWindow, .listTables,
      .describeTable, .getRows, .listRows, .locateRow, .countRows, .findRows, .sumColumn,
      .rowHistory, .history, .listLeases, .getEditing, .getPolicy, .loadNib, .getHeader,
      .listClients:
      false
    case .batch, .createTable, .renameTable, .dropTable, .transferRows, .undo, .redo, .newItem,
      .reloadData, .restoreRow, .uploadBegin, .uploadPart, .uploadCommit, .uploadAbort,
      .setEditing, .toggleEditing, .commitEditing, .swipe, .confirm, .drag, .select, .draft,
      .takeLease,
      .endLease, .setViewNode, .scene, .killClient, .setLogLevel, .backup:
      true
    }
  }

  /// The request's name in the schema: `list_tables`.
  public var name: String {
    var name = ""
    for character in "\(self)" {
      if character.isUppercase { name += "_" }
      name += character.lowercased()
    }
    return name
  }
}

internal import Coding

extension ErrorReply {
  /// Appends the fields of `hp.v1.Error`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: UInt64(code.rawValue))
    out.appendField(2, text: message)
    if let operation { out.appendField(3, varint: operation) }
    if let path { out.appendField(4) { path.encode(into: &$0) } }
    if let row { out.appendField(5, varint: row) }
    if let column { out.appendField(6, text: column) }
    if let value { out.appendField(7, text: value) }
    if let expected { out.appendField(8, text: expected) }
    if let hint { out.appendField(9, text: hint) }
    if let revision { out.appendField(10, varint: revision) }
    if let otherPath { out.appendField(11) { otherPath.encode(into: &$0) } }
    for conflict in conflicts {
      out.appendField(12) { step in
        step.appendField(1, varint: conflict.revision)
        step.appendField(2, varint: conflict.uid)
        step.appendField(3, text: conflict.actor)
        if let row = conflict.row { step.appendField(4, varint: row) }
        if let section = conflict.section { step.appendField(5, varint: section) }
        if let column = conflict.column { step.appendField(6, text: column) }
        if conflict.isRemoved { step.appendField(7, bool: true) }
      }
    }
    if let section { out.appendField(13, varint: section) }
    if let field { out.appendField(14, varint: field) }
    if let offset { out.appendField(15, varint: offset) }
    if let file { out.appendField(16, text: file) }
    if let line { out.appendField(17, varint: line) }
  }
}

extension LimitsReport {
  /// Appends the fields of `hp.v1.Limits`.
  func encode(into out: inout [UInt8]) {
    let fixed = [
      Limits.frameUp, Limits.frameDown, Limits.text, Limits.depth, Limits.elements, Limits.row,
      Limits.columns, Limits.sections, Limits.title, Limits.key, Limits.subscriptions,
      Limits.requestsInFlight,
    ]
    for (index, value) in fixed.enumerated() {
      out.appendField(UInt32(index + 1), varint: UInt64(value))
    }
    out.appendField(13, varint: clients)
    out.appendField(14, varint: clientsPerUID)
    out.appendField(15, varint: output)
    out.appendField(16, varint: UInt64(Limits.filterNodes))
    let optional = [
      keysPerUID, historyRevisions, historyBytes, historySeconds, undoSteps, keySeconds,
      unmaterialisedOperations, unmaterialisedBytes, requestSeconds, undoBytes, undoSeconds,
    ]
    for (index, value) in optional.enumerated() {
      if let value { out.appendField(UInt32(index + 17), varint: value) }
    }
    let uploads = [upload, uploadConnection, uploadUID, uploadTotal, uploadSeconds]
    for (index, value) in uploads.enumerated() {
      if let value { out.appendField(UInt32(index + 30), varint: value) }
    }
    let feed = [outputSoft, outputTotal, windowRows, pinnedBytes]
    for (index, value) in feed.enumerated() {
      if let value { out.appendField(UInt32(index + 40), varint: value) }
    }
  }
}

extension HelloReply {
  /// Appends the fields of `hp.v1.HelloReply`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: UInt64(version))
    out.appendField(2, text: server)
    out.appendField(3, fixed64: cursor.epoch)
    out.appendField(4, varint: cursor.revision)
    out.appendField(5, varint: oldestRevision)
    out.appendField(6, varint: client)
    out.appendField(7, varint: uid)
    out.appendField(8) { limits.encode(into: &$0) }
    out.appendField(9, varint: UInt64(durability.rawValue))
    for feature in features { out.appendField(10, text: feature) }
    if let resumeToken { out.appendField(11, text: resumeToken) }
    out.appendField(12, varint: UInt64(bitPattern: runningClock))
    if let lastGoodbye { out.appendField(13, text: lastGoodbye) }
    out.appendField(14, fixed64: start)
  }
}

extension InfoReply {
  /// Appends the fields of `hp.v1.Info`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, text: server)
    out.appendField(2, varint: pid)
    out.appendField(3, text: socket)
    out.appendField(4, text: store)
    out.appendField(5) { cursor.encode(into: &$0) }
    out.appendField(6, varint: oldestRevision)
    out.appendField(7, varint: materialised)
    out.appendField(8, varint: clients)
    out.appendField(9, varint: subscriptions)
    out.appendField(10, varint: memory)
    out.appendField(11, varint: uptime)
    out.appendField(12, varint: UInt64(durability.rawValue))
    out.appendField(13) { limits.encode(into: &$0) }
    for table in tables { out.appendField(14, bytes: table) }
    for counter in counters {
      out.appendField(15) { figure in
        figure.appendField(1, text: counter.name)
        figure.appendField(2, signed: counter.value)
      }
    }
  }
}

extension ClientInfo {
  /// Appends the fields of `hp.v1.ClientInfo`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: client)
    out.appendField(2, varint: uid)
    out.appendField(3, varint: pid)
    out.appendField(4, text: name)
    out.appendField(5, text: actor)
    out.appendField(6, varint: subscriptions)
    out.appendField(7, varint: queued)
    out.appendField(8, varint: connected)
  }
}

extension Goodbye {
  /// Appends the fields of `hp.v1.Goodbye`.
  func encode(into out: inout [UInt8]) {
    out.appendField(1, varint: UInt64(code.rawValue))
    out.appendField(2, text: message)
    for entry in reached {
      out.appendField(3) { reached in
        reached.appendField(1, varint: entry.subscription)
        reached.appendField(2, varint: entry.revision)
      }
    }
    if let versions {
      out.appendField(4, varint: UInt64(versions.lowerBound))
      out.appendField(5, varint: UInt64(versions.upperBound))
    }
    if let offset { out.appendField(6, varint: offset) }
    if let resumeToken { out.appendField(7, text: resumeToken) }
  }
}

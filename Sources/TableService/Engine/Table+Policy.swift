internal import Coding

/// What may be done by hand: changing and asking (SPEC 6).
extension Table {
  /// Changes a policy.
  ///
  /// - Parameters:
  ///   - change: What is asked for.
  ///   - batch: The batch.
  /// - Throws: What finding the section or row throws; `badRequest` where a field has no meaning
  ///   at that level, `textTooLong`, `badText`, `badValue`, `tooManyRows`.
  func set(_ change: Batch.PolicyChange, in batch: Batch) throws(TableFault) {
    if let title = change.policy.deleteTitle { try judge(text: title) }
    if change.scope != .table, change.policy.isOfTableAlone {
      throw TableFault(
        .badRequest, expected: "multiple selection and writes_only_while_holding at the table")
    }
    switch change.scope {
    case .table:
      try judgeNoSentinel(change)
      policy = Table.changed(policy, change)
      work.policyChanged = policy != work.before?.policy
    case .section(let reference):
      let slot = try section(reference, in: batch)
      var record = sections[Int(slot)].record
      record.policy = Table.changed(record.policy, change)
      if change.clearsSentinel { record.sentinel = nil }
      if let sentinel = change.sentinel { record.sentinel = try judged(sentinel) }
      if record != sections[Int(slot)].record { replace(section: slot, with: record) }
    case .row(let reference):
      try judgeNoSentinel(change)
      let slot = try row(reference, in: batch)
      let id = rows.id(slot)
      try set(policy: Table.changed(rowPolicies[id], change), ofRow: id)
    }
  }

  /// Gives a row another policy of its own.
  func set(policy: [UInt8]?, ofRow id: UInt64) throws(TableFault) {
    let old = rowPolicies[id]
    guard old != policy else { return }
    if old == nil, rowPolicies.count >= TableLimits.rowPolicies {
      throw TableFault(
        .tooManyRows, row: id, expected: "at most \(TableLimits.rowPolicies) rows with a policy")
    }
    if work.policies[id] == nil { work.policies[id] = .some(old) }
    rowPolicies[id] = policy
  }

  private static func changed(_ old: [UInt8]?, _ change: Batch.PolicyChange) -> [UInt8]? {
    var policy = change.clears ? Policy() : Policy(stored: old)
    policy.merge(change.policy)
    let bytes = policy.encoded
    return bytes.isEmpty ? nil : bytes
  }

  private func judgeNoSentinel(_ change: Batch.PolicyChange) throws(TableFault) {
    guard change.sentinel == nil, !change.clearsSentinel else {
      throw TableFault(.badRequest, expected: "a section, because it has a sentinel")
    }
  }

  private func judged(_ sentinel: Sentinel) throws(TableFault) -> [UInt8] {
    if let text = sentinel.text { try judge(text: text) }
    if let height = sentinel.height, !(height >= 0 && height.isFinite) {
      throw TableFault(.badValue, value: "\(height)", expected: "a height of 0 or more")
    }
    return sentinel.encoded
  }

  private func judge(text: String) throws(TableFault) {
    guard text.utf8.count <= TableLimits.title else {
      throw TableFault(
        .textTooLong, value: "\(text.utf8.count) bytes",
        expected: "at most \(TableLimits.title) bytes")
    }
    guard !text.utf8.contains(0) else { throw TableFault(.badText, expected: "no NUL") }
  }

  // The open batch

  /// Tells which rows have another policy than before; those of rows that are gone are again
  /// what they were, to go with them at the commit.
  func settlePolicies() {
    for (id, old) in work.policies {
      guard slot(of: id) != nil else {
        rowPolicies[id] = old
        continue
      }
      if rowPolicies[id] != old { changes.rowPolicies.append(id) }
    }
    changes.rowPolicies.sort()
    if !changes.rowPolicies.isEmpty { changes.hasTableChange = true }
  }

  /// Writes policies that changed, and takes away those of rows that are gone.
  func commitPolicies() {
    for (id, old) in work.policies where rowPolicies[id] != old && slot(of: id) != nil {
      pending.append(.policy, table: self.id, id: id) { bytes in
        if let policy = self.rowPolicies[id] { bytes.append(contentsOf: policy) }
      }
    }
    guard !rowPolicies.isEmpty else { return }
    for row in work.rows where !order.isLive(row.slot) {
      let id = rows.id(row.slot)
      if rowPolicies.removeValue(forKey: id) != nil {
        pending.append(.policy, table: self.id, id: id)
      }
    }
    for slot in work.newRows where !order.isLive(slot) { rowPolicies[rows.id(slot)] = nil }
  }

  /// Takes the policies that rows had on disk.
  ///
  /// - Parameter policies: hp.v1.Policy by row id.
  /// - Returns: False where a row is missing or a policy can't be read.
  func load(policies: [UInt64: [UInt8]]) -> Bool {
    rowPolicies = policies
    return policies.allSatisfy { id, bytes in
      rows.slot(of: id) != nil && (try? Policy(bytes)) != nil
    }
  }

  /// Appends the rows' policies of a change.
  func encodePolicies(_ writer: inout ChangeWriter) {
    for id in changes.rowPolicies {
      writer.append {
        $0.appendField(17) { Table.append(policy: self.rowPolicies[id], ofRow: id, to: &$0) }
      }
    }
  }

  /// Appends the fields of hp.v1.RowPolicy.
  static func append(policy: [UInt8]?, ofRow id: UInt64, to bytes: inout [UInt8]) {
    bytes.appendField(1, varint: id)
    if let policy { bytes.appendField(2, bytes: policy) }
  }

  /// The policies that rows had before the batch which has others now or took them away.
  func oldPolicies() -> [(row: UInt64, policy: [UInt8]?)] {
    var list = changes.rowPolicies.map { id in (row: id, policy: work.policies[id] ?? nil) }
    guard !rowPolicies.isEmpty else { return list }
    for row in work.rows where !order.isLive(row.slot) {
      let id = rows.id(row.slot)
      if let policy = rowPolicies[id] { list.append((id, policy)) }
    }
    return list
  }
}

internal import Coding

/// Something durable that has no revision: a scene, a lease (contracts K6, L7).
///
/// Its journal record's body is a protobuf message: name 1, content 2, which is absent where the
/// state is gone. What the newest record says stands in `hpd_states` as well, written by the same
/// transaction, so that the journal may be pruned and a start reads nothing twice.
struct StateRecord: Equatable, Sendable {
  /// The kind of its journal record.
  var kind: JournalKind
  /// Its name, unique within the kind.
  var name: String
  /// What it is now, opaque here; `nil`: it is gone.
  var content: [UInt8]?

  /// The body of its journal record.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(1, text: name)
    if let content { bytes.appendField(2, bytes: content) }
    return bytes
  }
}

extension Database {
  /// Writes a state as it is now, in the caller's transaction.
  func put(_ state: StateRecord) throws(StoreFault) {
    let row = state.content == nil ? removeState : putState
    row.bind(1, state.kind.rawValue)
    row.bind(2, text: state.name)
    if let content = state.content { row.bind(3, blob: content) }
    try row.execute(.appending)
  }
}

extension Store {
  /// Reads every state.
  ///
  /// - Returns: The states, by kind and name.
  func loadStates() throws(StoreFault) -> [StateRecord] {
    let row = try reading().connection.prepare(
      "SELECT kind, name, content FROM hpd_states ORDER BY kind, name", .loading)
    var states: [StateRecord] = []
    while try row.step(.loading) {
      guard let kind = JournalKind(rawValue: row.unsigned(0)) else { throw .damaged(.loading) }
      states.append(
        StateRecord(kind: kind, name: try row.text(1, .loading), content: row.bytes(2)))
    }
    return states
  }

  /// Takes records without a revision that stand at the journal's end as materialised, so that
  /// they can be pruned: what they say stands in `hpd_states` already.
  ///
  /// Called where no revision waits to be materialised.
  func passStates() throws(StoreFault) {
    guard meta.materialisedPosition < journal.last else { return }
    let (position, revision) = (journal.last, lastRevision)
    try transaction(waits: false) { (database) throws(StoreFault) in
      try database.connection.run(
        "UPDATE hpd_meta SET materialised_position = \(position), "
          + "materialised_revision = \(revision)", .materialising)
    }
    meta.materialisedPosition = position
    meta.materialisedRevision = revision
  }
}

/// What is durable without a revision: scenes, leases (contracts K6, L6, L7).
extension Service {
  /// Says what a state is from now on, and accepts it for the turn's commit.
  ///
  /// - Parameters:
  ///   - kind: What it is: `lease` or `scene`.
  ///   - name: Its name, unique within the kind.
  ///   - content: Its bytes, at most `stateBytes`; `nil`: it is gone.
  ///   - requester: Who asked.
  /// - Throws: What the store says; nothing has changed then.
  /// - Complexity: O(*n*) in the size of the content.
  public func keep(
    _ kind: JournalKind, name: String, content: [UInt8]?, by requester: Requester
  ) throws(ServiceFault) {
    precondition((content?.count ?? 0) <= Service.stateBytes, "a state that is too large")
    try checkWritable(false)
    let state = StateRecord(kind: kind, name: name, content: content)
    var head = JournalHead(kind: kind)
    head.time = Instant.now().wall
    head.uid = requester.uid
    head.actor = requester.actor
    head.client = requester.client
    head.request = requester.request
    turn.records.append(
      JournalRecord(
        revision: nil, tables: [], head: head, parts: [JournalPart(body: state.encoded())]))
    turn.states.append(state)
    if let index = states.firstIndex(where: { $0.kind == kind && $0.name == name }) {
      if content == nil { states.remove(at: index) } else { states[index] = state }
    } else if content != nil {
      states.append(state)
    }
  }

  /// The most bytes of one state.
  public static let stateBytes = 256 << 10

  /// The states of a kind, by the order in which they were made known.
  ///
  /// - Parameter kind: `lease` or `scene`.
  /// - Returns: Name and content of each. After a commit that failed they are again as before.
  public func states(of kind: JournalKind) -> [(name: String, content: [UInt8])] {
    states.compactMap { state in
      guard state.kind == kind, let content = state.content else { return nil }
      return (state.name, content)
    }
  }

  /// Keeps what a request without a revision came to, for a retry with its key (contract E5).
  ///
  /// - Parameters:
  ///   - reply: The reply's bytes, as the caller will want them back.
  ///   - key: The request's key.
  public func keep(reply: [UInt8], for key: RequestKey) {
    keep(KeptOutcome(revision: revision, isUnchanged: false, table: 0, reply: reply), for: key)
  }
}

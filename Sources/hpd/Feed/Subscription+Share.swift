internal import TableService

/// A revision of several tables as those see it who see some of them (contracts K1, E13): the parts
/// about these tables, counted anew. The bodies are everybody's.
extension Subscription {
  /// How far it is with such a revision, read from history.
  struct Share {
    /// The newest part about its tables; whether it is the last one is known when the revision ends.
    var held: [UInt8]?
    var count = 0
  }

  /// Begins a revision that is read from history.
  func begin(_ entry: HistoryEntry) {
    matchesCurrent = scope.concerns(entry.tables)
    share = scope.tables != nil && entry.tables.count > 1 ? Share() : nil
  }

  /// Takes the next part of the revision.
  ///
  /// - Parameters:
  ///   - entry: The part.
  ///   - send: Takes what is to be sent: body, number and whether it is the last.
  func take(_ entry: HistoryEntry, _ send: ([UInt8], Int, Bool) -> Void) {
    guard let tables = scope.tables, var share else {
      return send(entry.body, entry.part, entry.isLast)
    }
    if entry.isAbout(tables) {
      if let held = share.held {
        send(held, share.count, false)
        share.count += 1
      }
      share.held = entry.body
    }
    if entry.isLast, let held = share.held {
      send(held, share.count, true)
      share.held = nil
    }
    self.share = share
  }
}

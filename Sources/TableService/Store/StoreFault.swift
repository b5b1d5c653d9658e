/// What the store was doing when something failed.
///
/// Faults carry this instead of SQL or values, so that no text of a user reaches a log.
public enum StoreAction: String, Sendable {
  case locking = "taking the store's lock"
  case opening = "opening the store"
  case configuring = "setting up the connection"
  case creating = "creating the schema"
  case migrating = "migrating the schema"
  case starting = "recording the start"
  case beginning = "beginning a transaction"
  case appending = "appending to the journal"
  case committing = "committing"
  case reading = "reading the journal"
  case pruning = "pruning the journal"
  case keys = "reading keys"
  case materialising = "writing rows behind the journal"
  case loading = "loading tables"
  case indexing = "indexing the journal"
  case checking = "checking the store"
  case checkpointing = "checkpointing the write-ahead log"
  case copying = "copying the store"
  case closing = "closing the store"
}

/// File systems that a store must not lie on (contract S11).
public enum NetworkFileSystem: String, Sendable {
  case nfs = "NFS"
  case smb = "SMB"
  case plan9 = "9p"
}

/// Why the store could not do something.
public enum StoreFault: Error, Equatable, Sendable {
  /// SQLite refused; `code` is its extended result code.
  case sqlite(code: Int32, StoreAction)
  /// The system refused; `errno` says why.
  case system(errno: Int32, StoreAction)
  /// The disk or a quota is full.
  case full(StoreAction)
  /// Another program held a write transaction longer than the store waits (contract S11).
  case busy(StoreAction)
  /// Another daemon owns the store; `pid` is 0 where it is not known.
  case locked(pid: Int32)
  /// The store was written by a newer version.
  case newer(found: Int, supported: Int)
  /// The file is not a store of hpd.
  case notAStore
  /// The file has a second name, under which another daemon could open it.
  case linked
  /// SQLite's locks cannot be relied on there.
  case network(NetworkFileSystem)
  /// Another program has written to the store; hpd writes no more until it is restarted.
  case foreignWrite
  /// The store's file is not at its path any more: what is written to it would be lost with it.
  case gone
  /// A commit failed and its outcome is not known yet; `reopen` finds it (contract S2).
  case unsettled
  /// Nothing is written until a store that failed was opened again; this was not tried.
  case closed
  /// What is on disk contradicts itself.
  case damaged(StoreAction)
  /// Ids or revisions have reached 2^53 − 1 (contract K9).
  case exhausted
}

extension StoreFault: CustomStringConvertible {
  /// The fault in words, without a user's text.
  public var description: String {
    switch self {
    case .sqlite(let code, let action): "SQLite error \(code) while \(action.rawValue)"
    case .system(let errno, let action): "system error \(errno) while \(action.rawValue)"
    case .full(let action): "no space left while \(action.rawValue)"
    case .busy(let action):
      "another program kept a write transaction open while \(action.rawValue)"
    case .locked(let pid):
      pid > 0
        ? "the store is in use by the daemon with process id \(pid)"
        : "the store is in use by another daemon"
    case .newer(let found, let supported):
      "the store has schema version \(found), this hpd knows up to \(supported)"
    case .notAStore: "the file is not a store of hpd"
    case .linked: "the store's file has more than one hard link"
    case .network(let kind):
      "the store lies on \(kind.rawValue), where file locks cannot be relied on"
    case .foreignWrite: "another program has written to the store"
    case .gone: "the store's file is not at its path any more"
    case .unsettled: "a commit failed and its outcome is not known yet"
    case .closed: "a write failed before; hpd tries to open the store again"
    case .damaged(let action): "contradicting content found while \(action.rawValue)"
    case .exhausted: "ids have reached their end"
    }
  }
}

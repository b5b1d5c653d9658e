/// A piece of a record's content, small enough for one SQLite value (contract K2).
struct JournalPart: Equatable, Sendable {
  /// What happened: for a change, bytes of `hp.v1.Change` as they go into one frame.
  public var body: [UInt8]
  /// What was there before, for undo and history; opaque here.
  public var old: [UInt8]
  /// Where `body` is, if it was written ahead.
  var storedBody: StoredPart?
  /// Where `old` is, if it was written ahead.
  var storedOld: StoredPart?

  /// A part.
  ///
  /// - Parameters:
  ///   - body: What happened.
  ///   - old: What was there before.
  public init(body: [UInt8], old: [UInt8] = []) {
    self.body = body
    self.old = old
  }

  init(body: [UInt8], storedBody: StoredPart? = nil, storedOld: StoredPart? = nil) {
    self.init(body: body)
    self.storedBody = storedBody
    self.storedOld = storedOld
  }

  /// Bytes of its content.
  var size: Int { (storedBody?.size ?? body.count) + (storedOld?.size ?? old.count) }
}

/// One thing that happened, as the journal keeps it (contract K6).
struct JournalRecord: Sendable {
  /// Its revision; `nil` for keys, leases and scene state.
  public var revision: UInt64?
  /// The tables it touches.
  public var tables: [UInt64]
  /// Who and when.
  public var head: JournalHead
  /// Its content, at least one part; it takes effect at the last.
  public var parts: [JournalPart]

  /// A record.
  ///
  /// - Parameters:
  ///   - revision: Its revision, `nil` for one without.
  ///   - tables: The tables it touches.
  ///   - head: Who and when.
  ///   - parts: Its content.
  public init(revision: UInt64?, tables: [UInt64], head: JournalHead, parts: [JournalPart]) {
    self.revision = revision
    self.tables = tables
    self.head = head
    self.parts = parts
  }
}

/// One part of a record as it stands in the journal.
public struct JournalEntry: Equatable, Sendable {
  /// The part's place in the journal; neighbours differ by 1.
  public var position: UInt64
  /// The record's revision, or for a record without one the store's at that point.
  public var revision: UInt64
  /// Whether `revision` is the record's own.
  public var isRevision: Bool
  /// Which part it is, from 0.
  public var part: Int
  /// How many parts the record has.
  public var parts: Int
  /// The tables that the record touches; in its first part only.
  public var tables: [UInt64]
  /// The record's head as it is on disk; in its first part only.
  public var head: [UInt8]
  /// What happened.
  public var body: [UInt8]
  /// What was there before; empty unless it was asked for.
  public var old: [UInt8]

  /// Whether the record is whole with this part.
  public var isLast: Bool { part == parts - 1 }
}

/// An outcome that is kept under an idempotency key (contract E5).
struct KeyRecord: Equatable, Sendable {
  /// The user who gave the key.
  public var uid: UInt64
  /// The key.
  public var key: [UInt8]
  /// The hash of the request.
  public var hash: [UInt8]
  /// The reply; opaque here.
  public var outcome: [UInt8]
  /// When it may be forgotten, on the running clock.
  public var expires: Int64

  /// A kept outcome.
  ///
  /// - Parameters:
  ///   - uid: The user who gave the key.
  ///   - key: The key.
  ///   - hash: The hash of the request.
  ///   - outcome: The reply.
  ///   - expires: When it may be forgotten, on the running clock.
  public init(uid: UInt64, key: [UInt8], hash: [UInt8], outcome: [UInt8], expires: Int64) {
    self.uid = uid
    self.key = key
    self.hash = hash
    self.outcome = outcome
    self.expires = expires
  }
}

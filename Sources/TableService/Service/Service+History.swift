/// A part of a revision as history and feed tell it.
public struct HistoryEntry: Sendable {
  /// Where it stands in the journal.
  public var position: UInt64
  /// The revision.
  public var revision: UInt64
  /// Which part of it, from 0.
  public var part: Int
  /// Whether it is the last.
  public var isLast: Bool
  /// The tables that the revision changes; stated with the first part only.
  public var tables: [UInt64]
  /// hp.v1.Change, to be sent as it is; empty where only something beside it is kept.
  public var body: [UInt8]
  /// What is kept beside it, where that was asked for: for a `ChangeFilter`.
  public var side: [UInt8]
}

extension Service {
  /// Where the parts after a revision begin.
  ///
  /// - Parameter revision: A revision of this epoch.
  /// - Returns: The position to give to `history(after:)`.
  /// - Throws: `compacted`, or what the store says.
  public func position(after revision: UInt64) throws(ServiceFault) -> UInt64 {
    guard revision >= store.historyStart else { throw .compacted(oldest: store.historyStart) }
    do throws(StoreFault) {
      return try store.position(through: revision)
    } catch { throw .store(error) }
  }

  /// Reads parts of revisions in order (contract K2).
  ///
  /// - Parameters:
  ///   - position: The position after which to begin.
  ///   - bytes: About how many bytes; one part is always read.
  ///   - records: At most how many whole revisions.
  ///   - withSide: Whether what is kept beside the parts is wanted.
  /// - Returns: The parts, and the position to go on from; no parts where there are none.
  /// - Throws: `compacted`, or what the store says.
  public func history(
    after position: UInt64, bytes: Int, records: Int, withSide: Bool = false
  ) throws(ServiceFault) -> (entries: [HistoryEntry], next: UInt64) {
    do throws(StoreFault) {
      if let entries = try store.read(
        after: position, limitBytes: bytes, limitRecords: records, withOld: withSide)
      {
        let parts = entries.filter(\.isRevision).map { entry in
          HistoryEntry(
            position: entry.position, revision: entry.revision, part: entry.part,
            isLast: entry.isLast, tables: entry.tables, body: entry.body,
            side: entry.old)
        }
        return (parts, entries.last?.position ?? position)
      }
    } catch { throw .store(error) }
    throw .compacted(oldest: store.historyStart)
  }
}

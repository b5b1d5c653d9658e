internal import Coding

/// What came after a revision, read from the index of steps.
final class StoredLaterSteps: LaterSteps {
  let isEmpty: Bool
  let isUntouched: Bool
  private let store: Store
  private let revision: UInt64
  private let table: UInt64
  /// The record that was asked for last.
  private var last: (revision: UInt64, step: Reversal)?

  /// Looks what came after a revision.
  ///
  /// - Parameters:
  ///   - store: A store whose index is up to its journal.
  ///   - revision: The revision that is taken back.
  ///   - table: The table.
  /// - Throws: Where the store can't be read.
  init(_ store: Store, after revision: UInt64, table: UInt64) throws(StoreFault) {
    self.store = store
    self.revision = revision
    self.table = table
    isEmpty = try !store.hasStanding(in: table, after: revision)
    isUntouched = isEmpty ? try !store.hasRevision(of: table, after: revision) : false
  }

  func touches(of elements: [Element]) throws(ServiceFault) -> [Touch] {
    if isEmpty || elements.isEmpty { return [] }
    do throws(StoreFault) {
      return try store.standingTouches(of: elements, after: revision)
    } catch { throw .store(error) }
  }

  func newest(of element: Element) throws(ServiceFault) -> Touch? {
    do throws(StoreFault) {
      return try store.touches(of: element, before: .max, after: revision, limit: 1).first
    } catch { throw .store(error) }
  }

  func placement(of element: Element, after moment: UInt64) throws(ServiceFault) -> UInt64? {
    if moment == .max { return nil }
    do throws(StoreFault) {
      return try store.firstPlacement(of: element, after: max(moment, revision))
    } catch { throw .store(error) }
  }

  func columnTouches() throws(ServiceFault) -> [ColumnTouch] {
    if isEmpty { return [] }
    var touches: [ColumnTouch] = []
    var lost: UInt64?
    do throws(StoreFault) {
      for line in try store.standingStructure(of: table, after: revision)
      where line.changesColumns {
        guard let step = try store.reversal(at: line.position, of: table) else {
          lost = line.revision
          break
        }
        for column in step.touchedColumns {
          touches.append(
            ColumnTouch(
              column: column.id, revision: line.revision, isPlaced: column.isPlaced,
              uid: line.uid, actor: line.actor))
        }
      }
    } catch { throw .store(error) }
    if let lost {
      throw .table(
        TableFault(.stale, expected: "a step whose later ones are kept", revision: lost))
    }
    return touches
  }

  func newestOfTable() throws(ServiceFault) -> Touch? {
    do throws(StoreFault) {
      guard let line = try store.newestOfTable(table, after: revision) else { return nil }
      return Touch(
        element: .row(0), revision: line.revision, isPlaced: false, uid: line.uid,
        actor: line.actor)
    } catch { throw .store(error) }
  }

  func origin(of element: Element, in revision: UInt64) throws(ServiceFault) -> Origin? {
    if last?.revision != revision {
      do throws(StoreFault) {
        guard let line = try store.step(revision).first,
          let step = try store.reversal(at: line.position, of: table)
        else { return nil }
        last = (revision, step)
      } catch { throw .store(error) }
    }
    return last?.step.origin(of: element)
  }
}

extension Store {
  /// Reads what a record did to a table.
  ///
  /// - Parameters:
  ///   - position: Where the record's first part stands.
  ///   - table: The table's id.
  /// - Returns: What it did; `nil` where it is no longer kept.
  /// - Throws: Where the store can't be read.
  func reversal(at position: UInt64, of table: UInt64) throws(StoreFault) -> Reversal? {
    try record(at: position)?.reversal(of: table)
  }
}

extension [JournalEntry] {
  /// What a whole record did to a table; `rest` is called often.
  func reversal(
    of table: UInt64, rest: () -> Void = {}
  ) throws(StoreFault) -> Reversal {
    do throws(CodingFault) {
      return try Reversal(map(\.body), map(\.old), table: table, rest: rest)
    } catch { throw .damaged(.reading) }
  }
}

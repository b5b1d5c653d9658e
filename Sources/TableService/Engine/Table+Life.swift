internal import Coding

/// A table's own life: made, renamed, dropped; a revision each (contract E13).
extension Table {
  /// Makes a table.
  ///
  /// - Parameters:
  ///   - name: Its name; that no other table has it is the caller's part.
  ///   - columns: Its columns, their ids given here; none: Homepwner's.
  ///   - titles: The titles of its first sections; `nil` is untitled.
  ///   - identifiers: Gives the ids of table, sections and rows.
  ///   - pending: Takes what is to be written to disk.
  ///   - context: Revision, time and who asks.
  /// - Returns: The table and its change.
  /// - Throws: `badName`, `tooManyColumns`, `tooManySections`, `nameInUse`, `badValue`,
  ///   `wrongKind`, `unsupported`, `textTooLong`.
  public static func make(
    name: String, columns: [Column], titles: [String?] = [], identifiers: Identifiers,
    pending: PendingWrites, _ context: borrowing ChangeContext
  ) throws(TableFault) -> (table: Table, outcome: Outcome) {
    if let fault = Name.faultOfTable(name) {
      throw TableFault(.badName, value: name, expected: fault)
    }
    let columns = try Column.judged(columns.isEmpty ? Schema.homepwnerColumns : columns)
    let mark = identifiers.mark
    guard titles.count <= TableLimits.sections, let id = identifiers.nextTable() else {
      throw TableFault(.tooManySections, expected: "at most \(TableLimits.sections) sections")
    }
    let table = Table(
      id: id, name: name, schema: Schema(columns: columns, revision: context.revision),
      lastChanged: context.revision, identifiers: identifiers, pending: pending)
    table.begin()
    table.work.nameChanged = true
    table.work.isCreation = true
    table.work.schemaChanged = true
    do throws(TableFault) {
      for (index, title) in titles.enumerated() {
        let bytes = title.map { Array($0.utf8) }
        if let bytes, bytes.count > TableLimits.title || bytes.contains(0) {
          throw TableFault(.textTooLong, value: title, expected: "a title")
        }
        _ = try table.makeSection(SectionRecord(id: 0, title: bytes), at: index)
      }
    } catch {
      table.rollback()
      identifiers.mark = mark
      throw error
    }
    return (table, table.finish(isDryRun: false, context))
  }

  /// Makes the table that a change created, and folds the change.
  ///
  /// - Parameters:
  ///   - id: The table's id.
  ///   - parts: All parts of the change.
  ///   - identifiers: Gives the ids of its rows and sections from now on.
  ///   - pending: Takes what is to be written to disk.
  /// - Throws: `FoldFault`.
  public convenience init(
    folding id: UInt64, _ parts: [[UInt8]], identifiers: Identifiers, pending: PendingWrites
  ) throws(FoldFault) {
    self.init(
      id: id, name: "", schema: Schema(columns: [], revision: 0), lastChanged: 0,
      identifiers: identifiers, pending: pending)
    identifiers.observe(table: id)
    try fold(parts)
  }

  /// Gives the table another name.
  ///
  /// - Parameters:
  ///   - name: The name; that no other table has it is the caller's part.
  ///   - context: Revision, time and who asks.
  /// - Returns: The change; unchanged where the name is the same.
  /// - Throws: `badName`.
  public func rename(
    to name: String, _ context: borrowing ChangeContext
  ) throws(TableFault) -> Outcome {
    if let fault = Name.faultOfTable(name) {
      throw TableFault(.badName, value: name, expected: fault)
    }
    begin()
    work.nameChanged = name != self.name
    self.name = name
    return finish(isDryRun: false, context)
  }

  /// Says that all of the table is to be drawn anew: a revision without content (semantics T2,
  /// contract E6).
  ///
  /// - Parameter context: Revision, time and who asks.
  /// - Returns: The change.
  public func reloadData(_ context: borrowing ChangeContext) -> Outcome {
    begin()
    work.isReload = true
    return finish(isDryRun: false, context)
  }

  /// Drops the table.
  ///
  /// It must not be used afterwards.
  ///
  /// - Parameter context: Revision, time and who asks.
  /// - Returns: The change.
  public func drop(_ context: borrowing ChangeContext) -> Outcome {
    var outcome = Outcome()
    outcome.revision = context.revision
    outcome.table = id
    outcome.lastChanged = context.revision
    outcome.event = .dropped
    var part: [UInt8] = []
    ChangeWriter.append(context, to: &part)
    part.appendField(9) {
      $0.appendField(1, varint: id)
      $0.appendField(2, varint: schema.revision)
      $0.appendField(3, varint: UInt64(ChangeHead.Event.dropped.rawValue))
    }
    outcome.change = [part]
    foldDrop(revision: context.revision)
    return outcome
  }

  /// Drops the table as a change that was already made says.
  ///
  /// - Parameter revision: The change's revision.
  public func foldDrop(revision: UInt64) {
    pending.append(.dropTable, table: id)
    pending.close(revision: revision)
  }
}

extension Service {
  /// Makes a table.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - columns: Its columns; none: those of an item.
  ///   - titles: Titles of its first sections; `nil` is untitled.
  ///   - requester: Who asks.
  ///   - key: The request's key.
  /// - Returns: The change.
  /// - Throws: Why it is refused; nothing has changed then.
  public func create(
    name: String, columns: [Column], titles: [String?], by requester: Requester,
    key: RequestKey? = nil
  ) throws(ServiceFault) -> Outcome {
    try checkWritable(false)
    try checkTurn(nil)
    try checkFree(name, but: nil)
    let context = context(requester)
    do throws(TableFault) {
      let made = try Table.make(
        name: name, columns: columns, titles: titles, identifiers: identifiers,
        pending: pending, context)
      tableList.append(made.table)
      accept(made.outcome, context, key)
      return made.outcome
    } catch { throw .table(error) }
  }

  /// Gives a table another name.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - name: The name.
  ///   - expect: The table has not changed since (contract E1).
  ///   - requester: Who asks.
  ///   - key: The request's key.
  /// - Returns: The change.
  /// - Throws: Why it is refused; nothing has changed then.
  public func rename(
    _ table: Table, to name: String, expect: StoreCursor? = nil, by requester: Requester,
    key: RequestKey? = nil
  ) throws(ServiceFault) -> Outcome {
    try checkWritable(false)
    try checkTurn(table)
    try checkFree(name, but: table)
    let context = context(requester)
    do throws(TableFault) {
      if let expect { try table.judge(expect, context) }
      let outcome = try table.rename(to: name, context)
      accept(outcome, context, key)
      return outcome
    } catch { throw .table(error) }
  }

  /// Says that all of a table is to be drawn anew (semantics T2).
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - expect: The table has not changed since (contract E1).
  ///   - requester: Who asks.
  ///   - key: The request's key.
  /// - Returns: The change, which has no content.
  /// - Throws: Why it is refused; nothing has changed then.
  public func reload(
    _ table: Table, expect: StoreCursor? = nil, by requester: Requester,
    key: RequestKey? = nil
  ) throws(ServiceFault) -> Outcome {
    try checkWritable(false)
    try checkTurn(table)
    let context = context(requester)
    do throws(TableFault) {
      if let expect { try table.judge(expect, context) }
    } catch { throw .table(error) }
    let outcome = table.reloadData(context)
    accept(outcome, context, key)
    return outcome
  }

  /// Drops a table and all that is in it.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - expect: The table has not changed since (contract E1).
  ///   - requester: Who asks.
  ///   - key: The request's key.
  /// - Returns: The change.
  /// - Throws: Why it is refused; nothing has changed then.
  public func drop(
    _ table: Table, expect: StoreCursor? = nil, by requester: Requester,
    key: RequestKey? = nil
  ) throws(ServiceFault) -> Outcome {
    try checkWritable(false)
    try checkTurn(table)
    let context = context(requester)
    do throws(TableFault) {
      if let expect { try table.judge(expect, context) }
    } catch { throw .table(error) }
    let outcome = table.drop(context)
    tableList.removeAll { $0 === table }
    accept(outcome, context, key)
    return outcome
  }

  /// Names are unique whatever the case (contract S10).
  private func checkFree(_ name: String, but table: Table?) throws(ServiceFault) {
    if let other = self.table(named: name), other !== table {
      throw .table(TableFault(.nameInUse, value: name, expected: "a name that is free"))
    }
  }
}

internal import TableService
internal import Wire

/// Reads (SPEC 4).
extension Daemon {
  private static let idsPerRequest = 10_000

  func getRows(
    _ session: Session, _ id: UInt64, _ reference: TableReference, _ ids: IDList
  ) throws(ErrorReply) {
    let table = try table(reference)
    guard ids.count <= Daemon.idsPerRequest else {
      throw ErrorReply(.tooManyElements, "at most \(Daemon.idsPerRequest) ids a request")
    }
    for index in 0..<ids.count {
      let row = ids[index]
      guard page.size < Limits.frameDown - 2 * Limits.frameUp else {
        page = RowPageEncoder()
        throw ErrorReply(.tooManyElements, "the rows do not fit a reply: ask for fewer at a time")
      }
      let isThere = table.withRow(row) { image, path, section in
        page.add(image, path: IndexPath(path), section: section)
      }
      if !isThere { page.add(missing: row) }
    }
    finishPage(session, id, table, next: nil)
  }

  private func finishPage(_ session: Session, _ id: UInt64, _ table: Table, next: Int?) {
    reply(session, id) { out in
      page.finish(
        id: id, cursor: cursor, next: next, lastChanged: table.lastChanged,
        schemaRevision: table.schema.revision, into: &out)
    }
  }

  func locateRow(
    _ session: Session, _ id: UInt64, _ reference: TableReference, _ row: UInt64
  ) throws(ErrorReply) {
    let table = try table(reference)
    guard let place = table.path(of: row) else {
      var error = ErrorReply(.noSuchRow, "no such row")
      error.row = row
      throw error
    }
    reply(session, id) {
      ReplyEncoder.location(
        id: id, path: IndexPath(place.path), section: place.section,
        position: table.position(of: place.path), cursor: cursor, into: &$0)
    }
  }

  /// The index of the section that a read names, or `nil` where it names none.
  func section(
    _ reference: NamedSection, of table: Table
  ) throws(ErrorReply) -> Int? {
    switch reference {
    case .absent: return nil
    case .id(let id):
      if let index = table.sectionIndex(of: id) { return index }
      var error = ErrorReply(.noSuchSection, "no such section")
      error.section = id
      throw error
    case .title(let title):
      do throws(TableFault) {
        return try table.sectionIndex(titled: Array(title.utf8))
      } catch {
        var told = ErrorReply(error)
        told.value = title
        throw told
      }
    case .index(let index):
      if index < table.sectionCount { return index }
      var error = ErrorReply(.outOfRange, "no section has that index")
      error.expected = "an index below \(table.sectionCount)"
      throw error
    case .handle: throw ErrorReply(.badRequest, "handles belong to batches")
    }
  }
}

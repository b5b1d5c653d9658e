internal import TableService
internal import Wire

/// The rows and sections that requests about editing name.
extension Daemon {
  /// What stands at a place: a row, or a section's sentinel (contract E11).
  enum Found {
    case row(UInt64)
    case sentinel(section: Int)
  }

  /// Finds what a request names.
  ///
  /// A row that is named by its id is not looked for: the step says what is wrong with it.
  func found(
    _ reference: RowReference, _ basis: Wire.Basis, _ table: Table
  ) throws(ErrorReply) -> Found {
    switch reference {
    case .absent: throw ErrorReply(.badRequest, "the request names no row")
    case .handle: throw ErrorReply(.badRequest, "a handle means something in a batch only")
    case .id(let id): return .row(id)
    case .path(let section, let row):
      let path = RowPath(section, row)
      let found: RowAt
      do throws(ServiceFault) {
        found = try service.row(at: path, Batch.Basis(basis), of: table)
      } catch { throw ErrorReply(error) }
      switch found {
      case .row(let id): return .row(id)
      case .sentinel: return .sentinel(section: section)
      }
    }
  }

  /// Finds a row; a sentinel is refused with a code.
  func row(
    _ reference: RowReference, _ basis: Wire.Basis, _ table: Table, orRefuse code: ErrorCode
  ) throws(ErrorReply) -> UInt64 {
    switch try found(reference, basis, table) {
    case .row(let id): return id
    case .sentinel(let section):
      var error = ErrorReply(code, "the last line of a section is no row")
      error.path = IndexPath(section: section, row: table.section(at: section).rows)
      throw error
    }
  }

  /// The row that a later step of a swipe or a confirm may name.
  func namedRow(
    _ reference: RowReference, _ basis: Wire.Basis, _ table: Table, orRefuse code: ErrorCode
  ) throws(ErrorReply) -> UInt64? {
    if reference == .absent { return nil }
    return try row(reference, basis, table, orRefuse: code)
  }

  /// Finds a section.
  func sectionIndex(
    _ section: NamedSection, _ table: Table
  ) throws(ErrorReply) -> Int {
    switch section {
    case .absent: throw ErrorReply(.badRequest, "the request names no section")
    case .handle: throw ErrorReply(.badRequest, "a handle means something in a batch only")
    case .id(let id):
      guard let index = table.sectionIndex(of: id) else {
        throw ErrorReply(TableFault(.noSuchSection, section: id))
      }
      return index
    case .title(let title):
      do throws(TableFault) {
        return try table.sectionIndex(titled: Array(title.utf8))
      } catch { throw ErrorReply(error) }
    case .index(let index):
      guard index < table.sectionCount else {
        throw ErrorReply(
          TableFault(
            .outOfRange, value: "\(index)", expected: "a section below \(table.sectionCount)"))
      }
      return index
    }
  }
}

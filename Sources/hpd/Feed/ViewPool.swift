internal import TableService

/// Tables at one revision, shared by those who are sent a snapshot of it (contract F4).
final class SharedView {
  let table: UInt64?
  let revision: UInt64
  let tables: [TableView]
  var readers = 0

  init(table: UInt64?, revision: UInt64, tables: [TableView]) {
    self.table = table
    self.revision = revision
    self.tables = tables
  }
}

/// The views that are open: few, so that what is kept for them stays bounded.
final class ViewPool {
  static let maximum = 4
  /// What may be kept for one view alone.
  static let heldBytes = 64 << 20
  private var views: [SharedView] = []

  /// The oldest revision that is being read, which history has to go on from.
  var oldest: UInt64? { views.map(\.revision).min() }

  var isEmpty: Bool { views.isEmpty }

  var count: Int { views.count }

  /// Views that cost more than they may.
  var heavy: [SharedView] {
    views.filter { view in
      view.tables.reduce(0) { $0 + $1.heldBytes } > ViewPool.heldBytes
    }
  }

  /// A view for a new reader: a fresh one, else the newest one there is.
  ///
  /// - Parameters:
  ///   - table: The table, or `nil` for all.
  ///   - least: The revision that it has to show, or a later one.
  ///   - service: The tables.
  /// - Returns: The view, to be released, or `nil` where the reader has to wait.
  func view(of table: UInt64?, least: UInt64, _ service: Service) -> SharedView? {
    let isFull = views.count >= ViewPool.maximum
    if let newest = views.last(where: { $0.table == table }),
      newest.revision == service.revision || isFull && newest.revision >= least
    {
      newest.readers += 1
      return newest
    }
    guard !isFull else { return nil }
    let wanted = service.tables.filter { table == nil || $0.id == table }
    let view = SharedView(
      table: table, revision: service.revision,
      tables: wanted.map { $0.openView(revision: service.revision) })
    view.readers = 1
    views.append(view)
    return view
  }

  func release(_ view: SharedView) {
    view.readers -= 1
    guard view.readers == 0, let index = views.firstIndex(where: { $0 === view }) else { return }
    for table in view.tables { table.close() }
    views.remove(at: index)
  }

  /// Forgets views of tables that are no more.
  func removeAll() { views.removeAll() }
}

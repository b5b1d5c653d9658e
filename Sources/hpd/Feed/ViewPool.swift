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
  private var views: [SharedView] = []

  /// A sender for a new reader: of a fresh view, else of the newest one there is.
  ///
  /// - Returns: The sender, or `nil` where the reader has to wait.
  func sender(of table: UInt64?, _ service: Service) -> SnapshotSender? {
    let newest = views.last { $0.table == table }
    if let newest, newest.revision == service.revision || views.count >= ViewPool.maximum {
      return reader(of: newest)
    }
    guard views.count < ViewPool.maximum else { return nil }
    let wanted = service.tables.filter { table == nil || $0.id == table }
    let view = SharedView(
      table: table, revision: service.revision,
      tables: wanted.map { $0.openView(revision: service.revision) })
    views.append(view)
    return reader(of: view)
  }

  private func reader(of view: SharedView) -> SnapshotSender {
    view.readers += 1
    return SnapshotSender(view)
  }

  func release(_ sender: SnapshotSender) {
    let view = sender.view
    view.readers -= 1
    guard view.readers == 0, let index = views.firstIndex(where: { $0 === view }) else { return }
    for table in view.tables { table.close() }
    views.remove(at: index)
  }

  /// Forgets views of tables that are no more.
  func removeAll() { views.removeAll() }
}

extension Verb {
  /// Does what the verb says.
  func run(_ context: Context) throws(Fault) {
    switch self {
    case .add: try context.add()
    case .new: try context.new()
    case .get: try context.get()
    case .list, .find: try context.list()
    case .sum: try context.sum()
    case .sort: try context.sortSection()
    case .count: try context.count()
    case .set: try context.set()
    case .rm: try context.remove()
    case .mv: try context.move()
    case .cp: try context.copy()
    case .batch: try context.batch()
    case .sectionAdd: try context.addSection()
    case .sectionList: try context.listSections()
    case .sectionTitle: try context.titleSection()
    case .sectionMove: try context.moveSection()
    case .sectionRemove: try context.removeSections()
    case .sectionHeader: try context.setSectionPart { .setHeader($0, $1) }
    case .sectionFooter: try context.setSectionPart { .setFooter($0, $1) }
    case .tableHeader: try context.setTablePart { .setHeader(nil, $0) }
    case .tableFooter: try context.setTablePart { .setFooter(nil, $0) }
    case .tableAdd: try context.addTable()
    case .tableRemove: try context.removeTable()
    case .tableRename: try context.renameTable()
    case .tableList: try context.listTables()
    case .tableColumns: try context.listColumns()
    case .columnAdd: try context.addColumn()
    case .columnRename: try context.renameColumn()
    case .columnMove: try context.moveColumn()
    case .columnRemove: try context.removeColumn()
    case .importFile: try context.importFile()
    case .export: try context.export()
    case .watch: try context.watch()
    case .barrier: try context.barrier()
    case .view: try context.view()
    case .ping: try context.ping()
    case .info: try context.info()
    case .clients: try context.clients()
    case .killClient: try context.killClient()
    case .logLevel: try context.setLogLevel()
    case .completion: try context.completion()
    case .version: context.version()
    case .help: try context.help()
    }
  }
}

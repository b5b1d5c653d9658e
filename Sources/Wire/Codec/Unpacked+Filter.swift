internal import CHPProto

// Safe: in this file all pointers lead into the arena of the frame in hand, which was scanned.
extension Unpacked {
  static func filter(_ pointer: UnsafePointer<Hp__V1__Filter>?) -> [FilterNode]? {
    guard let filter = unsafe pointer?.pointee else { return nil }
    var nodes: [FilterNode] = []
    unsafe nodes.reserveCapacity(filter.n_nodes)
    for index in 0..<(unsafe filter.n_nodes) {
      guard let node = unsafe filter.nodes[index]?.pointee else { continue }
      var values: [CellValue?] = []
      for cell in 0..<(unsafe node.n_cells) { values.append(unsafe value(node.cells[cell])) }
      nodes.append(
        unsafe FilterNode(
          FilterNode.Operator(rawValue: node.operator_.rawValue),
          column: optionalString(node.column), values: values, folded: node.folded != 0))
    }
    return nodes
  }

  static func sort(_ pointer: UnsafePointer<Hp__V1__Sort>) -> SortRule {
    let sort = unsafe pointer.pointee
    return unsafe SortRule(
      optionalString(sort.column) ?? "", descending: sort.descending != 0,
      folded: sort.folded != 0)
  }

  static func findRows(_ pointer: UnsafePointer<Hp__V1__FindRows>) -> FindRowsRequest {
    let find = unsafe pointer.pointee
    var keys: [SortRule] = []
    for index in 0..<(unsafe find.n_sort) {
      if let key = unsafe find.sort[index] { keys.append(unsafe sort(key)) }
    }
    return unsafe FindRowsRequest(
      table: table(find.table), section: namedSection(find.section),
      filter: filter(find.filter), sort: keys,
      limit: find.has_limit != 0 ? index(find.limit) : nil, skip: index(find.skip),
      first: index(find.first), snapshot: find.has_snapshot != 0 ? find.snapshot : nil)
  }
}

extension BatchBuffer {
  /// Decodes an operation on many rows; `nil`: it is another one.
  mutating func manyAction(
    _ pointer: UnsafePointer<Hp__V1__Operation>, _ operation: Int
  ) throws(WireFault) -> BatchOperation.Action? {
    switch unsafe pointer.pointee.operation_case {
    case HP__V1__OPERATION__OPERATION_MOVE_MANY:
      let move = unsafe pointer.pointee.move_many.pointee
      // Both ids and another way to name rows: no one meaning.
      let isTwice = unsafe move.n_ids > 0 && move.which_case != HP__V1__MOVE_MANY__WHICH__NOT_SET
      if isTwice { return .absent }
      return unsafe .moveMany(selection(move), to: place(move.to))
    case HP__V1__OPERATION__OPERATION_DELETE_WHERE:
      return unsafe .deleteWhere(
        filter: add(filter: pointer.pointee.delete_where.pointee.filter))
    case HP__V1__OPERATION__OPERATION_UPDATE_WHERE:
      let update = unsafe pointer.pointee.update_where.pointee
      return unsafe .updateWhere(
        filter: add(filter: update.filter),
        cells: try add(cells: update.cells, update.n_cells, operation))
    case HP__V1__OPERATION__OPERATION_SORT_SECTION:
      let sort = unsafe pointer.pointee.sort_section.pointee
      let start = sorts.count
      for index in 0..<(unsafe sort.n_by) {
        if let key = unsafe sort.by[index] { sorts.append(unsafe Unpacked.sort(key)) }
      }
      return unsafe .sortSection(section(sort.section), by: start..<sorts.count)
    default: return nil
    }
  }

  private mutating func add(filter pointer: UnsafePointer<Hp__V1__Filter>?) -> Int? {
    guard let filter = unsafe Unpacked.filter(pointer) else { return nil }
    filters.append(filter)
    return filters.count - 1
  }

  private mutating func selection(_ move: Hp__V1__MoveMany) -> BatchOperation.Selection {
    switch unsafe move.which_case {
    case HP__V1__MOVE_MANY__WHICH_RUN:
      let run = unsafe move.run.pointee
      return unsafe .run(first: run.first, count: run.has_count != 0 ? run.count : 1)
    case HP__V1__MOVE_MANY__WHICH_FILTER:
      if let filter = unsafe add(filter: move.filter) { return .filter(filter) }
    default: break
    }
    let start = ids.count
    unsafe ids.append(contentsOf: UnsafeBufferPointer(start: move.ids, count: move.n_ids))
    return .ids(start..<ids.count)
  }
}

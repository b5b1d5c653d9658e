internal import TableService
internal import Wire

extension RowFilter {
  /// A filter of the wire as one of the table.
  init(_ nodes: [FilterNode]) {
    self.init(
      nodes.map { node in
        Node(
          node.operation.map(Operator.init), node.column,
          node.values.map { value in value.map(TableService.CellValue.init) },
          isFolded: node.folded)
      })
  }
}

extension RowFilter.Operator {
  init(_ operation: FilterNode.Operator) {
    switch operation {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    case .prefix: self = .prefix
    case .contains: self = .contains
    case .oneOf: self = .oneOf
    case .isNull: self = .isNull
    case .and: self = .and
    case .or: self = .or
    case .not: self = .not
    }
  }
}

extension SortKey {
  init(_ rule: SortRule) {
    self.init(rule.column, isDescending: rule.descending, isFolded: rule.folded)
  }
}

extension Batch.Selection {
  init(_ selection: BatchOperation.Selection) {
    switch selection {
    case .ids(let range): self = .ids(range)
    case .run(let first, let count): self = .run(IDRun(first: first, count: count))
    case .filter(let filter): self = .filter(filter)
    }
  }
}

extension RowFilter {
  /// Makes the filter ready for a table's columns.
  ///
  /// - Parameter schema: The columns.
  /// - Returns: The compiled filter.
  /// - Throws: `badFilter` for a list that is no expression or has more than 256 nodes,
  ///   `noSuchColumn`, `wrongKind`.
  /// - Complexity: O(*n* log *n*) in the nodes and their values.
  public func compiled(for schema: Schema) throws(TableFault) -> CompiledFilter {
    guard nodes.count <= RowFilter.maximumNodes else {
      throw TableFault(
        .badFilter, value: "\(nodes.count) nodes", expected: "at most \(RowFilter.maximumNodes)")
    }
    let filter = CompiledFilter()
    var places: [Int?] = []
    var depth = 0
    for (index, node) in nodes.enumerated() {
      guard let operation = node.operation else {
        throw RowFilter.bad(index, "an operator")
      }
      switch operation {
      case .and, .or, .not:
        let needs = operation == .not ? 1 : 2
        guard depth >= needs else {
          throw RowFilter.bad(index, needs == 1 ? "a test before it" : "two tests before it")
        }
        guard node.column == nil, node.values.isEmpty else {
          throw RowFilter.bad(index, "no column and no value")
        }
        depth -= needs - 1
        let kind: CompiledFilter.Step.Kind =
          operation == .and ? .and : operation == .or ? .or : .not
        filter.steps.append(CompiledFilter.Step(kind: kind, operation: operation))
        places.append(nil)
      default:
        depth += 1
        places.append(try filter.append(operation, node, index, schema))
      }
    }
    guard nodes.isEmpty || depth == 1 else {
      throw TableFault(
        .badFilter, value: "\(depth) tests are left", expected: "one: join them with and or or")
    }
    filter.assignRegisters(places, schema)
    return filter
  }

  static func bad(_ node: Int, _ expected: String) -> TableFault {
    TableFault(.badFilter, value: "node \(node)", expected: expected)
  }
}

extension CompiledFilter {
  /// Appends a test.
  ///
  /// - Returns: The column's place in the schema.
  fileprivate func append(
    _ operation: RowFilter.Operator, _ node: RowFilter.Node, _ index: Int, _ schema: Schema
  ) throws(TableFault) -> Int {
    guard let name = node.column else { throw RowFilter.bad(index, "a column") }
    guard let place = schema.index(named: Array(name.utf8).span) else {
      throw TableFault(.noSuchColumn, column: name)
    }
    let column = schema.columns[place]
    let needs: ClosedRange<Int> =
      operation == .isNull ? 0...0 : operation == .oneOf ? 1...Int.max : 1...1
    guard needs.contains(node.values.count) else {
      throw RowFilter.bad(
        index, needs == 0...0 ? "no value" : needs == 1...1 ? "one value" : "at least one value")
    }
    let isForText = operation == .prefix || operation == .contains || node.isFolded
    if isForText, column.kind != .text {
      throw TableFault(.wrongKind, column: column.name, value: "\(column.kind)", expected: "text")
    }
    for value in node.values {
      guard let value, value.kind != column.kind else { continue }
      throw TableFault(
        .wrongKind, column: column.name, value: value.described, expected: "\(column.kind)")
    }
    let values = node.values.compactMap { $0 }
    if operation == .isNull {
      steps.append(Step(kind: .isNull, operation: operation))
    } else if values.isEmpty {
      steps.append(Step(kind: .never, operation: operation))
    } else if operation == .oneOf {
      append(list: values, isFolded: node.isFolded)
    } else if case .text(let text) = values[0] {
      append(operation, text, isFolded: node.isFolded)
    } else {
      var step = Step(kind: .number, operation: operation)
      step.number = values[0].number
      steps.append(step)
    }
    return place
  }

  private func append(_ operation: RowFilter.Operator, _ value: [UInt8], isFolded: Bool) {
    let kind: Step.Kind =
      operation == .prefix ? .prefix : operation == .contains ? .contains : .text
    var step = Step(kind: kind, operation: operation)
    step.isFolded = isFolded || kind == .contains
    let constant = step.isFolded ? Folding.fold(value.span) : value
    step.start = Int32(text.count)
    text.append(contentsOf: constant)
    step.end = Int32(text.count)
    if kind == .contains {
      step.table = Int32(searchTables.count)
      FoldedText.appendSearchTable(of: constant.span, to: &searchTables)
    }
    steps.append(step)
  }

  private func append(list values: [CellValue], isFolded: Bool) {
    var step = Step(kind: .numbers, operation: .oneOf)
    step.isFolded = isFolded
    if values[0].kind == .text {
      step.kind = .texts
      var members: [[UInt8]] = []
      for case .text(let value) in values {
        members.append(isFolded ? Folding.fold(value.span) : value)
      }
      members.sort { $0.span.ordered(to: $1.span) < 0 }
      step.start = Int32(texts.count)
      for member in members {
        texts.append(text.count..<text.count + member.count)
        text.append(contentsOf: member)
      }
      step.end = Int32(texts.count)
    } else {
      step.start = Int32(numbers.count)
      numbers.append(contentsOf: values.map(\.number).sorted())
      step.end = Int32(numbers.count)
    }
    steps.append(step)
  }

  /// Gives each column that is looked at one register, by rising id.
  fileprivate func assignRegisters(_ places: [Int?], _ schema: Schema) {
    let ids = Set(places.compactMap { place in place.map { schema.columns[$0].id } }).sorted()
    registers = ids.map { Register(column: $0) }
    for (index, place) in places.enumerated() {
      guard let place, let register = ids.firstIndex(of: schema.columns[place].id) else {
        continue
      }
      steps[index].register = Int32(register)
    }
  }
}

extension CellValue {
  /// The value of any kind but text as a number; 0 or 1 for a boolean.
  var number: Int64 {
    switch self {
    case .text: preconditionFailure("text is not a number")
    case .integer(let number), .decimal(let number), .date(let number), .timestamp(let number):
      number
    case .boolean(let flag): flag ? 1 : 0
    }
  }
}

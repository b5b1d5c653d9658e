/// A filter made ready for a table's columns: constants folded, sorted and laid out flat.
///
/// Judging a row walks its image once and then the steps; it allocates only where a text that
/// is not ASCII has to be folded.
public final class CompiledFilter {
  /// One step; texts and lists stand in the filter's flat storage.
  struct Step {
    enum Kind: UInt8 {
      case number, text, prefix, contains, numbers, texts, isNull, never, and, or, not
    }
    var kind: Kind
    var operation: RowFilter.Operator
    var isFolded = false
    /// The place of the cell in `registers`.
    var register: Int32 = 0
    var number: Int64 = 0
    /// Bytes of `text`, or members of `numbers` or `texts`.
    var start: Int32 = 0
    var end: Int32 = 0
    /// Where the search table of a contains begins.
    var table: Int32 = 0

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  /// A cell of the row at hand.
  struct Register {
    var column: UInt64
    var isPresent = false
    var number: Int64 = 0
    var start = 0
    var end = 0
    var text: Range<Int> { start..<end }
  }

  var steps: [Step] = []
  /// By rising column id.
  var registers: [Register] = []
  var text: [UInt8] = []
  var numbers: [Int64] = []
  var texts: [Range<Int>] = []
  var searchTables: [Int32] = []

  init() {}

  /// About how many bytes judging a row of so many bytes looks at.
  ///
  /// - Parameter bytes: The size of the row's image.
  /// - Returns: The work, in bytes.
  public func work(_ bytes: Int) -> Int { bytes * (1 + steps.count) }

  /// Judges a row.
  ///
  /// - Parameter image: The row's image.
  /// - Returns: Whether the filter takes it.
  /// - Complexity: O(*c* + *b*) in its cells and the bytes of the texts looked at.
  public func matches(_ image: Span<UInt8>) -> Bool {
    if steps.isEmpty { return true }
    load(image)
    // At most 128 results wait in 256 nodes: each needs a node, and joining n takes n − 1.
    var stack: UInt128 = 0
    for index in steps.indices {
      switch steps[index].kind {
      case .and:
        let top = stack & 1
        stack = (stack >> 1) & (~1 | top)
      case .or:
        let top = stack & 1
        stack = (stack >> 1) | top
      case .not: stack ^= 1
      default: stack = stack << 1 | (test(steps[index], image) ? 1 : 0)
      }
    }
    return stack & 1 == 1
  }

  private func load(_ image: Span<UInt8>) {
    var cells = RowImage.Cells(of: image)
    var next = 0
    while next < registers.count, let cell = cells.next(in: image) {
      while next < registers.count, registers[next].column < cell.column {
        registers[next].isPresent = false
        next += 1
      }
      guard next < registers.count, registers[next].column == cell.column else { continue }
      registers[next].isPresent = true
      registers[next].number = cell.number
      registers[next].start = cell.text.lowerBound
      registers[next].end = cell.text.upperBound
      next += 1
    }
    while next < registers.count {
      registers[next].isPresent = false
      next += 1
    }
  }

  private func test(_ step: Step, _ image: Span<UInt8>) -> Bool {
    let register = registers[Int(step.register)]
    if step.kind == .isNull { return !register.isPresent }
    // A comparison with null is false.
    guard register.isPresent else { return false }
    let (text, tables) = (text, searchTables)
    switch step.kind {
    case .number: return step.operation.holds(register.number.ordered(to: step.number))
    case .text:
      let bytes = image.extracting(register.text)
      let constant = text.span.extracting(step.range)
      if !step.isFolded {
        let isTest = step.operation == .equal || step.operation == .notEqual
        if isTest, bytes.count != constant.count { return step.operation == .notEqual }
        return step.operation.holds(bytes.ordered(to: constant))
      }
      return step.operation.holds(FoldedText.order(bytes, to: constant))
    case .prefix:
      let bytes = image.extracting(register.text)
      let constant = text.span.extracting(step.range)
      if step.isFolded { return FoldedText.hasPrefix(bytes, constant) }
      guard bytes.count >= constant.count else { return false }
      return bytes.extracting(0..<constant.count).isEqual(to: constant)
    case .contains:
      let bytes = image.extracting(register.text)
      return FoldedText.contains(
        bytes, text.span.extracting(step.range),
        tables.span.extracting(Int(step.table)..<Int(step.table) + step.range.count))
    case .numbers: return isListed(register.number, in: step.range)
    case .texts:
      let bytes = image.extracting(register.text)
      if !step.isFolded { return isListed(bytes, in: step.range) }
      let key = Folding.fold(bytes)
      return isListed(key.span, in: step.range)
    case .isNull, .never, .and, .or, .not: return false
    }
  }

  private func isListed(_ number: Int64, in range: Range<Int>) -> Bool {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < range.upperBound && numbers[low] == number
  }

  private func isListed(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
    let text = text
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if text.span.extracting(texts[middle]).ordered(to: bytes) < 0 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < range.upperBound && text.span.extracting(texts[low]).isEqual(to: bytes)
  }
}

@available(*, unavailable)
extension CompiledFilter: Sendable {}

extension RowFilter.Operator {
  /// Whether a comparison takes an order: below, at or above 0.
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .prefix, .contains, .oneOf, .isNull, .and, .or, .not: false
    }
  }

  /// Whether it compares with one value.
  var isComparison: Bool { rawValue <= RowFilter.Operator.greaterOrEqual.rawValue }
}

extension Int64 {
  /// Below, at or above 0 as the number is less than, equal to or greater than another.
  func ordered(to other: Int64) -> Int { self < other ? -1 : self > other ? 1 : 0 }
}

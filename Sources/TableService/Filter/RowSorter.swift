/// Sorts rows by some of their cells: nulls last, ties in the order of adding (contract S7).
///
/// With a small limit only the first rows are held. Without one the rows are held in sorted
/// runs that are merged when they are read, so that no single step takes long.
public final class RowSorter {
  private struct Rule {
    var column: UInt64
    var isText: Bool
    var isDescending: Bool
    var isFolded: Bool
  }

  /// A number, or a range of `text`; null where `count` is below 0.
  private struct Key {
    var number: Int64
    var count: Int32
  }

  private struct Entry {
    var section: UInt32
    var row: UInt32
    /// In the order of adding.
    var ordinal: UInt32
    /// Where its keys stand.
    var keys: UInt32
  }

  /// Rows of one run, and the limit up to which only the first rows are held.
  private static let run = 4096
  /// Bytes that keys may take before the sort is refused.
  public static let maximumBytes = 256 << 20

  private let rules: [Rule]
  private let limit: Int?
  private var keys: [Key] = []
  private var text: [UInt8] = []
  private var entries: [Entry] = []
  private var runs: [[Entry]] = []
  private var places: [Int] = []
  /// Runs by the entry at their place, as a binary heap.
  private var heap: [Int] = []
  private var count: UInt32 = 0

  /// Makes a sorter for rows of a table.
  ///
  /// - Parameters:
  ///   - by: What to sort by, the most important first.
  ///   - schema: The table's columns.
  ///   - limit: How many rows will be read at most; `nil`: all.
  /// - Throws: `badRequest` without a key, `noSuchColumn`, `wrongKind` where what is not text
  ///   is to be folded.
  public init(_ by: [SortKey], in schema: Schema, limit: Int? = nil) throws(TableFault) {
    guard (1...TableLimits.columns).contains(by.count) else {
      throw TableFault(
        .badRequest, value: "\(by.count) columns to sort by",
        expected: "1 to \(TableLimits.columns)")
    }
    var rules: [Rule] = []
    for key in by {
      guard let column = schema.column(named: key.column) else {
        throw TableFault(.noSuchColumn, column: key.column)
      }
      if key.isFolded, column.kind != .text {
        throw TableFault(
          .wrongKind, column: column.name, value: "\(column.kind)", expected: "text")
      }
      rules.append(
        Rule(
          column: column.id, isText: column.kind == .text, isDescending: key.isDescending,
          isFolded: key.isFolded))
    }
    self.rules = rules
    self.limit = limit.flatMap { $0 <= RowSorter.run ? $0 : nil }
  }

  /// Memory held, in bytes.
  public var bytes: Int {
    keys.count * MemoryLayout<Key>.stride + text.count + Int(count) * MemoryLayout<Entry>.stride
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - image: The row's image.
  ///   - section: Its section's index.
  ///   - row: Its index there.
  /// - Returns: False where the keys take too much memory; the row was not added then.
  /// - Complexity: O(log *n*), amortised.
  public func add(_ image: Span<UInt8>, section: Int, row: Int) -> Bool {
    guard bytes < RowSorter.maximumBytes else { return false }
    let entry = Entry(
      section: UInt32(section), row: UInt32(row), ordinal: count, keys: UInt32(keys.count))
    count += 1
    for rule in rules { keys.append(key(rule, image)) }
    entries.append(entry)
    if limit != nil {
      if entries.count >= 2 * RowSorter.run { cut() }
    } else if entries.count >= RowSorter.run {
      closeRun()
    }
    return true
  }

  /// Ends the adding; rows can be read then.
  public func finish() {
    if limit != nil { cut() }
    closeRun()
    places = Array(repeating: 0, count: runs.count)
    heap = Array(runs.indices)
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  /// The next row in order, without taking it.
  public var first: (section: Int, row: Int)? {
    guard let run = heap.first else { return nil }
    let entry = runs[run][places[run]]
    return (Int(entry.section), Int(entry.row))
  }

  /// Takes the next row.
  ///
  /// - Complexity: O(log *n*).
  public func removeFirst() {
    guard let run = heap.first else { return }
    places[run] += 1
    if places[run] == runs[run].count {
      runs[run] = []
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    sink(0)
  }

  private func key(_ rule: Rule, _ image: Span<UInt8>) -> Key {
    guard let cell = RowImage.cell(rule.column, in: image) else {
      return Key(number: 0, count: -1)
    }
    guard rule.isText else { return Key(number: cell.number, count: 0) }
    let start = text.count
    if rule.isFolded {
      text.append(contentsOf: Folding.fold(image.extracting(cell.text)))
    } else {
      text.append(copying: image, cell.text)
    }
    return Key(number: Int64(start), count: Int32(text.count - start))
  }

  private func comes(_ one: Entry, before other: Entry) -> Bool {
    let (rules, keys, text) = (rules, keys, text)
    for index in rules.indices {
      let left = keys[Int(one.keys) + index]
      let right = keys[Int(other.keys) + index]
      if left.count < 0 || right.count < 0 {
        if left.count < 0, right.count < 0 { continue }
        return right.count < 0
      }
      let order =
        rules[index].isText
        ? text.span.extracting(Int(left.number)..<Int(left.number) + Int(left.count)).ordered(
          to: text.span.extracting(Int(right.number)..<Int(right.number) + Int(right.count)))
        : left.number.ordered(to: right.number)
      if order != 0 { return rules[index].isDescending ? order > 0 : order < 0 }
    }
    return one.ordinal < other.ordinal
  }

  private func closeRun() {
    guard !entries.isEmpty else { return }
    var run = entries
    entries.removeAll(keepingCapacity: true)
    run.sort { comes($0, before: $1) }
    runs.append(run)
  }

  /// Keeps the first rows only, and their keys.
  private func cut() {
    var best = entries
    entries.removeAll(keepingCapacity: true)
    best.sort { comes($0, before: $1) }
    let (oldKeys, oldText) = (keys, text)
    keys = []
    text = []
    for var entry in best.prefix(limit ?? 0) {
      let start = Int(entry.keys)
      entry.keys = UInt32(keys.count)
      for index in rules.indices {
        var key = oldKeys[start + index]
        if rules[index].isText, key.count >= 0 {
          let place = Int(key.number)
          key.number = Int64(text.count)
          text.append(copying: oldText.span, place..<place + Int(key.count))
        }
        keys.append(key)
      }
      entries.append(entry)
    }
  }

  private func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        let (one, other) = (heap[child], heap[least])
        if comes(runs[one][places[one]], before: runs[other][places[other]]) { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}

@available(*, unavailable)
extension RowSorter: Sendable {}

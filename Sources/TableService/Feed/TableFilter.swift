internal import Coding

/// Filters one table's piece of a part of a change.
struct TableFilter {
  private let filter: ChangeFilter
  private let beside: SideReader.Table
  private let sites: ChangeFilter.Pass.Sites?
  /// Which of `beside.homes` is the next row's, and of how many rows it was used.
  private var home = 0
  private var used = 0
  private var out: [UInt8] = []
  private var told = false

  init(
    _ filter: ChangeFilter, _ beside: SideReader.Table?, _ sites: ChangeFilter.Pass.Sites?
  ) {
    self.filter = filter
    self.beside = beside ?? SideReader.Table()
    self.sites = sites
  }

  /// What is left of hp.v1.TableChange, or `nil` where nothing is.
  mutating func apply(
    _ range: Range<Int>, _ bytes: Span<UInt8>, side: Span<UInt8>
  ) throws(CodingFault) -> [UInt8]? {
    var reader = FieldReader(range)
    var start = range.lowerBound
    while let field = try reader.next(in: bytes) {
      defer { start = reader.offset }
      let whole = start..<reader.offset
      switch field.number {
      case 1, 2: out.append(copying: bytes, whole)
      case 3, 4, 10...15: if filter.wants(.schema) { copy(bytes, whole) }
      case 5:
        guard filter.wants(.schema) else { continue }
        let column = try Column(at: field.range, in: bytes)
        if filter.columns?.contains(column.id) ?? true { copy(bytes, whole) }
      case 6:
        let stage = try StageFilter(filter, sites).apply(field.range, bytes)
        guard let stage else { continue }
        out.appendField(6, bytes: stage)
        told = true
      case 7: try section(field.range, bytes)
      case 8: try row(field.range, bytes)
      case 9: try deleted(field.range, bytes)
      case 16: if filter.isPlain { copy(bytes, whole) }
      case 17: try policy(field.range, bytes, whole)
      default: break
      }
    }
    try appendSide(side)
    return told ? out : nil
  }

  /// What is left where the part holds nothing of the table but what stands beside it.
  mutating func apply(_ table: UInt64, side: Span<UInt8>) throws(CodingFault) -> [UInt8]? {
    out.appendField(1, varint: table)
    try appendSide(side)
    return told ? out : nil
  }

  /// A row's own policy; of some sections they are told from what stands beside.
  private mutating func policy(
    _ range: Range<Int>, _ bytes: Span<UInt8>, _ whole: Range<Int>
  ) throws(CodingFault) {
    guard filter.wants(.update), filter.sections == nil else { return }
    if let rows = filter.rows {
      var reader = FieldReader(range)
      guard let row = try reader.next(in: bytes), rows.contains(row.value) else { return }
    }
    copy(bytes, whole)
  }

  private mutating func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    out.append(copying: bytes, range)
    told = true
  }

  private mutating func section(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) {
    guard filter.wants(.section), filter.rows == nil else { return }
    var reader = FieldReader(range)
    var record: [UInt8] = []
    var start = range.lowerBound
    while let field = try reader.next(in: bytes) {
      defer { start = reader.offset }
      if field.number == 1, !filter.sees(section: field.value) { return }
      if field.number == 6, filter.pathsByID { continue }
      record.append(copying: bytes, start..<reader.offset)
    }
    out.appendField(7, bytes: record)
    told = true
  }

  private mutating func row(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) {
    let image = bytes.extracting(range)
    if filter.isPlain {
      tell(image)
      return
    }
    guard home < beside.homes.count else { throw .truncated }
    let (home, count) = beside.homes[home]
    used += 1
    if used == count {
      self.home += 1
      used = 0
    }
    if let rows = filter.rows, !rows.contains(RowImage.id(of: image)) { return }
    let isThere = filter.sees(section: home.section)
    let wasThere = filter.sees(section: home.from)
    if filter.isNotice {
      let kind: ChangeFilter.Kinds =
        home.isNew ? .insert : home.columns.isEmpty ? .move : .update
      guard filter.wants(kind), isThere || wasThere, changes(home) else { return }
    } else {
      guard isThere, !wasThere || changes(home) else { return }
    }
    tell(image)
  }

  /// Whether a row that was seen before has to be told again.
  private func changes(_ home: RowHome) -> Bool {
    guard let columns = filter.columns, !home.isNew, !home.columns.isEmpty else { return true }
    return home.columns.contains { columns.contains($0) }
  }

  private mutating func tell(_ image: Span<UInt8>) {
    out.appendField(8) { RowImage.append(image, columns: filter.columns, to: &$0) }
    told = true
  }

  /// Removed rows; of some sections they are told from what stands beside.
  private mutating func deleted(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) {
    guard filter.wants(.delete), filter.sections == nil else { return }
    tell(deleted: try IDRun(range, bytes))
  }

  private mutating func tell(deleted run: IDRun) {
    guard let rows = filter.rows else {
      out.appendField(9, run: run)
      told = true
      return
    }
    for row in run.ids(in: rows) {
      out.appendField(9, run: IDRun(first: row))
      told = true
    }
  }

  /// Rows that were removed from the sections, left or entered them, and policies of those in them.
  private mutating func appendSide(_ side: Span<UInt8>) throws(CodingFault) {
    guard filter.sections != nil else { return }
    if filter.wants(.delete) {
      for gone in beside.gone where filter.sees(section: gone.section) { tell(deleted: gone.run) }
    }
    if filter.wants(.update) {
      for changed in beside.policies
      where filter.sees(section: changed.section) && filter.rows?.contains(changed.row) ?? true {
        tell(policy: side, changed.policy)
      }
    }
    guard !filter.isNotice else { return }
    for crossing in beside.crossings {
      let isThere = filter.sees(section: crossing.to)
      guard isThere != filter.sees(section: crossing.from) else { continue }
      if !isThere {
        tell(deleted: IDRun(first: crossing.row))
        continue
      }
      if !crossing.image.isEmpty { tell(side.extracting(crossing.image)) }
      if !crossing.policy.isEmpty { tell(policy: side, crossing.policy) }
    }
  }

  private mutating func tell(policy side: Span<UInt8>, _ range: Range<Int>) {
    out.appendField(17) { $0.append(copying: side, range) }
    told = true
  }
}

extension IDRun {
  /// Reads an hp.v1.IdRun.
  init(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(CodingFault) {
    self.init(first: 0)
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      if field.number == 1 { first = field.value }
      if field.number == 2 { count = field.value }
    }
  }

  /// Those of its ids that are in a set, rising.
  func ids(in set: Set<UInt64>) -> [UInt64] {
    if count < UInt64(set.count) {
      return (0..<count).compactMap { set.contains(first + $0) ? first + $0 : nil }
    }
    return set.filter { $0 >= first && $0 - first < count }.sorted()
  }
}

extension RowImage {
  /// Appends an image with some of its cells.
  ///
  /// - Parameters:
  ///   - image: A row image as it is shown.
  ///   - columns: The columns to keep; `nil`: all.
  ///   - result: Where it goes.
  /// - Complexity: O(*n*) in the size of the image.
  public static func append(
    _ image: Span<UInt8>, columns: Set<UInt64>?, to result: inout [UInt8]
  ) {
    guard let columns else {
      result.append(copying: image, 0..<image.count)
      return
    }
    var cells = Cells(of: image)
    result.append(copying: image, 0..<cells.offset)
    while let cell = cells.next(in: image) {
      if columns.contains(cell.column) { result.append(copying: image, cell.field) }
    }
  }
}

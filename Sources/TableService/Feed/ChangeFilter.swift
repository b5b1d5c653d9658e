public import Coding

/// What a subscriber sees of changes (contract F1).
///
/// With `sections` a copy can still be folded: places are told by the section's id and the row's
/// index in it, a row that enters is an insert with its cells, one that leaves a delete. With
/// `rows` or `kinds` what is left are notices with the places of the whole table.
///
/// A change is filtered by its bytes and what the journal keeps beside them (`ChangeSites`), so
/// that live events and those read from history are the same.
public struct ChangeFilter: Hashable, Sendable {
  /// What can be told of, by the bits of hp.v1.ChangeKind.
  public struct Kinds: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Rows that came.
    public static let insert = Kinds(rawValue: 1 << 1)
    /// Rows that went.
    public static let delete = Kinds(rawValue: 1 << 2)
    /// Rows that moved.
    public static let move = Kinds(rawValue: 1 << 3)
    /// Rows with other cells, or reloaded.
    public static let update = Kinds(rawValue: 1 << 4)
    /// Sections: came, went, moved, other titles, headers and footers.
    public static let section = Kinds(rawValue: 1 << 5)
    /// The table itself: made, renamed, dropped, columns, headers and footers.
    public static let schema = Kinds(rawValue: 1 << 6)

    /// Takes bits of the wire.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// The tables; `nil`: all.
  public var tables: Set<UInt64>?
  /// The sections; `nil`: all.
  public var sections: Set<UInt64>?
  /// The columns that rows carry; `nil`: all.
  public var columns: Set<UInt64>?
  /// The rows to be told of; `nil`: all.
  public var rows: Set<UInt64>?
  /// What is to be told; `nil`: all.
  public var kinds: Kinds?
  /// Whether rows as they were before are wanted.
  public var withOldRows = false

  /// A filter that lets everything through.
  public init() {}

  /// Whether what is left can't be folded.
  public var isNotice: Bool { rows != nil || kinds != nil }

  /// Whether sections are told by their ids.
  public var pathsByID: Bool { sections != nil && !isNotice }

  /// Whether a change passes as it is, if it is about the tables alone.
  public var isPlain: Bool {
    isWhole && !withOldRows
  }

  /// Whether every changed row of the sections that are seen is told.
  private var takesRows: Bool { columns == nil && !isNotice }

  /// Whether nothing is taken out of what is told of a table that is seen.
  var isWhole: Bool { sections == nil && columns == nil && !isNotice }

  /// Whether a change of these tables passes as it is.
  ///
  /// - Parameter changed: The tables.
  /// - Returns: Whether nothing is to be taken out of it.
  public func passes(_ changed: [UInt64]) -> Bool {
    guard isPlain else { return false }
    guard let tables else { return true }
    return changed.allSatisfy { tables.contains($0) }
  }

  /// Whether a change of these tables may concern who sees this.
  ///
  /// - Parameter changed: The tables.
  /// - Returns: Whether any of them is seen.
  public func concerns(_ changed: [UInt64]) -> Bool {
    guard let tables else { return true }
    return changed.contains { tables.contains($0) }
  }

  /// Whether a snapshot shows a section.
  ///
  /// - Parameter section: Its id.
  /// - Returns: Whether it is seen.
  public func shows(_ section: UInt64) -> Bool { sees(section: section) }

  func wants(_ kind: Kinds) -> Bool { kinds?.contains(kind) ?? true }
  func sees(section: UInt64) -> Bool { sections?.contains(section) ?? true }
  func sees(table: UInt64) -> Bool { tables?.contains(table) ?? true }

  /// Where the filter stands within a revision whose parts come one after the other.
  public struct Pass: Sendable {
    /// Ids of sections by their index before and after the change, for each table.
    struct Sites {
      var old: [Int: UInt64] = [:]
      var new: [Int: UInt64] = [:]
    }

    var sites: [UInt64: Sites] = [:]
    /// What stands before the tables in each part.
    var head: [UInt8] = []
    /// Whether the table that the last parts were about is seen, and anything was told of it.
    var isSeen = false
    var hasTold = false

    /// Before the first part.
    public init() {}
  }

  /// Filters one part of a change.
  ///
  /// - Parameters:
  ///   - part: The part; empty where only something beside it is kept.
  ///   - side: What is kept beside it.
  ///   - pass: The same for all parts of a revision, new for each revision.
  /// - Returns: The part that is left, or `nil` where nothing is.
  /// - Throws: Any `CodingFault`, also where the journal does not hold what it takes.
  /// - Complexity: O(*n*) in the bytes.
  public func apply(
    _ part: [UInt8], side: [UInt8], _ pass: inout Pass
  ) throws(CodingFault) -> [UInt8]? {
    let sides = try SideReader(side, &pass)
    if pass.head.isEmpty { pass.head = try Self.head(of: part) }
    var out = part.isEmpty ? pass.head : []
    var told = false
    var seen: Set<UInt64> = []
    let bytes = part.span
    var reader = FieldReader(0..<part.count)
    var start = 0
    while let field = try reader.next(in: bytes) {
      defer { start = reader.offset }
      guard field.number == 9 else {
        out.append(copying: bytes, start..<reader.offset)
        continue
      }
      let table = try ChangeHead.table(field.range, bytes).id
      pass.isSeen = sees(table: table)
      guard pass.isSeen else { continue }
      seen.insert(table)
      // A step that is taken back may say nothing of a table but that it was: that is told too.
      guard !isWhole else {
        out.append(copying: bytes, start..<reader.offset)
        told = true
        continue
      }
      var filter = TableFilter(self, sides.tables[table], pass.sites[table])
      if let content = try filter.apply(field.range, bytes, side: side.span) {
        out.appendField(9, bytes: content)
        told = true
      }
    }
    for (table, beside) in sides.tables where sees(table: table) && !seen.contains(table) {
      var filter = TableFilter(self, beside, pass.sites[table])
      if let content = try filter.apply(table, side: side.span) {
        out.appendField(9, bytes: content)
        told = true
      }
    }
    pass.hasTold = pass.hasTold || told
    // Old rows of a part that says nothing else stand behind the first one of their table.
    guard told || withOldRows && part.isEmpty && pass.isSeen && (takesRows || pass.hasTold) else {
      return nil
    }
    let count = out.count
    if withOldRows { try appendOldRows(side, sides, to: &out) }
    return told || out.count > count ? out : nil
  }

  /// What stands before the tables in a part.
  private static func head(of part: [UInt8]) throws(CodingFault) -> [UInt8] {
    var reader = FieldReader(0..<part.count)
    var end = 0
    while let field = try reader.next(in: part.span), field.number < 9 { end = reader.offset }
    return Array(part[..<end])
  }

  /// Old rows as they were shown: those of its sections, with its columns.
  private func appendOldRows(
    _ side: [UInt8], _ sides: SideReader, to out: inout [UInt8]
  ) throws(CodingFault) {
    let bytes = side.span
    for row in sides.oldRows {
      guard row.home.map({ sees(section: $0) }) ?? (sections == nil) else { continue }
      let image = bytes.extracting(row.image)
      if let rows, !rows.contains(RowImage.id(of: image)) { continue }
      out.appendField(10) { RowImage.append(image, columns: columns, to: &$0) }
    }
  }
}

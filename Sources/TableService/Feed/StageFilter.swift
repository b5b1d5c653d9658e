internal import Coding

/// Filters one stage of a table's change.
///
/// Deletes and first ends count before the stage, the others after it. Behind the main stage all
/// sections stand at their final places (contract E10), so that there are two lists of places.
struct StageFilter {
  private typealias Run = ChangeReader.Run

  private let filter: ChangeFilter
  private let sites: ChangeFilter.Pass.Sites?
  private var isMain = false
  private var sections: [UInt8] = []
  private var deletes: [UInt8] = []
  private var inserts: [UInt8] = []
  private var moves: [UInt8] = []
  private var reloads: [UInt8] = []
  private var contents: [UInt8] = []
  private var animations: [UInt8] = []

  init(_ filter: ChangeFilter, _ sites: ChangeFilter.Pass.Sites?) {
    self.filter = filter
    self.sites = sites
  }

  /// What is left of hp.v1.Stage, or `nil` where nothing is.
  consuming func apply(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(CodingFault) -> [UInt8]? {
    // Without sites the journal is older than filters.
    guard filter.sections == nil || sites != nil else { throw .truncated }
    var kind: UInt64 = 0
    var reader = FieldReader(range)
    while let field = try reader.next(in: bytes) {
      switch field.number {
      case 1:
        kind = field.value
        isMain = kind == 1
      case 2, 3: try indices(field, bytes)
      case 4: if filter.sections == nil, wantsSections { sections.append(field, bytes) }
      case 5: try sectionReload(field, bytes)
      case 6: deletes += try run(field, bytes, site: isMain ? sites?.old : sites?.new)
      case 7: inserts += try run(field, bytes, site: sites?.new)
      case 8: try move(field, bytes)
      case 9: try reload(field, bytes)
      case 11: try sectionAnimation(field, bytes)
      case 10: contents += try run(field, bytes, site: sites?.new)
      default: break
      }
    }
    let lists = sections + deletes + inserts + moves + reloads + contents + animations
    guard !lists.isEmpty else { return nil }
    var out: [UInt8] = []
    out.appendField(1, varint: kind)
    return out + lists
  }

  private var wantsSections: Bool { filter.wants(.section) && filter.rows == nil }

  /// What a section is told as: its id or its index; `nil` where it is not seen.
  private func told(_ index: Int, _ site: [Int: UInt64]?) -> UInt64? {
    guard filter.sections != nil else { return UInt64(index) }
    guard let id = site?[index], filter.sees(section: id) else { return nil }
    return filter.pathsByID ? id : UInt64(index)
  }

  private mutating func indices(_ field: Field, _ bytes: Span<UInt8>) throws(CodingFault) {
    guard wantsSections else { return }
    guard filter.sections != nil else { return sections.append(field, bytes) }
    let run = try IDRun(field.range, bytes)
    let site = field.number == 2 ? sites?.old : sites?.new
    for offset in 0..<run.count {
      if let section = told(Int(clamping: run.first + offset), site) {
        sections.appendField(field.number, run: IDRun(first: section))
      }
    }
  }

  private mutating func sectionReload(
    _ field: Field, _ bytes: Span<UInt8>
  ) throws(CodingFault) {
    guard wantsSections else { return }
    guard filter.pathsByID else {
      let reload = try ChangeReader.sectionReload(field.range, bytes)
      if told(reload.index, sites?.new) != nil { sections.append(field, bytes) }
      return
    }
    let reload = try ChangeReader.sectionReload(field.range, bytes)
    guard let section = told(reload.index, sites?.new) else { return }
    sections.appendField(5) {
      $0.appendField(1, varint: section)
      $0.appendField(2, varint: section)
      if reload.isReplaced { $0.appendField(3, bool: true) }
      if let animation = reload.animation { $0.appendField(4, varint: animation) }
    }
  }

  private mutating func sectionAnimation(
    _ field: Field, _ bytes: Span<UInt8>
  ) throws(CodingFault) {
    guard wantsSections else { return }
    var reader = FieldReader(field.range)
    var (index, isInserted, animation) = (0, false, UInt64(0))
    while let field = try reader.next(in: bytes) {
      if field.number == 1 { index = Int(clamping: field.value) }
      if field.number == 2 { isInserted = field.value != 0 }
      if field.number == 3 { animation = field.value }
    }
    guard let section = told(index, isInserted ? sites?.new : sites?.old) else { return }
    animations.appendField(11) {
      $0.appendField(1, varint: section)
      if isInserted { $0.appendField(2, bool: true) }
      $0.appendField(3, varint: animation)
    }
  }

  /// Deletes, inserts and contents.
  private func run(
    _ field: Field, _ bytes: Span<UInt8>, site: [Int: UInt64]?
  ) throws(CodingFault) -> [UInt8] {
    let run = try ChangeReader.run(field.range, bytes)
    let kind: ChangeFilter.Kinds =
      run.isMoved ? .move : field.number == 6 ? .delete : .insert
    guard filter.wants(kind), let section = told(run.section, site) else { return [] }
    // The other half of a move tells nothing to who does not see it.
    let isMoved = run.isMoved && (filter.isNotice || filter.sees(section: run.other))
    var list: [UInt8] = []
    for piece in pieces(run.id, run.count) {
      list.appendRun(
        field.number, section: section, row: run.row + piece.offset, count: piece.count,
        id: run.id + UInt64(piece.offset), other: isMoved ? run.other : nil,
        animation: run.animation)
    }
    return list
  }

  private mutating func move(_ field: Field, _ bytes: Span<UInt8>) throws(CodingFault) {
    guard filter.wants(.move) else { return }
    let move = try ChangeReader.moveRun(field.range, bytes)
    let from = told(move.fromSection, isMain ? sites?.old : sites?.new)
    let to = told(move.section, sites?.new)
    if filter.isNotice, filter.sections != nil, from != nil || to != nil {
      return append(move, from: UInt64(move.fromSection), to: UInt64(move.section))
    }
    switch (from, to) {
    case (nil, nil): break
    case (let from?, nil):
      deletes.appendRun(
        6, section: from, row: move.fromRow, count: move.count, id: move.id)
    case (nil, let to?):
      inserts.appendRun(
        7, section: to, row: move.row, count: move.count, id: move.id)
    case (let from?, let to?): append(move, from: from, to: to)
    }
  }

  private mutating func append(_ move: ChangeReader.MoveRun, from: UInt64, to: UInt64) {
    for piece in pieces(move.id, move.count) {
      moves.appendField(8) {
        $0.appendField(1, varint: from)
        $0.appendField(2, varint: UInt64(move.fromRow + piece.offset))
        $0.appendField(3, varint: to)
        $0.appendField(4, varint: UInt64(move.row + piece.offset))
        if piece.count != 1 { $0.appendField(5, varint: UInt64(piece.count)) }
        $0.appendField(6, varint: move.id + UInt64(piece.offset))
      }
    }
  }

  private mutating func reload(_ field: Field, _ bytes: Span<UInt8>) throws(CodingFault) {
    guard filter.wants(.update) else { return }
    let reload = try ChangeReader.reload(field.range, bytes)
    if let rows = filter.rows, !rows.contains(reload.id) { return }
    guard let section = told(reload.section, sites?.new) else { return }
    var old = UInt64(reload.oldSection)
    if filter.pathsByID {
      // A row that entered is an insert.
      guard let seen = told(reload.oldSection, sites?.old) else { return }
      old = seen
    }
    let columns = reload.columns.filter { filter.columns?.contains($0) ?? true }
    if columns.isEmpty, !reload.columns.isEmpty { return }
    reloads.appendField(9) {
      $0.appendField(1, varint: old)
      $0.appendField(2, varint: UInt64(reload.oldRow))
      $0.appendField(3, varint: section)
      $0.appendField(4, varint: UInt64(reload.row))
      $0.appendField(5, varint: reload.id)
      if !columns.isEmpty {
        $0.appendField(6) { for column in columns { $0.appendVarint(column) } }
      }
      if let animation = reload.animation { $0.appendField(7, varint: animation) }
    }
  }

  /// The pieces of a run whose rows are to be told of.
  private func pieces(_ id: UInt64, _ count: Int) -> [(offset: Int, count: Int)] {
    guard let rows = filter.rows else { return [(0, count)] }
    return IDRun(first: id, count: UInt64(count)).ids(in: rows).map { (Int($0 - id), 1) }
  }
}

extension [UInt8] {
  /// Appends a field as it stands.
  fileprivate mutating func append(_ field: Field, _ bytes: Span<UInt8>) {
    appendTag(field.number, .lengthDelimited)
    appendVarint(UInt64(field.range.count))
    append(copying: bytes, field.range)
  }

  /// Appends an hp.v1.RowRun.
  fileprivate mutating func appendRun(
    _ field: UInt32, section: UInt64, row: Int, count: Int, id: UInt64, other: UInt64? = nil,
    animation: UInt64? = nil
  ) {
    appendField(field) {
      $0.appendField(1, varint: section)
      $0.appendField(2, varint: UInt64(row))
      if count != 1 { $0.appendField(3, varint: UInt64(count)) }
      $0.appendField(4, varint: id)
      if let other {
        $0.appendField(5, bool: true)
        $0.appendField(6, varint: other)
      }
      if let animation { $0.appendField(7, varint: animation) }
    }
  }
}

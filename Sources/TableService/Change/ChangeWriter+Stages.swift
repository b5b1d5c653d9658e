internal import Coding

/// A row end with the id that is told.
struct NamedEnd {
  var section: UInt64
  var row: UInt64
  var id: UInt64
  var isMoved: Bool
  var other: UInt32
  var animation: UInt8?

  /// Whether it is the neighbour that a run of `count` from `self` on takes in next.
  func continues(_ next: NamedEnd, _ count: UInt64) -> Bool {
    next.section == section && next.row == row + count && next.id == id &+ count
      && next.isMoved == isMoved && next.other == other && next.animation == animation
  }
}

extension ChangeWriter {
  /// Appends runs of section indices.
  ///
  /// - Parameters:
  ///   - field: The field of hp.v1.Stage.
  ///   - indices: The indices, rising.
  mutating func append(_ field: UInt32, sections indices: [UInt32]) {
    var start = 0
    while start < indices.count {
      var end = start + 1
      while end < indices.count, indices[end] == indices[end - 1] + 1 { end += 1 }
      let run = IDRun(first: UInt64(indices[start]), count: UInt64(end - start))
      appendToStage { $0.appendField(field, run: run) }
      start = end
    }
  }

  /// Appends pairs of section indices.
  ///
  /// - Parameters:
  ///   - field: The field of hp.v1.Stage: moves or reloads.
  ///   - pairs: The pairs.
  mutating func append(_ field: UInt32, sections pairs: [ChangeList.SectionPair]) {
    for pair in pairs {
      let animation = sectionAnimations[pair.slot]
      appendToStage {
        $0.appendField(field) {
          $0.appendField(1, varint: UInt64(pair.old))
          $0.appendField(2, varint: UInt64(pair.new))
          if pair.isReplaced { $0.appendField(3, bool: true) }
          if let animation { $0.appendField(4, varint: UInt64(animation)) }
        }
      }
    }
  }

  /// Appends runs of rows.
  ///
  /// - Parameters:
  ///   - field: The field of hp.v1.Stage: deletes, inserts or contents.
  ///   - ends: The rows, rising.
  ///   - id: The id that is told of a slot.
  ///   - section: The id that is told of a section's slot.
  mutating func append(
    _ field: UInt32, rows ends: [ChangeList.End], id: (UInt32) -> UInt64,
    section: (UInt32) -> UInt64
  ) {
    var index = 0
    while index < ends.count {
      let first = named(ends[index], id)
      var count: UInt64 = 1
      index += 1
      while index < ends.count, first.continues(named(ends[index], id), count) {
        count += 1
        index += 1
      }
      appendToStage {
        $0.appendField(field, upTo: 66) { room in
          room.appendField(1, varint: first.section)
          room.appendField(2, varint: first.row)
          if count != 1 { room.appendField(3, varint: count) }
          room.appendField(4, varint: first.id)
          if first.isMoved {
            room.appendField(5, varint: 1)
            room.appendField(6, varint: section(first.other))
          }
          if let animation = first.animation { room.appendField(7, varint: UInt64(animation)) }
        }
      }
    }
  }

  /// Names an end, with how it should be shown.
  private func named(_ end: ChangeList.End, _ id: (UInt32) -> UInt64) -> NamedEnd {
    var named = NamedEnd(end, id)
    if !rowAnimations.isEmpty { named.animation = rowAnimations[end.slot] }
    return named
  }

  /// Appends moves; neighbours that stay neighbours are one.
  ///
  /// - Parameters:
  ///   - moves: The moves, rising by their first ends.
  ///   - id: The id that is told of a slot.
  mutating func append(moves: [ChangeList.Move], id: (UInt32) -> UInt64) {
    var index = 0
    while index < moves.count {
      let from = NamedEnd(moves[index].from, id)
      let to = NamedEnd(moves[index].to, id)
      var count: UInt64 = 1
      index += 1
      while index < moves.count, from.continues(NamedEnd(moves[index].from, id), count),
        to.continues(NamedEnd(moves[index].to, id), count)
      {
        count += 1
        index += 1
      }
      appendToStage {
        $0.appendField(8, upTo: 66) { room in
          room.appendField(1, varint: from.section)
          room.appendField(2, varint: from.row)
          room.appendField(3, varint: to.section)
          room.appendField(4, varint: to.row)
          if count != 1 { room.appendField(5, varint: count) }
          room.appendField(6, varint: from.id)
        }
      }
    }
  }

  /// Appends reloads.
  ///
  /// - Parameters:
  ///   - reloads: The reloads.
  ///   - columns: What their ranges refer to.
  ///   - id: The id that is told of a slot.
  mutating func append(
    reloads: [ChangeList.Reload], columns: [UInt64], id: (UInt32) -> UInt64
  ) {
    for reload in reloads {
      let animation = rowAnimations.isEmpty ? nil : rowAnimations[reload.new.slot]
      appendToStage {
        $0.appendField(9) {
          $0.appendField(1, varint: UInt64(reload.old.section))
          $0.appendField(2, varint: UInt64(reload.old.row))
          $0.appendField(3, varint: UInt64(reload.new.section))
          $0.appendField(4, varint: UInt64(reload.new.row))
          $0.appendField(5, varint: id(reload.new.slot))
          if !reload.columns.isEmpty {
            $0.appendField(6) {
              for column in columns[reload.columns] { $0.appendVarint(column) }
            }
          }
          if let animation { $0.appendField(7, varint: UInt64(animation)) }
        }
      }
    }
  }
}

extension NamedEnd {
  /// Names an end.
  init(_ end: ChangeList.End, _ id: (UInt32) -> UInt64) {
    self.init(
      section: UInt64(end.section), row: UInt64(end.row), id: id(end.slot),
      isMoved: end.isMoved, other: end.other)
  }
}

extension [UInt8] {
  /// Appends an hp.v1.IdRun.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - run: The run.
  mutating func appendField(_ field: UInt32, run: IDRun) {
    appendField(field, upTo: 22) { room in
      room.appendField(1, varint: run.first)
      if run.count != 1 { room.appendField(2, varint: run.count) }
    }
  }
}

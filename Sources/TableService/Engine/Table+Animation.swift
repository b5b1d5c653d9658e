internal import Coding

/// How changes should be shown: hints that are stored and forwarded (semantics 1.2, E8).
extension Table {
  /// What an operation makes, takes away or reloads.
  enum AnimationTarget {
    case row(UInt32)
    case section(UInt32)
  }

  /// What an operation names, before it is applied; `nil` where it makes something.
  func animationTarget(
    _ action: Batch.Action, in batch: Batch
  ) throws(TableFault) -> AnimationTarget? {
    switch action {
    case .deleteRow(let reference), .reloadRow(let reference, _):
      .row(try row(reference, in: batch))
    case .deleteSection(let reference), .reloadSection(let reference, _):
      .section(try section(reference, in: batch))
    default: nil
    }
  }

  /// Keeps the hint of an operation of a sequence that was applied.
  func note(_ animation: UInt8, _ action: Batch.Action, _ target: AnimationTarget?) {
    switch (action, target) {
    case (_, .row(let slot)?): work.rowAnimations[slot] = animation
    case (_, .section(let slot)?): work.sectionAnimations[slot] = animation
    case (.insertRow, nil):
      if let slot = work.newRows.last { work.rowAnimations[slot] = animation }
    case (.insertSection, nil):
      if let section = work.sections.last(where: { $0.isNew }) {
        work.sectionAnimations[section.slot] = animation
      }
    default: break
    }
  }

  /// Keeps the hints of a transition.
  func noteAnimations(_ batch: Batch, _ transition: borrowing Transition) {
    for hint in batch.animations {
      let slot = transition.slots[hint.operation]
      guard slot != Transition.none else { continue }
      switch batch.operations[hint.operation].action {
      case .insertRow, .deleteRow, .reloadRow: work.rowAnimations[slot] = hint.animation
      case .insertSection, .deleteSection, .reloadSection:
        work.sectionAnimations[slot] = hint.animation
      default: break
      }
    }
  }

  /// Appends the hints of sections that come or go, in the stage of sections.
  func encodeSectionAnimations(_ writer: inout ChangeWriter) {
    for section in work.sections {
      guard let animation = work.sectionAnimations[section.slot] else { continue }
      let index: Int
      switch work.fates[section.slot] {
      case .inserted: index = sectionOrder.position(of: section.slot).index
      case .deleted: index = sectionOrder.oldPosition(of: section.slot)?.index ?? 0
      default: continue
      }
      let isInserted = work.fates[section.slot] == .inserted
      writer.appendToStage {
        $0.appendField(11) {
          $0.appendField(1, varint: UInt64(index))
          if isInserted { $0.appendField(2, bool: true) }
          $0.appendField(3, varint: UInt64(animation))
        }
      }
    }
  }
}

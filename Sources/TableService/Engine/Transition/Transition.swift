/// A transition in progress: which operation claims what (semantics 2.1–2.4).
///
/// Old places are known by the slot that stands there, new ones by their index; operations by
/// their index in the batch, −1 where there is none.
struct Transition {
  /// What a transition does to a section that was there.
  struct SectionUse {
    var delete = -1
    var reload = -1
    var move = -1
    var title = -1
    var header = -1
    var footer = -1
    /// The rows that a reload brings.
    var rows: Range<Int>?

    /// Whether its old rows go, so that what is asked for them is absorbed.
    var losesRows: Bool { delete >= 0 || rows != nil }
  }

  /// What a transition does to a row that was there.
  struct RowUse {
    var delete: Int32 = -1
    var reload: Int32 = -1
    var move: Int32 = -1
  }

  /// A place of the new table: an index among the sections.
  struct SectionTarget {
    var index: UInt64
    var operation: Int
  }

  /// A place of the new table: a section's slot and an index in it.
  struct RowTarget {
    var section: UInt32
    var row: UInt64
    var operation: Int
  }

  /// A section of the new table as it was to be at the revision that paths are meant at: what
  /// an operation puts there, or what was there (contract E3).
  struct PastSection {
    var operation = -1
    var index = -1
    var slot = Transition.none
  }

  /// No slot.
  static let none = UInt32.max

  /// The slot that each operation names or makes; `none` where it is absorbed.
  var slots: [UInt32]
  var sectionUses: [UInt32: SectionUse] = [:]
  var rowUses: [UInt32: RowUse] = [:]
  /// The operations that make sections, by slot.
  var makers: [UInt32: Int] = [:]
  var sectionTargets: [SectionTarget] = []
  var rowTargets: [RowTarget] = []
  /// Who sets the table's own header and footer.
  var header = -1
  var footer = -1

  /// The sections as they were to be, where paths are meant as the table was.
  var pastSections: [PastSection] = []
  /// Indices of then by slot.
  var pastIndices: [UInt32: Int] = [:]
  /// Rows of then that are deleted or moved, by the index of their section.
  var pastRemoved: [Int: PlaceRuns] = [:]
  /// Rows of then that get new cells.
  var pastReloaded: Set<RowPath> = []

  /// Begins a transition.
  ///
  /// - Parameter count: How many operations it has.
  init(count: Int) {
    slots = Array(repeating: Self.none, count: count)
    guard count > 65_536 else { return }
    rowUses.reserveCapacity(count)
    rowTargets.reserveCapacity(count)
  }
}

extension Table {
  /// Applies the operations of a transition: old places are found, new ones are filled, and
  /// what neither goes nor moves fills the places left, in its old order (semantics 2.1.5).
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - context: Gives revision and time.
  /// - Throws: The first contradiction found; what rows, sections and cells are refused for.
  /// - Complexity: O(*k* log *n* + *k* log *k*).
  func transition(
    _ batch: Batch, _ context: borrowing ChangeContext
  ) throws(TableFault) {
    try judgeOperationConditions(batch)
    work.placesLater = true
    var transition = Transition(count: batch.operations.count)
    // The old side, while the table is the old one.
    for index in batch.operations.indices {
      try checkpoint()
      do throws(TableFault) { try claimSection(index, in: batch, &transition) } catch {
        throw error.at(index)
      }
    }
    for index in batch.operations.indices {
      try checkpoint()
      do throws(TableFault) { try claimRow(index, in: batch, &transition) } catch {
        throw error.at(index)
      }
    }
    try judgeSectionTargets(batch, &transition)
    // From here on the table changes.
    for index in batch.operations.indices {
      try checkpoint()
      do throws(TableFault) { try makeSection(index, in: batch, &transition) } catch {
        throw error.at(index)
      }
    }
    if work.past != nil { notePast(batch, &transition) }
    placeSections(batch, transition)
    liftRows(batch, transition)
    try judgeRowTargets(batch, &transition)
    for index in batch.operations.indices {
      work.operation = index
      try checkpoint()
      do throws(TableFault) { try makeRows(index, in: batch, &transition, context) } catch {
        throw error.at(index)
      }
    }
    for target in transition.rowTargets {
      try checkpoint()
      order.insert(
        transition.slots[target.operation], into: sections[Int(target.section)].root,
        at: Int(target.row))
    }
    if !batch.animations.isEmpty { noteAnimations(batch, transition) }
  }

  /// Conditions of operations judge the old table too (contract E4).
  private func judgeOperationConditions(_ batch: Batch) throws(TableFault) {
    if batch.conditionList.isEmpty { return }
    for (index, operation) in batch.operations.enumerated() {
      for condition in operation.conditions {
        do throws(TableFault) { try judge(batch.conditionList[condition], in: batch) } catch {
          throw error.at(index)
        }
      }
    }
  }
}

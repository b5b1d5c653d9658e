/// What the open batch has touched: enough to judge it, to tell it and to take it back.
struct Work {
  /// A row that was there before the batch.
  struct Row {
    var slot: UInt32
    var isReloaded = false
    /// Whether the batch took it from its place and put it somewhere.
    var isPlaced = false
    /// The image before the batch; empty while it is the same.
    var oldImage: [UInt8] = []
  }

  /// A section, whether it was there before or not.
  struct Section {
    var slot: UInt32
    var isNew: Bool
    var isReloaded = false
    /// Whether a transition gave it other rows, which are told with the reload.
    var isReplaced = false
    /// The section before the batch, where it changed.
    var old: SectionRecord?
  }

  /// What `as` gave a number to.
  enum Handle {
    case row(UInt32)
    case section(UInt32)
  }

  /// Rows by the value of one column.
  struct KeyIndex {
    var column: UInt64
    var slots: [CellValue: UInt32]
    var ambiguous: [CellValue: UInt32]
  }

  /// A row that got a value that another row had in a unique column at that operation.
  struct Suspect {
    var slot: UInt32
    var column: UInt64
    var operation: Int
  }

  /// What was there before, for a rollback.
  struct Before {
    var mark: Identifiers.Mark
    var name: String
    var schema: Schema
    var header: [UInt8]?
    var footer: [UInt8]?
    var policy: [UInt8]?
  }

  var rows: [Row] = []
  var rowIndex: [UInt32: Int] = [:]
  /// Rows made by the batch, in the order of their ids; some may be gone again.
  var newRows: [UInt32] = []
  var sections: [Section] = []
  var sectionIndex: [UInt32: Int] = [:]
  /// Titles that slots were listed under or may no longer have.
  var titles: [(title: [UInt8], slot: UInt32)] = []
  /// What became of touched sections, once the batch is judged.
  var fates: [UInt32: Table.SectionFate] = [:]
  var handles: [UInt64: Handle] = [:]
  var keys: KeyIndex?
  var before: Before?
  /// What paths mean, where that is not the table as it is (contract E3).
  var past: Past?
  /// Whether rows are made and changed before they get their places: in a transition.
  var placesLater = false
  /// The operation at hand.
  var operation = 0
  var columnOperations = 0
  var suspects: [Suspect] = []
  var headersChanged = false
  var schemaChanged = false
  /// Whether columns were changed, be it back and forth.
  var schemaTouched = false
  var nameChanged = false
  var isCreation = false
  /// Whether it is a reload of all, which changes nothing (contract E6).
  var isReload = false
  var policyChanged = false
  /// Rows that came back under their ids, by slot, as they were stored before they went.
  var restored: [UInt32: [UInt8]] = [:]
  /// Columns that came back: rows with cells in them are told.
  var returned: Set<UInt64> = []
  /// Whether the change takes a revision even where nothing is different after it: one that
  /// takes a step back says so (contract E9).
  var isRevert = false
  /// The policies that rows had before, of those that were given others.
  var policies: [UInt64: [UInt8]?] = [:]
  /// How rows and sections should be shown, by slot.
  var rowAnimations: [UInt32: UInt8] = [:]
  var sectionAnimations: [UInt32: UInt8] = [:]

  /// The cells of the row at hand, by rising column id, and texts that stand in no batch.
  var cells: [ImageCell] = []
  var spare: [UInt8] = []
  var image: [UInt8] = []
  var slots: [UInt32] = []
  /// The rows that the operation at hand takes.
  var matched: [UInt32] = []
  /// Rows that all operations so far took.
  var matchedCount: UInt64 = 0
  /// What the operation at hand has to take (contract E4).
  var wantedMatches: UInt64?

  /// Makes room for rows: growing a large table of them takes longer than a slice.
  mutating func reserve(_ count: Int) {
    guard count > 65_536 else { return }
    rows.reserveCapacity(count)
    rowIndex.reserveCapacity(count)
    newRows.reserveCapacity(count)
  }

  /// Forgets the batch; memory stays up to a bound.
  mutating func removeAll() {
    rows.empty()
    newRows.empty()
    sections.empty()
    titles.empty()
    slots.empty()
    matched.empty()
    matchedCount = 0
    wantedMatches = nil
    if !rowIndex.isEmpty { rowIndex.removeAll(keepingCapacity: rowIndex.capacity <= 65_536) }
    if !sectionIndex.isEmpty {
      sectionIndex.removeAll(keepingCapacity: sectionIndex.capacity <= 65_536)
    }
    if !fates.isEmpty { fates.removeAll() }
    if !handles.isEmpty { handles.removeAll() }
    keys = nil
    before = nil
    past = nil
    placesLater = false
    operation = 0
    columnOperations = 0
    suspects.empty()
    headersChanged = false
    schemaChanged = false
    schemaTouched = false
    nameChanged = false
    isCreation = false
    isReload = false
    policyChanged = false
    if !restored.isEmpty { restored.removeAll() }
    if !returned.isEmpty { returned.removeAll() }
    isRevert = false
    if !policies.isEmpty { policies.removeAll() }
    if !rowAnimations.isEmpty { rowAnimations.removeAll() }
    if !sectionAnimations.isEmpty { sectionAnimations.removeAll() }
  }
}

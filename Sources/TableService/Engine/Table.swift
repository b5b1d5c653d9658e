/// An ordered, editable table: columns, sections, rows and their order.
///
/// All changes go through `perform` or `fold`; each is one revision or nothing. One thread
/// owns a table.
public final class Table {
  /// A section and the root of its rows in the order index.
  struct SectionSlot {
    var record: SectionRecord
    var root: UInt32
  }

  /// The table's id.
  public let id: UInt64
  /// The table's name.
  public internal(set) var name: String
  /// The table's columns.
  public internal(set) var schema: Schema
  /// The last revision that changed the table; not by live state (contract E1).
  public internal(set) var lastChanged: UInt64
  /// The table's header, as canonical hp.v1.HeaderFooter.
  public internal(set) var header: [UInt8]?
  /// The table's footer, as canonical hp.v1.HeaderFooter.
  public internal(set) var footer: [UInt8]?
  /// What may be done to the table by hand, as hp.v1.Policy.
  public internal(set) var policy: [UInt8]?
  /// What may be done to rows by hand where they say so themselves, as hp.v1.Policy.
  var rowPolicies: [UInt64: [UInt8]] = [:]

  var identifiers: Identifiers
  var pending: PendingWrites
  /// Images by slot; a slot is an element of `order`.
  let rows = RowStore()
  let order = OrderIndex(labelled: true)
  let sectionOrder = OrderIndex(labelled: true)
  let sectionRoot: UInt32
  var sections: [SectionSlot] = []
  var freeSections: [UInt32] = []
  var sectionSlots: [UInt64: UInt32] = [:]
  /// Slots by title; may hold slots that no longer have it.
  var titles: [[UInt8]: Set<UInt32>] = [:]
  var work = Work()
  /// Lets others go on in the middle of long work; `nil`: there is none.
  var breath: Breath?
  var ticks: UInt = 0
  /// How far long work has come.
  var stage = Stage.none
  /// The table before the open batch of long work.
  var view: TableView?
  /// The same, while that work is paused: what readers are shown.
  var past: TableView?
  /// Views that readers gave back while the batch was open.
  var closing: [TableView] = []
  var changes = ChangeList()
  /// The row that is shown, where it is not shown as it is stored.
  var shown: [UInt8] = []
  var writer = ChangeWriter()
  var windows: [TableWindow] = []
  var windowBudget = WindowBudget()
  /// Counts of all sections, right while a window looks at the whole table.
  var flat = FlatIndex()

  /// Makes a table without sections and rows.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - name: Its name.
  ///   - schema: Its columns.
  ///   - lastChanged: The last revision that changed it.
  ///   - identifiers: Gives the ids of its rows and sections.
  ///   - pending: Takes what is to be written to disk.
  public init(
    id: UInt64, name: String, schema: Schema, lastChanged: UInt64, identifiers: Identifiers,
    pending: PendingWrites
  ) {
    self.id = id
    self.name = name
    self.schema = schema
    self.lastChanged = lastChanged
    self.identifiers = identifiers
    self.pending = pending
    sectionRoot = sectionOrder.makeRoot(owner: 0)
    rows.keys = schema.unique.map { KeyIndex(column: schema.columns[$0].id) }
  }
}

@available(*, unavailable)
extension Table: Sendable {}

/// A row or a section, as what later steps did to it is asked for.
enum Element: Hashable {
  case row(UInt64)
  case section(UInt64)
}

/// A step that touched a row or a section.
struct Touch {
  var element: Element
  var revision: UInt64
  /// Whether it was put there, removed or moved.
  var isPlaced: Bool
  var uid: UInt64
  var actor: String
}

/// A step that gave a column another place, name or rule.
struct ColumnTouch {
  var column: UInt64
  var revision: UInt64
  /// Whether it was moved.
  var isPlaced: Bool
  var uid: UInt64
  var actor: String
}

/// Where an element stood before a revision that removed or moved it.
struct Origin {
  /// The section's id; 0 for a section.
  var section: UInt64
  /// The id of the nearest element before it that stayed; 0: none.
  var after: UInt64
}

/// What came after the revision that is taken back.
///
/// Only steps that stand count: an undone step and its undo count as neither (contract E9).
protocol LaterSteps: AnyObject {
  /// Whether no step that counts touched the table since.
  var isEmpty: Bool { get }

  /// Whether no revision of any kind touched the table since, not even one that was undone or that
  /// undid.
  var isUntouched: Bool { get }

  /// The steps that count and touched any of some elements, by rising revision for each.
  ///
  /// - Parameter elements: Rows or sections.
  /// - Returns: The touches.
  /// - Throws: Where the store can't be read.
  /// - Complexity: O(*k* log *n*) for *k* elements; O(1) where `isEmpty`.
  func touches(of elements: [Element]) throws(ServiceFault) -> [Touch]

  /// The newest revision of any kind that touched an element.
  func newest(of element: Element) throws(ServiceFault) -> Touch?

  /// The first revision of any kind that placed an element after another revision, and after the
  /// one that is taken back.
  func placement(of element: Element, after revision: UInt64) throws(ServiceFault) -> UInt64?

  /// The steps that count and moved, renamed or altered columns that were there before.
  ///
  /// - Returns: The touches, by rising revision.
  /// - Throws: `stale` where such a step is no longer kept.
  /// - Complexity: O(*n*) in the size of these steps.
  func columnTouches() throws(ServiceFault) -> [ColumnTouch]

  /// The newest step that counts and touched a table's columns or attributes, else the table; where
  /// none counts, the newest revision that touched it.
  func newestOfTable() throws(ServiceFault) -> Touch?

  /// Where an element stood before a revision that placed it elsewhere or removed it.
  ///
  /// - Returns: The place; `nil` where it is not kept.
  func origin(of element: Element, in revision: UInt64) throws(ServiceFault) -> Origin?
}

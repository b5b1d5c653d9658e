/// What the journal keeps beside each part of a change for those who see only some of it.
///
/// It stands in the part's `old`, with the old rows (field 10 of hp.v1.Change), as fields that
/// hp.v1.Change will never have: `field`, a message for each table, and one number or row for each
/// old row. The message holds: 1 the table's id; 2 and 3 (index 1, id 2) of the sections that the
/// change names, before and after it, beside the first part; 4 where the rows of this very part
/// live, in their order (`RowHome`); 5 removed rows (section 1, first id 2, count 3); 6 rows that
/// went to another section (from 1, to 2, id 3, image 4 where the change has none,
/// its own policy 5 where it has one that did not change); 7 rows whose own policy changed
/// (section 1, id 3, hp.v1.RowPolicy 5).
///
/// A part may consist of that alone: its body is empty then, and nobody is sent it.
enum ChangeSites {
  static let field: UInt32 = 32
  /// The id of the section of the old row before it.
  static let oldHome: UInt32 = 33
  /// The old row before it as its columns were shown, where it was stored otherwise.
  static let oldShown: UInt32 = 34
}

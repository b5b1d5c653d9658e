internal import Coding

/// What one record did to one row.
struct RowTrace {
  private var isInserted = false
  private var isDeleted = false
  private var isMoved = false
  private var policyChanged = false
  private var columns: [UInt64] = []
  private var newImage: [UInt8] = []
  private var oldImage: [UInt8] = []
  /// The columns before it, where it changed them.
  private var oldColumns: [Column]?
  private let table: UInt64

  /// Looks for a row in a record.
  ///
  /// - Complexity: O(*n*) in the size of the record.
  init(_ record: [JournalEntry], _ row: UInt64, _ table: UInt64) throws(CodingFault) {
    self.table = table
    for entry in record {
      let change = try ChangeReader([entry.body], table: table, wantsUpdates: true)
      for stage in [change.main, change.moved, change.replaced] {
        for run in stage.inserts + stage.contents where Self.holds(run.id, run.count, row) {
          if run.isMoved { isMoved = true } else { isInserted = true }
        }
        for run in stage.moves where Self.holds(run.id, run.count, row) { isMoved = true }
      }
      for run in change.deleted where Self.holds(run.first, Int(run.count), row) {
        isDeleted = true
      }
      if change.rowPolicies.contains(where: { $0.row == row }) { policyChanged = true }
      for update in change.updates where update.row == row { columns = update.columns.sorted() }
      for (_, range) in change.images {
        var reader = FieldReader(range)
        guard try reader.next(in: entry.body.span)?.value == row else { continue }
        newImage = Array(entry.body[range])
      }
      var reader = FieldReader(0..<entry.old.count)
      while let field = try reader.next(in: entry.old.span) {
        if field.number == 12, change.columnsChanged {
          let old = try Reversal.columns(at: field.range, entry.old.span, table: table)
          if !old.isEmpty { oldColumns = oldColumns.map { $0 + old } ?? old }
        }
        guard field.number == 10 else { continue }
        var inner = FieldReader(field.range)
        guard try inner.next(in: entry.old.span)?.value == row else { continue }
        oldImage = Array(entry.old[field.range])
      }
    }
  }

  private static func holds(_ first: UInt64, _ count: Int, _ row: UInt64) -> Bool {
    row >= first && row - first < UInt64(count)
  }

  /// Fields of hp.v1.HistoryEntry.
  ///
  /// - Parameter schema: The table's columns after the record: where a row has no cell of its own
  ///   their fills were read.
  /// - Returns: The fields.
  func encoded(_ schema: Schema) -> [UInt8] {
    let old = oldColumns.map { Schema(columns: $0, revision: 0) } ?? schema
    var bytes: [UInt8] = []
    if isDeleted, !oldImage.isEmpty {
      // It is kept as it was stored.
      var shown: [UInt8] = []
      RowImage.appendShown(oldImage.span, by: old, to: &shown)
      append(8, allOf: shown, to: &bytes)
    } else if isInserted {
      append(9, allOf: newImage, to: &bytes)
    } else {
      for column in columns { append(8, column, of: oldImage, old, to: &bytes) }
      for column in columns { append(9, column, of: newImage, schema, to: &bytes) }
    }
    if isDeleted { bytes.appendField(10, bool: true) }
    if isInserted { bytes.appendField(11, bool: true) }
    if isMoved { bytes.appendField(12, bool: true) }
    bytes.appendField(14, varint: table)
    // A row that comes back brings its policy with it, without a word of its own.
    if policyChanged, !isInserted { bytes.appendField(19, bool: true) }
    return bytes
  }

  private func append(_ field: UInt32, allOf image: [UInt8], to bytes: inout [UInt8]) {
    if image.isEmpty { return }
    RowImage.forEachCell(of: image.span) { column, value in
      bytes.appendField(field) {
        $0.appendField(1, varint: column)
        value.append(to: &$0)
      }
    }
  }

  private func append(
    _ field: UInt32, _ column: UInt64, of image: [UInt8], _ schema: Schema,
    to bytes: inout [UInt8]
  ) {
    let value =
      image.isEmpty ? nil : RowImage.cell(column, in: image.span)?.value(in: image.span)
    bytes.appendField(field) {
      $0.appendField(1, varint: column)
      (value ?? schema.column(column)?.fill)?.append(to: &$0)
    }
  }
}

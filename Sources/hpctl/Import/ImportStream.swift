internal import Glibc
internal import hpclient

/// The rows of a separated file, each encoded as it is read, into a batch that is on its way.
///
/// It knows only files without a fault: where it finds one it stops, and leaves to `ImportPlan` to
/// say which, and where.
@safe final class ImportStream: CSVSink {
  /// Why a file is read in another way.
  enum Stop: Error {
    case fault
  }

  /// Bytes that are read between two looks at what is to be sent.
  private static let slice = 1 << 16

  private let values: ImportValues
  private(set) var header: [String]?
  /// The column of each field; `nil` for those that are not read.
  private var columns: [ColumnInfo?] = []
  private var batch: Batch?
  private var place = unsafe hp_place_default()
  private var limits = RowLimits()

  /// What of the record at hand is sent; the text of a cell begins at its number in `texts`.
  private var cells: [hp_cell] = unsafe []
  private var readOnlyCells: [hp_cell] = unsafe []
  private var texts: [UInt8] = []
  private var names: [String?] = []
  private var field = 0
  private var isEmpty = true
  private var hasFault = false

  /// Rows so far.
  private(set) var count = 0
  /// Records with empty fields only.
  private(set) var blank = 0
  /// Texts that a spreadsheet has shortened, by column (see `Context.tellShortened`): how many, and
  /// the first one's place among the rows.
  private(set) var shortened: [UInt64: (count: Int, row: Int)] = [:]

  private let bytes: [UInt8]
  private var index: Int

  /// - Parameters:
  ///   - bytes: The file, of which no more than its text was checked.
  ///   - start: Where its header begins.
  ///   - delimiter: What stands between the fields.
  ///   - values: How fields are written.
  /// - Throws: OUT_OF_MEMORY.
  init(_ bytes: [UInt8], from start: Int, delimiter: UInt8, values: ImportValues) throws(Fault) {
    self.bytes = bytes
    self.values = values
    index = start
    try super.init(delimiter: delimiter)
  }

  /// How many bytes of the file were read.
  var position: Int { index }

  /// Reads the header.
  ///
  /// - Returns: The names of the columns.
  /// - Throws: `Stop`.
  func readHeader() throws(Stop) -> [String] {
    while header == nil, index < bytes.count {
      let end = CSVReader.endOfLine(bytes, index)
      try read(to: end)
    }
    guard let header, isBetweenRecords else { throw .fault }
    return header
  }

  /// Reads the rows.
  ///
  /// - Parameters:
  ///   - columns: The column of each field of the header; `nil` for those that are not read.
  ///   - place: Where they go; its texts live until the end of the call.
  ///   - limits: How large they may be.
  ///   - batch: What they are added to.
  ///   - send: Called after some of them.
  /// - Throws: `Stop`, and what `send` throws.
  func readRows(
    _ columns: [ColumnInfo?], at place: hp_place, limits: RowLimits, into batch: Batch,
    send: () throws(Stop) -> Void
  ) throws(Stop) {
    self.columns = columns
    self.limits = limits
    self.batch = batch
    unsafe self.place = place
    defer { self.batch = nil }
    while index < bytes.count {
      try read(to: min(index + Self.slice, bytes.count))
      try send()
    }
    guard finish(), !hasFault else { throw .fault }
  }

  private func read(to end: Int) throws(Stop) {
    guard feed(bytes, index..<end), !hasFault else { throw .fault }
    index = end
  }

  override func field(_ bytes: UnsafeRawBufferPointer?) {
    defer { field += 1 }
    guard header != nil else {
      names.append(unsafe bytes.map { bytes in unsafe String(decoding: bytes, as: UTF8.self) })
      return
    }
    // A field with quotes says something, whatever it holds.
    if unsafe bytes != nil { isEmpty = false }
    guard !hasFault, field < columns.count else {
      hasFault = true
      return
    }
    guard let column = columns[field] else { return }
    guard unsafe add(bytes, column) else {
      hasFault = true
      return
    }
  }

  override func endOfRecord() {
    defer {
      field = 0
      isEmpty = true
      unsafe cells.removeAll(keepingCapacity: true)
      unsafe readOnlyCells.removeAll(keepingCapacity: true)
      texts.removeAll(keepingCapacity: true)
    }
    guard header != nil else {
      header = names.map { $0 ?? "" }
      return
    }
    guard !isEmpty else {
      // Whatever was wrong with its number of fields: it says nothing.
      blank += 1
      return
    }
    guard !hasFault, texts.count <= limits.row, field == columns.count, let batch else {
      hasFault = true
      return
    }
    unsafe cells.append(contentsOf: readOnlyCells)
    // Safe: the texts stay where they are during the call, which copies them.
    let isAdded = unsafe texts.withUnsafeBytes { raw in
      let base = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
      return unsafe cells.withUnsafeMutableBufferPointer { cells in
        for index in cells.indices where unsafe cells[index].kind == HP_TEXT {
          unsafe cells[index].text = unsafe base.map { base in
            unsafe base + Int(cells[index].number)
          }
        }
        var row = unsafe hp_new_row(cells: cells.baseAddress, cell_count: cells.count, as: 0)
        return unsafe hp_batch_insert_new_row(batch.handle, place, &row, HP_ANIMATION_DEFAULT)
      }
    }
    if !isAdded { hasFault = true }
    count += 1
  }

  /// Adds a cell.
  ///
  /// - Returns: Whether the field is a value of its column.
  private func add(_ bytes: UnsafeRawBufferPointer?, _ column: ColumnInfo) -> Bool {
    guard let bytes = unsafe bytes else {
      if !values.keepsEmpty { addNull(column) }
      return true
    }
    if column.kind == .text, !values.isSpreadsheetSafe {
      if unsafe bytes.isEmpty && values.keepsEmpty { return true }
      return unsafe add(text: bytes, column)
    }
    // Safe: libcsv's buffer lives for the length of the call.
    let span = unsafe bytes.bindMemory(to: UInt8.self).span
    if let number = plain(span, column) {
      add(column, hp_kind(rawValue: column.kind.rawValue), number)
      return true
    }
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    let value: CellValue?
    do throws(Fault) { value = try values.value(.text(text), column) } catch { return false }
    switch value {
    case nil: return true
    case .null: addNull(column)
    case .text(var text):
      return text.withUTF8 { unsafe add(text: UnsafeRawBufferPointer($0), column) }
    case .integer(let number), .decimal(let number), .date(let number), .timestamp(let number):
      add(column, hp_kind(rawValue: column.kind.rawValue), number)
    case .boolean(let flag): add(column, HP_BOOLEAN, flag ? 1 : 0)
    }
    return true
  }

  private func plain(_ bytes: Span<UInt8>, _ column: ColumnInfo) -> Int64? {
    switch column.kind {
    case .decimal:
      guard values.notation.decimal == nil, !values.notation.rounds else { return nil }
      return PlainValue.decimal(bytes, scale: column.scale)
    case .integer: return PlainValue.decimal(bytes, scale: 0)
    case .date: return values.dates == nil ? PlainValue.date(bytes) : nil
    case .timestamp: return values.dates == nil ? PlainValue.timestamp(bytes) : nil
    case .text, .boolean: return nil
    }
  }

  private func addNull(_ column: ColumnInfo) {
    // hpd has a value of its own for those.
    if !column.readOnly { add(column, HP_NULL, 0) }
  }

  private func add(text bytes: UnsafeRawBufferPointer, _ column: ColumnInfo) -> Bool {
    guard bytes.count <= limits.text else { return false }
    add(column, HP_TEXT, Int64(texts.count))
    unsafe texts.append(contentsOf: bytes)
    texts.append(0)
    // Safe: the bytes live for the length of the call.
    guard !column.readOnly, let base = bytes.baseAddress,
      unsafe memchr(base, Int32(UInt8(ascii: "+")), bytes.count) != nil,
      unsafe Context.isShortened(String(decoding: bytes, as: UTF8.self))
    else { return true }
    shortened[column.id, default: (0, count)].count += 1
    return true
  }

  private func add(_ column: ColumnInfo, _ kind: hp_kind, _ number: Int64) {
    var cell = unsafe hp_cell()
    unsafe cell.column = column.id
    unsafe cell.kind = kind
    unsafe cell.number = number
    if column.readOnly {
      unsafe readOnlyCells.append(cell)
    } else {
      unsafe cells.append(cell)
    }
  }
}

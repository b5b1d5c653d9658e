/// Batches that insert, remove, move and change rows.
extension LeanRead {
  /// Reads what follows the table of a batch, to the end of the frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - batch: Gets it.
  /// - Returns: Whether that is all there is.
  mutating func batch(_ frame: Span<UInt8>, into batch: inout BatchBuffer) -> Bool {
    if take(0x1a, frame) {
      // A basis that says that paths are meant as they are.
      guard take(2, frame), take(0x08, frame), take(1, frame) else { return false }
      batch.basis = .current
    }
    while offset < end {
      guard take(0x2a, frame), let stop = stop(frame), let action = action(frame, stop, &batch),
        offset == stop
      else { return false }
      batch.operations.append(BatchOperation(action: action, conditions: 0..<0))
    }
    return true
  }

  private mutating func action(
    _ frame: Span<UInt8>, _ stop: Int, _ batch: inout BatchBuffer
  ) -> BatchOperation.Action? {
    guard offset < stop else { return nil }
    let tag = frame[offset]
    offset += 1
    guard let last = self.stop(frame), last == stop else { return nil }
    switch tag {
    case 0x0a:
      var place = RowPlace.absent
      if offset < stop, take(0x0a, frame) {
        guard let found = self.place(frame) else { return nil }
        place = found
      }
      guard offset < stop, take(0x12, frame), let last = self.stop(frame), last == stop,
        let cells = cells(0x0a, frame, stop, &batch)
      else { return nil }
      return .insertRow(at: place, row: BatchRow(cells: cells, handle: nil), animation: nil)
    case 0x12:
      guard offset < stop, take(0x0a, frame), let row = row(frame) else { return nil }
      return .deleteRow(row, animation: nil)
    case 0x1a:
      guard offset < stop, take(0x0a, frame), let row = row(frame), offset < stop,
        take(0x12, frame), let place = place(frame)
      else { return nil }
      return .moveRow(row, to: place)
    case 0x22:
      guard offset < stop, take(0x0a, frame), let row = row(frame),
        let cells = cells(0x12, frame, stop, &batch)
      else { return nil }
      return .updateRow(row, cells: cells)
    default: return nil
    }
  }

  /// A row by id or by path.
  private mutating func row(_ frame: Span<UInt8>) -> RowReference? {
    guard let stop = stop(frame), offset < stop else { return nil }
    if take(0x08, frame) {
      guard let id = varint(frame), offset == stop else { return nil }
      return .id(id)
    }
    guard take(0x1a, frame), let path = path(frame), offset == stop else { return nil }
    return .path(section: path.section, row: path.row)
  }

  /// A path, or a place beside a row.
  private mutating func place(_ frame: Span<UInt8>) -> RowPlace? {
    guard let stop = stop(frame), offset < stop else { return nil }
    let tag = frame[offset]
    offset += 1
    switch tag {
    case 0x0a:
      guard let path = path(frame), offset == stop else { return nil }
      return .path(section: path.section, row: path.row)
    case 0x12:
      guard let row = row(frame), offset == stop else { return nil }
      return .before(row)
    case 0x1a:
      guard let row = row(frame), offset == stop else { return nil }
      return .after(row)
    default: return nil
    }
  }

  private mutating func path(_ frame: Span<UInt8>) -> (section: Int, row: Int)? {
    guard let stop = stop(frame) else { return nil }
    var path = (section: 0, row: 0)
    if offset < stop, take(0x08, frame) {
      guard let section = varint(frame) else { return nil }
      path.section = Int(min(section, Limits.greatestNumber))
    }
    if offset < stop, take(0x10, frame) {
      guard let row = varint(frame) else { return nil }
      path.row = Int(min(row, Limits.greatestNumber))
    }
    return offset == stop ? path : nil
  }

  /// Cells under a tag, to the end of what holds them.
  private mutating func cells(
    _ tag: UInt8, _ frame: Span<UInt8>, _ end: Int, _ batch: inout BatchBuffer
  ) -> Range<Int>? {
    let start = batch.cells.count
    while offset < end {
      guard take(tag, frame), let stop = stop(frame), stop <= end,
        let cell = cell(frame, stop, &batch), offset == stop
      else { return nil }
      batch.cells.append(cell)
    }
    return start..<batch.cells.count
  }

  /// A cell by the column's id or name.
  private mutating func cell(
    _ frame: Span<UInt8>, _ stop: Int, _ batch: inout BatchBuffer
  ) -> BatchCell? {
    var column: BatchCell.Column?
    if offset < stop, take(0x08, frame) {
      guard let id = varint(frame) else { return nil }
      column = .id(id)
    }
    var value = BatchCell.Value.null
    // The name stands behind a text, and in front of it in the batch.
    var text: Range<Int>?
    if offset < stop, frame[offset] != 0x42 {
      let tag = frame[offset]
      offset += 1
      if tag == 0x12 {
        guard let last = self.stop(frame), last <= stop else { return nil }
        text = offset..<last
        offset = last
      } else {
        guard let number = varint(frame) else { return nil }
        switch tag {
        case 0x18: value = .integer(signed(number))
        case 0x20: value = .decimal(signed(number))
        case 0x28: value = .date(signed(number))
        case 0x30: value = .timestamp(signed(number))
        case 0x38:
          guard number <= 1 else { return nil }
          value = .boolean(number == 1)
        default: return nil
        }
      }
    }
    if offset < stop, take(0x42, frame) {
      guard column == nil, let last = self.stop(frame), last == stop,
        let name = add(frame.extracting(offset..<stop), &batch)
      else { return nil }
      offset = stop
      column = .name(name)
    }
    guard let column, offset == stop else { return nil }
    if let text {
      guard let text = add(frame.extracting(text), &batch) else { return nil }
      value = .text(text)
    }
    return BatchCell(column: column, value: value)
  }

  private func signed(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Copies a text into the batch's storage; `nil`: it is none.
  private func add(_ bytes: Span<UInt8>, _ batch: inout BatchBuffer) -> TextRange? {
    let start = batch.text.count
    // Safe: the bytes are looked at and copied while the span is borrowed.
    let isText = unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return true }
      guard unsafe TextCheck.fault(first, 0, bytes.count) == nil else { return false }
      unsafe batch.text.append(contentsOf: bytes)
      return true
    }
    return isText ? TextRange(start: Int32(start), count: Int32(bytes.count)) : nil
  }
}

internal import Coding

extension KeptOutcome {
  /// Cuts what a batch came to, so that it takes little room (contract E5).
  ///
  /// Step, counts and whether it can be undone always stay. Ids of new rows and sections stay as far
  /// as they fit; stages go. What went is told by `truncated`.
  ///
  /// - Parameter limit: The most bytes of ids.
  /// - Complexity: O(*n*) in the size of the reply.
  mutating func cut(to limit: Int) {
    guard reply.count > limit else { return }
    var kept: [UInt8] = []
    var room = limit
    var isTold = false
    var reader = FieldReader(0..<reply.count)
    var start = 0
    // The table's own bytes are sound.
    while let field = try? reader.next(in: reply.span) {
      let range = start..<reader.offset
      start = reader.offset
      if field.number > 8, !isTold {
        kept.appendField(8, bool: true)
        isTold = true
      }
      switch field.number {
      case 6, 12:
        // Ids are told in their order: after one that does not fit none does.
        if range.count > room { room = 0 }
        if room == 0 { continue }
        room -= range.count
      case 7, 8, 15: continue
      default: break
      }
      kept.append(contentsOf: reply[range])
    }
    if !isTold { kept.appendField(8, bool: true) }
    reply = kept
  }

  /// Leaves long fields out of a long reply about live state, as a draft with its text is one; the
  /// flag, rows and ids stay.
  ///
  /// - Parameters:
  ///   - length: The most bytes of a field.
  ///   - limit: The most bytes of a reply that is kept whole; of a cut one, too.
  /// - Complexity: O(*n*) in the size of the reply.
  mutating func drop(fieldsOver length: Int, ofMoreThan limit: Int) {
    guard reply.count > limit else { return }
    var kept: [UInt8] = []
    var reader = FieldReader(0..<reply.count)
    var start = 0
    // hpd's own bytes are sound.
    while let field = try? reader.next(in: reply.span) {
      let range = start..<reader.offset
      start = reader.offset
      guard field.range.count <= length else { continue }
      if kept.count + range.count > limit { break }
      kept.append(contentsOf: reply[range])
    }
    reply = kept
  }
}

internal import Coding

extension Outcome {
  /// The change as the journal keeps it: each part with what stands beside it.
  ///
  /// What does not fit beside the first part follows it in parts without a body; the last part
  /// always has one, if only a head.
  var journalParts: [JournalPart] {
    if change.count == 1, sites.count == 1, oldRows.isEmpty, sidePieces.isEmpty {
      return [JournalPart(body: change[0], old: sites[0])]
    }
    var parts = change.map { JournalPart(body: $0) }
    var pieces = sidePieces
    for (index, old) in oldRows.enumerated() {
      // No value of the journal is large (contract K2).
      if index < parts.count { parts[index].old += old } else { pieces.append(old) }
    }
    for (index, side) in sites.enumerated() where index < parts.count { parts[index].old += side }
    guard !pieces.isEmpty else { return parts }
    if parts.count == 1 { parts.append(JournalPart(body: Outcome.head(of: parts[0].body))) }
    parts.insert(contentsOf: pieces.map { JournalPart(body: [], old: $0) }, at: 1)
    return parts
  }

  /// What stands before the tables in a part.
  private static func head(of part: [UInt8]) -> [UInt8] {
    var reader = FieldReader(0..<part.count)
    var end = 0
    while let field = try? reader.next(in: part.span), field.number < 9 { end = reader.offset }
    return Array(part[..<end])
  }
}

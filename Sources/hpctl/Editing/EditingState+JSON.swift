extension DraftState {
  /// The draft, its column by name where that is known.
  func json(_ columns: [ColumnInfo]) -> JSON {
    var fields: [(String, JSON)] = [
      ("holder", holder.json), ("row", .integer(row)),
      ("column", columns.first { $0.id == column }.map { .string($0.name) } ?? .integer(column)),
      ("text", .string(text)),
    ]
    if isRejected { fields.append(("rejected", .boolean(true))) }
    if let reason { fields.append(("reason", .string(reason))) }
    return .object(fields)
  }
}

extension EditingState.Button {
  var json: JSON {
    var fields: [(String, JSON)] = [
      ("row", .integer(row)), ("holder", holder.json), ("delete_title", .string(title)),
    ]
    if isLeading { fields.append(("leading", .boolean(true))) }
    return .object(fields)
  }
}

extension EditingState.Drag {
  var json: JSON {
    .object([("row", .integer(row)), ("holder", holder.json), ("target", .path(target))])
  }
}

extension EditingState {
  /// The state as one object; what there is none of is left out.
  func fields(_ columns: [ColumnInfo]) -> [(String, JSON)] {
    var fields: [(String, JSON)] = [
      ("editing", .boolean(isEditing)), ("title", .string(title)), ("mode", .string(mode)),
      ("holders", .array(holders.map(\.json))),
    ]
    if let exclusive { fields.append(("exclusive", exclusive.json)) }
    if let swipe { fields.append(("swipe", swipe.json)) }
    if let confirm { fields.append(("confirm", confirm.json)) }
    if let drag { fields.append(("drag", drag.json)) }
    if !selections.isEmpty {
      fields.append(
        (
          "selections",
          .array(
            selections.map {
              .object([("holder", $0.holder.json), ("rows", JSON.ids($0.rows))])
            })
        ))
    }
    if !drafts.isEmpty { fields.append(("drafts", .array(drafts.map { $0.json(columns) }))) }
    return fields
  }
}

extension JSON {
  /// The ids of ranges, one by one.
  static func ids(_ ranges: [ClosedRange<UInt64>]) -> JSON {
    .array(ranges.flatMap { $0.map { .integer($0) } })
  }
}

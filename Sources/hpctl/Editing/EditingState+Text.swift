extension EditingState {
  /// The state for people: what it is about, and what it says.
  func lines(_ columns: [ColumnInfo]) -> [(String, String)] {
    var lines = [("editing", isEditing ? "on" : "off"), ("button", title)]
    if mode == "swipe" { lines.append(("mode", mode)) }
    lines += holders.map { ("held by", $0.text) }
    if let exclusive { lines.append(("alone", exclusive.text)) }
    if let swipe {
      lines.append(("swipe", "row \(swipe.row): \(swipe.title), \(swipe.holder.text)"))
    }
    if let confirm {
      lines.append(("minus", "row \(confirm.row): \(confirm.title), \(confirm.holder.text)"))
    }
    if let drag {
      lines.append(
        (
          "drag",
          "row \(drag.row) to \(drag.target.section),\(drag.target.row), \(drag.holder.text)"
        ))
    }
    for selection in selections {
      let rows = selection.rows.map { range in
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
      }
      lines.append(("selected", rows.joined(separator: ",") + ", " + selection.holder.text))
    }
    for draft in drafts {
      let column = columns.first { $0.id == draft.column }?.name ?? String(draft.column)
      let fate = draft.isRejected ? " (not written: \(draft.reason ?? "rejected"))" : ""
      lines.append(
        (
          "draft", "row \(draft.row) \(column): \"\(draft.text)\"\(fate), \(draft.holder.text)"
        ))
    }
    return lines
  }
}

import Testing

@testable import Wire

/// Requests about editing as they stand in golden frames.
@Suite struct GoldenEditingTests {
  static let items = TableReference.name("items")

  static let bodies: [(name: String, body: EditingRequest)] = [
    ("take_lease", .takeLease(name: "desk", seconds: 60)),
    ("end_lease", .endLease(id: 9, name: nil)),
    ("end_lease_named", .endLease(id: nil, name: "desk")),
    ("list_leases", .listLeases),
    (
      "set_editing",
      .set(
        SetEditingRequest(
          table: items, on: true, animated: false, exclusive: true, breaksHold: false))
    ),
    ("toggle_editing", .toggle(table: items, expected: false, animated: true)),
    (
      "commit_editing",
      .commit(
        CommitEditingRequest(
          table: items, row: .path(section: 0, row: 2), style: 2, animation: .left,
          basis: .current))
    ),
    (
      "swipe",
      .swipe(
        SwipeRequest(
          table: items, step: .open, row: .id(7), isLeading: true, basis: .absent,
          animation: nil))
    ),
    (
      "confirm",
      .confirm(
        SwipeRequest(
          table: items, step: .cancel, row: .absent, isLeading: false, basis: .absent,
          animation: nil))
    ),
    (
      "drag",
      .drag(
        DragRequest(
          table: items, step: .hover, row: .absent, target: IndexPath(section: 1, row: 3),
          basis: .current))
    ),
    (
      "select",
      .select(
        SelectRequest(
          table: items, rows: [.id(7), .id(8)], on: false, clearsOthers: true, basis: .absent))
    ),
    (
      "draft",
      .draft(
        DraftRequest(
          table: items, step: .text, row: 7, column: "name", text: "Rus", force: false))
    ),
    ("get_editing", .state(items)),
    ("get_policy", .policies(items, section: .id(2), rows: [])),
  ]

  @Test(arguments: bodies) func goldensDecodeToTheirMeaning(
    name: String, body: EditingRequest
  ) throws {
    let request = try RequestDecoder().decode(Golden.named(name).payload.span)
    #expect(request.body == .editing(body) && request.id >= 50 && request.key == nil)
    #expect(request.lease == (name == "set_editing" ? 9 : nil))
  }
}

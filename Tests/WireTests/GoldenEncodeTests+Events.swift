@testable import Wire

extension GoldenEncodeTests {
  static func head(_ from: UInt64?, part: UInt32? = nil, last: Bool = true) -> EventEncoder.Head {
    EventEncoder.Head(subscription: 3, from: from, part: part, last: last)
  }

  static let events: [String: Encode] = [
    "event_snapshot": { out in
      let table = try content(Golden.named("event_snapshot").payload, [2, 17, 2])
      EventEncoder.frame(
        head(nil, part: 0, last: false), .snapshot,
        EventEncoder.snapshot(at(41), encoded: [table]), into: &out)
    },
    "event_rows": { out in
      var body = EventEncoder.rows(table: 1, section: 2, first: 0)
      EventEncoder.appendRow(row(7, 40, name: "Kettle").span, to: &body)
      EventEncoder.appendRow(row(9, 41, name: "Pan").span, to: &body)
      EventEncoder.frame(head(nil, part: 1), .rows, body, into: &out)
    },
    "event_live": { EventEncoder.live(head(41), at(41), resumed: false, into: &$0) },
    "event_resumed": { EventEncoder.live(head(42), at(42), resumed: true, into: &$0) },
    "event_change": { out in
      let body = try content(Golden.named("event_change").payload, [2, 16])
      EventEncoder.head(head(41), .change, size: body.count, into: &out)
      out += body
    },
    "event_change_part": { out in
      let body = try content(Golden.named("event_change_part").payload, [2, 16])
      EventEncoder.head(head(42, part: 0, last: false), .change, size: body.count, into: &out)
      out += body
    },
    "event_change_sections": { out in
      let body = try content(Golden.named("event_change_sections").payload, [2, 16])
      EventEncoder.head(head(43), .change, size: body.count, into: &out)
      out += body
    },
    "event_progress": { EventEncoder.progress(head(42), revision: 60, into: &$0) },
    "event_barrier": {
      EventEncoder.barrier(
        EventEncoder.Head(subscription: 0, from: nil), token: 77, revision: 60, into: &$0)
    },
    "event_scene": { try shared("event_scene", .scene, into: &$0) },
    "event_scene_state": { try shared("event_scene_state", .scene, into: &$0) },
    "event_scene_node": { try shared("event_scene_node", .scene, into: &$0) },
    "event_editing": { try shared("event_editing", .liveState, into: &$0) },
    "event_ended": {
      EventEncoder.ended(head(60), reason: .tableDropped, revision: 60, into: &$0)
    },
  ]

  /// A body that is encoded once for all, behind the head of one subscriber at revision 42.
  private static func shared(
    _ name: String, _ kind: EventEncoder.Body, into out: inout [UInt8]
  ) throws {
    let body = try content(Golden.named(name).payload, [2, UInt32(kind.rawValue)])
    EventEncoder.head(head(42), kind, size: body.count, into: &out)
    out += body
  }
}

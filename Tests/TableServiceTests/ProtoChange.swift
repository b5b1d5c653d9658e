import CHPProto

@testable import TableService

/// A change as protobuf-c reads it: the independent reader of what the engine writes.
struct ProtoChange: Equatable {
  struct Run: Equatable {
    var section: Int
    var row: Int
    var count = 1
    var id: UInt64
    var moved = false
  }
  struct Move: Equatable {
    var fromSection: Int
    var fromRow: Int
    var section: Int
    var row: Int
    var count = 1
    var id: UInt64
  }
  struct Reload: Equatable {
    var oldSection: Int
    var oldRow: Int
    var section: Int
    var row: Int
    var id: UInt64
    var columns: [UInt64] = []
  }
  struct Stage: Equatable {
    var kind = 0
    var deleteSections: [Int] = []
    var insertSections: [Int] = []
    var moveSections: [[Int]] = []
    var reloadSections: [[Int]] = []
    /// Final indices of sections that were reloaded with other rows.
    var replacedSections: [Int] = []
    var deletes: [Run] = []
    var inserts: [Run] = []
    var moves: [Move] = []
    var reloads: [Reload] = []
    var contents: [Run] = []
  }
  struct Record: Equatable {
    var id: UInt64
    var title: String?
    var index: Int
  }

  var revision: UInt64 = 0
  var time: Int64 = 0
  var uid: UInt64 = 0
  var actor = ""
  var client: UInt64 = 0
  var request: UInt64 = 0
  var table: UInt64 = 0
  var event = 0
  var name: String?
  var columns: [String] = []
  /// The same with all that is said of them, read by the module itself.
  var schema: [Column] = []
  var columnsChanged = false
  var headersChanged = false
  var stages: [Stage] = []
  var records: [Record] = []
  var rows: [[UInt8]] = []
  var deleted: [UInt64] = []
}

/// Messages that tests read whole.
enum ProtoKind {
  case change, row, reply, column, section, table

  var descriptor: UnsafePointer<ProtobufCMessageDescriptor> {
    switch self {
    case .change: read(Hp__V1__Change(), hp__v1__change__init) { $0.base.descriptor }
    case .row: read(Hp__V1__Row(), hp__v1__row__init) { $0.base.descriptor }
    case .reply: read(Hp__V1__BatchReply(), hp__v1__batch_reply__init) { $0.base.descriptor }
    case .column: read(Hp__V1__Column(), hp__v1__column__init) { $0.base.descriptor }
    case .section: read(Hp__V1__Section(), hp__v1__section__init) { $0.base.descriptor }
    case .table: read(Hp__V1__Table(), hp__v1__table__init) { $0.base.descriptor }
    }
  }

  private func read<Message, Result>(
    _ empty: Message, _ prepare: (UnsafeMutablePointer<Message>?) -> Void,
    _ body: (Message) -> Result
  ) -> Result {
    var message = empty
    prepare(&message)
    return body(message)
  }
}

/// Whether protobuf-c reads bytes and writes the same ones again.
func isCanonical(_ bytes: [UInt8], _ kind: ProtoKind) -> Bool {
  let descriptor = kind.descriptor
  guard let message = protobuf_c_message_unpack(descriptor, nil, bytes.count, bytes) else {
    return false
  }
  defer { protobuf_c_message_free_unpacked(message, nil) }
  return packed(message) == bytes
}

func packed(_ message: UnsafePointer<ProtobufCMessage>) -> [UInt8] {
  let size = protobuf_c_message_get_packed_size(message)
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    var dummy: UInt8 = 0
    count = withUnsafeMutablePointer(to: &dummy) { spare in
      protobuf_c_message_pack(message, buffer.baseAddress ?? spare)
    }
  }
}

extension ProtoChange {
  /// Reads the parts of a change; stages of the same kind that follow each other are one.
  init?(parts: [[UInt8]]) {
    for part in parts {
      guard let change = hp__v1__change__unpack(nil, part.count, part) else { return nil }
      defer { hp__v1__change__free_unpacked(change, nil) }
      revision = change.pointee.revision
      time = change.pointee.time
      uid = change.pointee.uid
      actor = String(cString: change.pointee.actor)
      client = change.pointee.client
      request = change.pointee.request
      guard change.pointee.n_tables == 1, let table = change.pointee.tables[0] else { return nil }
      read(table.pointee)
    }
  }

  private mutating func read(_ change: Hp__V1__TableChange) {
    table = change.table
    event = Int(change.event.rawValue)
    if let text = change.name { name = String(cString: text) }
    for column in list(change.columns, change.n_columns) {
      columns.append(String(cString: column.name))
    }
    for index in 0..<change.n_columns {
      change.columns[index]?.withMemoryRebound(to: ProtobufCMessage.self, capacity: 1) {
        let bytes = packed($0)
        if let column = try? Column(at: 0..<bytes.count, in: bytes.span) { schema.append(column) }
      }
    }
    columnsChanged = columnsChanged || change.columns_changed != 0
    headersChanged = headersChanged || change.headers_changed != 0
    for stage in list(change.stages, change.n_stages) { read(stage) }
    for section in list(change.sections, change.n_sections) {
      records.append(
        Record(
          id: section.id, title: section.title.map { String(cString: $0) },
          index: Int(section.index)))
    }
    for index in 0..<change.n_rows {
      guard let row = change.rows[index] else { continue }
      rows.append(row.withMemoryRebound(to: ProtobufCMessage.self, capacity: 1) { packed($0) })
    }
    for run in list(change.deleted, change.n_deleted) {
      for offset in 0..<run.count { deleted.append(run.first + offset) }
    }
  }

  mutating func read(_ message: Hp__V1__Stage) {
    let kind = Int(message.kind.rawValue)
    if stages.last?.kind != kind { stages.append(Stage(kind: kind)) }
    let last = stages.count - 1
    for run in list(message.delete_sections, message.n_delete_sections) {
      stages[last].deleteSections += (0..<run.count).map { Int(run.first + $0) }
    }
    for run in list(message.insert_sections, message.n_insert_sections) {
      stages[last].insertSections += (0..<run.count).map { Int(run.first + $0) }
    }
    for move in list(message.move_sections, message.n_move_sections) {
      stages[last].moveSections.append([Int(move.from), Int(move.to)])
    }
    for reload in list(message.reload_sections, message.n_reload_sections) {
      stages[last].reloadSections.append([Int(reload.old_section), Int(reload.section)])
      if reload.with_rows != 0 { stages[last].replacedSections.append(Int(reload.section)) }
    }
    stages[last].deletes += list(message.deletes, message.n_deletes).map(Run.init)
    stages[last].inserts += list(message.inserts, message.n_inserts).map(Run.init)
    stages[last].contents += list(message.contents, message.n_contents).map(Run.init)
    for move in list(message.moves, message.n_moves) {
      stages[last].moves.append(
        Move(
          fromSection: Int(move.from_section), fromRow: Int(move.from_row),
          section: Int(move.section), row: Int(move.row), count: Int(move.count), id: move.id))
    }
    for reload in list(message.reloads, message.n_reloads) {
      stages[last].reloads.append(
        Reload(
          oldSection: Int(reload.old_section), oldRow: Int(reload.old_row),
          section: Int(reload.section), row: Int(reload.row), id: reload.id,
          columns: (0..<reload.n_columns).map { reload.columns[$0] }))
    }
  }
}

extension ProtoChange.Run {
  init(_ run: Hp__V1__RowRun) {
    self.init(
      section: Int(run.section), row: Int(run.row), count: Int(run.count), id: run.id,
      moved: run.moved != 0)
  }
}

/// The messages of a repeated field.
func list<Message>(
  _ messages: UnsafeMutablePointer<UnsafeMutablePointer<Message>?>?, _ count: Int
) -> [Message] {
  guard let messages else { return [] }
  return (0..<count).compactMap { messages[$0]?.pointee }
}

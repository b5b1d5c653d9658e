import Coding
import Glibc
import Testing

@testable import TableService

/// A writer is killed at any moment; what it acknowledged is there (SPEC 8).
@Suite(.serialized) struct StoreKillTests {
  @Test(arguments: 0..<12) func acknowledgedRecordsSurviveKills(round: Int) async throws {
    let folder = StoreFolder()
    try folder.open().close(now: .now())
    let path = folder.path
    for life in 0..<3 {
      let delay = UInt32(2_000 + (round * 3 + life) * 1_700)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as UInt32] in
        try writeUntilKilled(path, after: delay)
      }
      let acknowledged = run("tail -n 1 '\(path)/acks' 2>/dev/null").output
      let store = try folder.open()
      #expect(store.origin == .continued)
      #expect(store.lastPosition >= UInt64(acknowledged) ?? 0, "life \(life)")
      let entries = try store.entries()
      for entry in entries { #expect(entry.body == body(entry)) }
      #expect(entries.last?.isLast ?? true, "no record is there half")
      #expect(try store.check() == [])
      var ids: Set<UInt64> = []
      if let table = try store.loadTables().first {
        try store.loadRows(table: table.id) { _, _, image in
          ids.insert(RowImage.id(of: image.span))
        }
        // The rows show exactly the materialised revision: row n came with the nth record.
        let whole = entries.filter { $0.isLast && $0.position <= store.meta.materialisedPosition }
        #expect(ids.count == whole.count)
      }
    }
  }
}

private func body(_ entry: JournalEntry) -> [UInt8] {
  Array("\(entry.revision) part \(entry.part) of \(entry.parts)".utf8)
}

/// Appends and materialises until another thread kills the process.
private func writeUntilKilled(_ path: String, after delay: UInt32) throws {
  let folder = path
  let store = try Store(StoreOptions(path: folder + "/hpd.db"), now: .now())
  let acks = open(folder + "/acks", O_WRONLY | O_CREAT | O_APPEND, 0o600)
  let pending = PendingWrites()
  // What the start before did not materialise is folded from the journal, as the daemon does.
  for entry in try store.entries(after: store.meta.materialisedPosition) where entry.isLast {
    let first = try store.loadTables().isEmpty && pending.count == 0
    queue(entry.revision, store.meta.epochRevision, first: first, pending)
  }
  var first = try store.loadTables().isEmpty && pending.count == 0
  var thread = pthread_t()
  let wait = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  wait.pointee = delay
  pthread_create(
    &thread, nil,
    { argument in
      usleep(argument?.load(as: UInt32.self) ?? 0)
      kill(getpid(), SIGKILL)
      return nil
    }, wait)
  while true {
    let revision = store.lastRevision + 1
    let parts = Int(revision % 3) + 1
    var change = record(revision, "")
    change.parts = (0..<parts).map {
      JournalPart(body: Array("\(revision) part \($0) of \(parts)".utf8))
    }
    guard case .durable(let position) = store.append([change]) else { fatalError("append") }
    let line = Array("\(position)\n".utf8)
    guard write(acks, line, line.count) == line.count else { fatalError("ack") }
    queue(revision, store.meta.epochRevision, first: first, pending)
    first = false
    if revision % 5 == 0 { _ = try store.materialise(pending, limit: 3, through: revision) }
    if revision % 50 == 0 { _ = try store.reading().connection.checkpoint() }
  }
}

private func queue(_ revision: UInt64, _ base: UInt64, first: Bool, _ pending: PendingWrites) {
  let id = revision - base
  if first {
    pending.append(.table, table: 1, bytes: table(1, "items", [.make(1, "name", .text)]))
    pending.append(.section, table: 1, id: 1, label: 0, bytes: section(1, nil))
  }
  pending.append(
    .row, table: 1, id: id, section: 1, label: Int64(id),
    bytes: RowImage.make(id: id, revision: revision, cells: [(1, .text([65]))]))
  pending.close(revision: revision)
}

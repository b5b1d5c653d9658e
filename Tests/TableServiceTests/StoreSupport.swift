import Coding
import Glibc

@testable import TableService

/// A directory that goes with the value.
final class StoreFolder {
  let path: String
  var store: String { path + "/hpd.db" }

  init() {
    var template = Array("/tmp/hpd-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary directory") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { _ = run("rm -rf '\(path)'") }

  /// Opens the store as the daemon would.
  func open(
    _ durability: Durability = .commit, busy: Int32 = 200, layer: String? = nil,
    at now: Instant = .now()
  ) throws(StoreFault) -> Store {
    var options = StoreOptions(path: store, durability: durability, busyMilliseconds: busy)
    options.fileLayer = layer
    return try Store(options, now: now)
  }

  /// Runs SQL with the tool that people have.
  func sql(_ text: String) -> String {
    run("sqlite3 '\(store)' \"\(text)\" 2>&1").output
  }
}

/// Runs a command of the shell and waits for its end.
func run(_ command: String) -> (status: Int32, output: String) {
  guard let pipe = popen(command, "r") else { return (-1, "") }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = fread(&buffer, 1, buffer.count, pipe)
    if count == 0 { break }
    bytes += buffer.prefix(count)
  }
  let status = pclose(pipe)
  while bytes.last == 10 { bytes.removeLast() }
  return (status, String(decoding: bytes, as: UTF8.self))
}

/// The `sqlite3` tool, held open and given statements.
final class OutsideTool {
  private let pipe: UnsafeMutablePointer<FILE>
  private let folder: StoreFolder
  private var steps = 0

  init(_ folder: StoreFolder) {
    self.folder = folder
    guard let pipe = popen("sqlite3 '\(folder.store)' >/dev/null 2>&1", "w") else {
      fatalError("no shell")
    }
    self.pipe = pipe
  }

  deinit { pclose(pipe) }

  /// Gives lines and does not wait.
  func send(_ lines: String) {
    fputs(lines + "\n", pipe)
    fflush(pipe)
  }

  /// Gives a statement and returns once it has run.
  func run(_ sql: String) {
    steps += 1
    let marker = "\(folder.path)/step\(steps)"
    fputs("\(sql);\n.system touch \(marker)\n", pipe)
    fflush(pipe)
    while access(marker, F_OK) != 0 { usleep(1_000) }
  }
}

extension Store {
  /// Appends records and takes the answer as the daemon does: id counters are the store's.
  func append(
    _ records: [JournalRecord], keys: [KeyRecord] = [], now: Instant = .now()
  ) -> AppendOutcome {
    append(after: lastPosition, records, counters: counters, keys: keys, now: now)
  }

  /// All entries that are kept.
  func entries(after position: UInt64? = nil) throws(StoreFault) -> [JournalEntry] {
    try read(
      after: position ?? journal.first - 1, limitBytes: .max, limitRecords: .max, withOld: true)
      ?? []
  }
}

/// A change with one part.
func record(_ revision: UInt64?, _ body: String, tables: [UInt64] = [1]) -> JournalRecord {
  var head = JournalHead(kind: revision == nil ? .lease : .change)
  head.uid = 1000
  head.actor = "user/test"
  head.time = 5
  return JournalRecord(
    revision: revision, tables: tables, head: head, parts: [JournalPart(body: Array(body.utf8))])
}

/// hp.v1.Table as the engine writes it.
func table(_ id: UInt64, _ name: String, _ columns: [Column]) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.appendField(1, varint: id)
  bytes.appendField(2, text: name)
  for column in columns { bytes.appendField(5) { column.append(to: &$0) } }
  return bytes
}

/// hp.v1.Section as the engine writes it.
func section(_ id: UInt64, _ title: String?) -> [UInt8] {
  var bytes: [UInt8] = []
  SectionRecord(id: id, title: title.map { Array($0.utf8) }).append(to: &bytes)
  return bytes
}

extension PendingWrites {
  func append(
    _ kind: PendingWrite.Kind, table: UInt64, id: UInt64 = 0, section: UInt64 = 0,
    label: Int64 = 0, bytes: [UInt8]
  ) {
    append(kind, table: table, id: id, section: section, label: label) { $0 += bytes }
  }
}

extension Column {
  static func make(
    _ id: UInt64, _ name: String, _ kind: ColumnKind, scale: UInt32 = 0, fill: CellValue? = nil
  ) -> Column {
    var column = Column(id: id, name: name, kind: kind)
    column.scale = scale
    column.fill = fill
    return column
  }
}

internal import Coding

/// Where the writing of a large revision's rows stands.
struct LargeWrite {
  var block: PendingBlock
  /// The next write to be noted for a restart, then the next to be made.
  var next = 0
  var chunks: UInt64 = 0
  var isNoted = false
}

/// Rows of a large revision: written in slices, and finished by the next start or by the next
/// look if the daemon stops in the middle (contract S5).
///
/// First its writes are noted in `hpd_redo`; a row 0 there says that all are. From then on the
/// tables on disk are on their way from one revision to the next, until the last slice.
extension Store {
  /// Fewer writes than these are made in one slice.
  static let largeWrites = 10_000
  private static let chunk = 512 << 10

  /// Writes one slice of a large revision.
  ///
  /// - Parameters:
  ///   - block: Its writes.
  ///   - pending: The list that they wait in.
  ///   - limit: How many writes.
  ///   - waits: Whether another program's transaction is waited for.
  /// - Throws: What SQLite says; the slice is done again then.
  func materialiseLarge(
    _ block: PendingBlock, _ pending: PendingWrites, limit: Int, waits: Bool
  ) throws(StoreFault) {
    var work = large ?? LargeWrite(block: block)
    if work.block !== block { work = LargeWrite(block: block) }
    guard let revision = block.firstRevision else { return }
    // What an earlier one left goes first, a slice at a time as well.
    if work.chunks == 0, leftRedo > 0 {
      _ = try removeRedo()
      return
    }
    do throws(StoreFault) {
      if work.isNoted {
        try apply(&work, revision, limit: limit, waits: waits)
      } else {
        try note(&work, revision, waits: waits)
      }
    } catch {
      tables = nil
      throw error
    }
    large = work
    guard work.isNoted, work.next == block.count else { return }
    large = nil
    pending.remove(through: revision)
    leftRedo = work.chunks
  }

  /// Notes the next writes for a restart.
  private func note(
    _ work: inout LargeWrite, _ revision: UInt64, waits: Bool
  ) throws(StoreFault) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Store.chunk + 4096)
    var next = work.next
    while next < work.block.count, bytes.count < Store.chunk {
      work.block.encode(next, to: &bytes)
      next += 1
    }
    let isLast = next == work.block.count
    let number = work.chunks + 1
    try transaction(waits: waits) { (database) throws(StoreFault) in
      // What an earlier attempt left.
      if number == 1 { try database.connection.run("DELETE FROM hpd_redo", .materialising) }
      try Store.put(bytes, number, database.connection)
      if isLast {
        var head: [UInt8] = []
        head.appendVarint(revision)
        try Store.put(head, 0, database.connection)
      }
    }
    // What was left of an earlier revision went with the first of these.
    if number == 1 { leftRedo = 0 }
    work.next = isLast ? 0 : next
    work.chunks = number
    work.isNoted = isLast
  }

  private static func put(
    _ bytes: [UInt8], _ number: UInt64, _ connection: Connection
  ) throws(StoreFault) {
    let row = try connection.prepare("INSERT INTO hpd_redo VALUES(?, ?)", .materialising)
    row.bind(1, number)
    try row.lend(2, blob: bytes) { () throws(StoreFault) in try row.execute(.materialising) }
  }

  /// Makes the next writes.
  private func apply(
    _ work: inout LargeWrite, _ revision: UInt64, limit: Int, waits: Bool
  ) throws(StoreFault) {
    let block = work.block
    let start = work.next
    let end = min(start + limit, block.count)
    let isLast = end == block.count
    var position: UInt64 = 0
    try transaction(waits: waits) { (database) throws(StoreFault) in
      let writer: TableWriter
      if let tables { writer = tables } else { writer = try TableWriter(database.connection) }
      tables = writer
      if start == 0 {
        try block.forEach(0..<block.count) { (write, bytes) throws(StoreFault) in
          if TableWriter.isStructural(write) { try writer.apply(write, bytes) }
        }
      }
      try block.forEach(start..<end) { (write, bytes) throws(StoreFault) in
        if !TableWriter.isStructural(write) { try writer.apply(write, bytes) }
      }
      guard isLast else { return }
      position = try self.finish(writer, revision, database)
    }
    work.next = end
    guard isLast else { return }
    meta.materialisedPosition = position
    meta.materialisedRevision = revision
  }

  /// The tables on disk show the revision, all of it.
  private func finish(
    _ writer: TableWriter, _ revision: UInt64, _ database: Database
  ) throws(StoreFault) -> UInt64 {
    try writer.finish()
    let position = try self.position(through: revision)
    try database.connection.run(
      """
      UPDATE hpd_meta SET materialised_position = \(position), materialised_revision = \(revision);
      DELETE FROM hpd_redo WHERE id = 0;
      """, .materialising)
    return position
  }

  /// Removes notes that are no longer needed, one slice.
  ///
  /// - Returns: Whether there is more to remove.
  /// - Throws: What SQLite says.
  func removeRedo() throws(StoreFault) -> Bool {
    guard leftRedo > 0 else { return false }
    let last = leftRedo
    try transaction(waits: false) { (database) throws(StoreFault) in
      try database.connection.run("DELETE FROM hpd_redo WHERE id = \(last)", .materialising)
    }
    leftRedo -= 1
    return leftRedo > 0
  }

  /// Finishes a revision whose rows are half on disk, so that the tables there are of one revision.
  ///
  /// - Throws: What SQLite says.
  /// - Complexity: O(*k*) in the writes of that revision.
  func finishLarge() throws(StoreFault) {
    large = nil
    tables = nil
    let connection = try reading().connection
    let head = try connection.prepare("SELECT content FROM hpd_redo WHERE id = 0", .loading)
    guard try head.step(.loading) else {
      // A stop while they were noted: nothing was begun.
      leftRedo = UInt64(
        try connection.number("SELECT max(id) FROM hpd_redo", .loading) ?? 0)
      return
    }
    leftRedo = 0
    let bytes = head.bytes(0)
    head.reset()
    var reader = FieldReader(0..<bytes.count)
    guard let revision = try? reader.varint(in: bytes.span) else { throw .damaged(.loading) }
    var position: UInt64 = 0
    try transaction { (database) throws(StoreFault) in
      let writer = try TableWriter(database.connection)
      for structural in [true, false] {
        let chunk = try database.connection.prepare(
          "SELECT content FROM hpd_redo WHERE id > 0 ORDER BY id", .loading)
        while try chunk.step(.loading) {
          let block = try PendingBlock(decoding: chunk.bytes(0))
          try block.forEach(0..<block.count) { (write, bytes) throws(StoreFault) in
            if TableWriter.isStructural(write) == structural { try writer.apply(write, bytes) }
          }
        }
      }
      position = try self.finish(writer, revision, database)
      try database.connection.run("DELETE FROM hpd_redo", .materialising)
    }
    meta.materialisedPosition = position
    meta.materialisedRevision = revision
  }
}

extension PendingBlock {
  /// Appends one write as it is noted for a restart.
  fileprivate func encode(_ index: Int, to target: inout [UInt8]) {
    let write = self[index]
    target.append(write.kind.code)
    target.appendVarint(write.table)
    target.appendVarint(write.id)
    target.appendVarint(write.section)
    target.appendVarint(Varint.zigzag(write.label))
    target.appendVarint(UInt64(write.bytes.count))
    target += content(write)
  }

  /// Reads writes that were noted.
  fileprivate convenience init(decoding bytes: [UInt8]) throws(StoreFault) {
    self.init()
    var reader = FieldReader(0..<bytes.count)
    do throws(CodingFault) {
      while reader.offset < reader.end {
        let code = try reader.varint(in: bytes.span)
        let table = try reader.varint(in: bytes.span)
        let id = try reader.varint(in: bytes.span)
        let section = try reader.varint(in: bytes.span)
        let label = try reader.varint(in: bytes.span)
        let size = try reader.varint(in: bytes.span)
        guard let kind = PendingWrite.Kind(code: code), size <= UInt64(reader.end - reader.offset)
        else { throw .truncated }
        let range = reader.offset..<reader.offset + Int(size)
        append(
          kind, table: table, id: id, section: section, label: Varint.unzigzag(label)
        ) { $0 += bytes[range] }
        reader = FieldReader(range.upperBound..<bytes.count)
      }
    } catch { throw .damaged(.loading) }
  }
}

extension PendingWrite.Kind {
  /// The number that stands for it on disk.
  fileprivate var code: UInt8 {
    switch self {
    case .row: 1
    case .place: 2
    case .deleteRow: 3
    case .section: 4
    case .deleteSection: 5
    case .table: 6
    case .dropTable: 7
    case .changed: 8
    case .policy: 9
    }
  }

  fileprivate init?(code: UInt64) {
    let all: [PendingWrite.Kind] = [
      .row, .place, .deleteRow, .section, .deleteSection, .table, .dropTable, .changed, .policy,
    ]
    guard code >= 1, code <= UInt64(all.count) else { return nil }
    self = all[Int(code) - 1]
  }
}

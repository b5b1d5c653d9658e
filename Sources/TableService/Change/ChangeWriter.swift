internal import Coding

/// Writes one table's part of a revision as canonical hp.v1.Change, cut into parts.
///
/// Fields stand in rising order in each part. A part is closed once it is past
/// `TableLimits.part`; stages and tables that go on in the next part are begun there anew, so
/// that each part is a whole message and the change is the concatenation of their lists
/// (contract K2). Stages are also gathered for the reply, up to a page.
///
/// One writer serves all changes of a table: what it works with keeps its memory.
struct ChangeWriter {
  /// Finished parts.
  private(set) var parts: [[UInt8]] = []
  /// What stands beside each part: where its rows live (see `ChangeSites`).
  private(set) var homes: [[UInt8]] = []
  /// Fields `stages` of hp.v1.BatchReply.
  private(set) var replyStages: [UInt8] = []
  /// Whether stages were left out of the reply.
  private(set) var isTruncated = false

  /// Takes finished parts of a long change, a few at a time.
  var sink: (([[UInt8]]) -> Void)?
  private var hasSunk = false
  /// How rows and sections should be shown, by slot; mostly there is nothing.
  var rowAnimations: [UInt32: UInt8] = [:]
  var sectionAnimations: [UInt32: UInt8] = [:]

  private var meta: [UInt8] = []
  /// What stands behind the tables of the first part.
  private var tail: [UInt8] = []
  /// The open part's hp.v1.TableChange: a head of `headCount` bytes that stands in every part.
  private var table: [UInt8] = []
  private var headCount = 0
  private var wantsParts = false
  private var partHomes: [UInt8] = []
  private var home = RowHome()
  private var homeCount = 0
  private var stage: [UInt8] = []
  private var kind: UInt64 = 0

  /// Begins a change.
  ///
  /// - Parameters:
  ///   - context: Revision, time and who asks.
  ///   - wantsParts: False where only the reply is wanted.
  ///   - head: Appends the fields of hp.v1.TableChange that stand in every part.
  mutating func open(
    _ context: borrowing ChangeContext, wantsParts: Bool, head: (inout [UInt8]) -> Void
  ) {
    self.wantsParts = wantsParts
    isTruncated = false
    hasSunk = false
    replyStages.empty()
    homes.removeAll(keepingCapacity: true)
    partHomes.removeAll(keepingCapacity: true)
    homeCount = 0
    meta.empty()
    Self.append(context, to: &meta)
    tail.empty()
    if let cause = context.cause { tail.appendField(11, text: cause) }
    if context.causeRow > 0 { tail.appendField(13, varint: context.causeRow) }
    table.empty()
    head(&table)
    headCount = table.count
  }

  /// Appends the fields of hp.v1.Change before the tables.
  static func append(_ context: borrowing ChangeContext, to bytes: inout [UInt8]) {
    let actor = context.actor.utf8Span.span
    bytes.append(addingCapacity: 33 + 11 + actor.count + 22) { room in
      room.appendField(1, varint: context.revision)
      room.appendField(2, varint: Varint.zigzag(context.time))
      room.appendField(3, varint: context.uid)
      room.openField(4, count: actor.count)
      room.append(copying: actor)
      room.appendField(5, varint: context.client)
      room.appendField(6, varint: context.request)
    }
    if context.undoes != 0 { bytes.appendField(7, varint: context.undoes) }
    if context.redoes != 0 { bytes.appendField(8, varint: context.redoes) }
  }

  /// Appends elements that `body` writes as fields of hp.v1.TableChange.
  ///
  /// - Parameter body: Appends whole fields.
  mutating func append(_ body: (inout [UInt8]) -> Void) {
    guard wantsParts else { return }
    body(&table)
    cut()
  }

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - home: Where it lives.
  ///   - body: Appends it as a field of hp.v1.TableChange.
  mutating func append(_ home: RowHome, _ body: (inout [UInt8]) -> Void) {
    if homeCount == 0 || home != self.home {
      closeHome()
      self.home = home
    }
    homeCount += 1
    append(body)
  }

  private mutating func closeHome() {
    guard homeCount > 0 else { return }
    home.append(count: homeCount, to: &partHomes)
    homeCount = 0
  }

  /// Begins a stage.
  ///
  /// - Parameter kind: Its hp.v1.StageKind.
  mutating func openStage(_ kind: UInt64) {
    self.kind = kind
    stage.empty()
    stage.appendField(1, varint: kind)
  }

  /// Appends an element of the open stage, after those with smaller numbers.
  ///
  /// - Parameter body: Appends whole fields of hp.v1.Stage.
  mutating func appendToStage(_ body: (inout [UInt8]) -> Void) {
    body(&stage)
    guard table.count + stage.count > TableLimits.part else { return }
    closeStage()
    if wantsParts { closePart() }
    openStage(kind)
  }

  /// Ends the stage.
  mutating func closeStage() {
    // Nothing but its kind: it was cut behind its last element.
    if stage.count <= 2 { return }
    let stage = stage
    if wantsParts { table.appendField(6, bytes: stage.span) }
    if isTruncated || replyStages.count + stage.count > TableLimits.replyPage {
      isTruncated = true
    } else {
      replyStages.appendField(7, bytes: stage.span)
    }
  }

  /// Ends the change.
  ///
  /// - Returns: Its parts, at least one.
  mutating func close() -> [[UInt8]] {
    if table.count > headCount || parts.isEmpty && !hasSunk { closePart() }
    defer { parts = [] }
    return parts
  }

  private mutating func cut() {
    if table.count > TableLimits.part { closePart() }
  }

  private mutating func closePart() {
    var part: [UInt8] = []
    part.reserveCapacity(meta.count + table.count + 8)
    part.append(contentsOf: meta)
    part.appendField(9, bytes: table.span)
    if parts.isEmpty, !hasSunk { part.append(contentsOf: tail) }
    parts.append(part)
    closeHome()
    homes.append(partHomes)
    partHomes = []
    table.removeLast(table.count - headCount)
    guard let sink, parts.count * TableLimits.part >= LongParts.slice else { return }
    let finished = parts
    parts = []
    hasSunk = true
    sink(finished)
  }

  /// A part in which nothing happens.
  var emptyPart: [UInt8] {
    var part = meta
    part.appendField(9, bytes: table[..<headCount])
    return part
  }
}

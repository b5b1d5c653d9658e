/// Lets others go on in the middle of long work (contract F10).
///
/// The work runs on a stack of its own: `pause` returns when it is its turn again.
public final class Breath {
  private let pause: () -> Void
  private let isDue: () -> Bool
  /// Set from outside where nobody wants the work any more: it takes itself back.
  public var isGivenUp = false

  /// Takes the pause.
  ///
  /// - Parameters:
  ///   - isDue: Called often; whether the turn is used up.
  ///   - pause: Called when it is; comes back in another turn.
  public init(
    isDue: @escaping () -> Bool = { true }, pause: @escaping () -> Void
  ) {
    self.isDue = isDue
    self.pause = pause
  }

  /// Lets others go on if the turn is used up.
  ///
  /// - Parameters:
  ///   - before: What has to be so while they do.
  ///   - after: What is to be so again.
  func take(before: () -> Void, after: () -> Void) {
    // What is put in order for others costs more than the look at the clock.
    guard isDue() else { return }
    before()
    pause()
    after()
  }
}

extension Table {
  /// How far long work has come.
  enum Stage {
    /// There is none.
    case none
    /// A batch is open: others see the table as it was before.
    case open
    /// The batch is closed; rows that are gone are still being put away.
    case closing
  }

  /// What the table's own attributes are in the open batch, while others see those before it.
  private struct Inner {
    var name: String
    var schema: Schema
    var header: [UInt8]?
    var footer: [UInt8]?
    var policy: [UInt8]?
  }

  /// A place at which long work may pause; one compare where there is none.
  @inline(__always)
  func breathe() {
    if let breath { breathe(breath) }
  }

  /// As `breathe`, and gives the work up where nobody wants it any more.
  ///
  /// - Throws: `abandoned`.
  @inline(__always)
  func checkpoint() throws(TableFault) {
    guard let breath else { return }
    breathe(breath)
    if breath.isGivenUp { throw TableFault(.abandoned) }
  }

  @inline(never)
  private func breathe(_ breath: Breath) {
    ticks &+= 1
    if ticks & 15 == 0 { rest(breath) }
  }

  /// A place at which long work pauses in any case.
  func breatheNow() {
    if let breath { rest(breath) }
  }

  private func rest(_ breath: Breath) {
    var inner: Inner?
    breath.take {
      guard stage == .open, let before = work.before else { return }
      inner = Inner(name: name, schema: schema, header: header, footer: footer, policy: policy)
      (name, schema) = (before.name, before.schema)
      (header, footer, policy) = (before.header, before.footer, before.policy)
      past = view
    } after: {
      guard let inner else { return }
      past = nil
      (name, schema) = (inner.name, inner.schema)
      (header, footer, policy) = (inner.header, inner.footer, inner.policy)
    }
  }

  /// Whether a change goes on, so that no other one may begin.
  public var isBusy: Bool { stage != .none }

  /// Makes the next batch long work.
  ///
  /// - Parameters:
  ///   - breath: Lets others go on.
  ///   - revision: The store's newest revision, which others are shown meanwhile.
  func beginLong(_ breath: Breath, revision: UInt64) {
    precondition(stage == .none, "one change at a time")
    view = TableView(self, revision: revision)
    self.breath = breath
    stage = .open
  }

  /// The batch of long work is closed: from here on others see its result.
  func endOpenStage() {
    guard stage == .open else { return }
    stage = .closing
    view?.close()
    view = nil
    for view in closing { view.close() }
    closing.removeAll()
  }

  /// Ends long work.
  func endLong() {
    endOpenStage()
    rows.list()
    breath = nil
    stage = .none
    // What it took in memory was for this once.
    work = Work()
    changes = ChangeList()
    writer = ChangeWriter()
  }
}

/// Reading while long work is paused: the table is shown as it was before the batch.
extension Table {
  /// The slot of a row that readers may see.
  func readable(_ id: UInt64) -> UInt32? {
    guard let slot = rows.slot(of: id) else { return nil }
    switch stage {
    case .none: return slot
    case .open: return past == nil || order.oldPosition(of: slot) != nil ? slot : nil
    case .closing: return order.isLive(slot) ? slot : nil
    }
  }

  /// Shows a row that readers may see.
  func withReadable(_ slot: UInt32, _ body: (Span<UInt8>) -> Void) {
    guard past != nil, let index = work.rowIndex[slot], !work.rows[index].oldImage.isEmpty else {
      return withShown(slot, body)
    }
    let image = schema.reshapes ? shown(work.rows[index].oldImage) : work.rows[index].oldImage
    body(image.span)
  }

  /// Where a row stands that readers may see.
  func readablePlace(of slot: UInt32) -> (path: RowPath, section: UInt64) {
    guard past != nil, let old = order.oldPosition(of: slot),
      let section = sectionOrder.oldPosition(of: old.owner)
    else {
      let position = order.position(of: slot)
      let section = sectionOrder.position(of: position.owner).index
      return (
        RowPath(section: UInt64(section), row: UInt64(position.index)),
        sections[Int(position.owner)].record.id
      )
    }
    return (
      RowPath(section: UInt64(section.index), row: UInt64(old.index)),
      sections[Int(old.owner)].record.id
    )
  }
}

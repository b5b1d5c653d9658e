/// Something that happened to live state, in hpd's order (contract K3).
public struct LiveEvent: Equatable, Sendable {
  /// What happened; the names are those of hp.v1.LiveEventKind.
  public enum What: Equatable, Sendable {
    case editingChanged(Flag, ended: [Holder], animated: Bool)
    case willBeginEditing(row: UInt64)
    case didEndEditing(row: UInt64?)
    case swipeOpened(DeleteButton)
    case swipeClosed(row: UInt64)
    case confirmOpened(DeleteButton)
    case confirmClosed(row: UInt64)
    case dragBegan(DragSlot)
    case dragMoved(DragSlot)
    case dragEnded(row: UInt64)
    case dragCancelled(row: UInt64)
    case selectionChanged(Holder, cleared: Bool, deselected: [UInt64], selected: [UInt64])
    case draftBegan(DraftSlot)
    case draftText(DraftSlot)
    case draftEnded(DraftSlot)
    case draftRejected(DraftSlot)
    case holderGone(Holder)
    case leaseEnded(Holder)
    case tableGone
    /// Fields of hp.v1.LiveEvent, because views are kept elsewhere.
    case viewChanged(content: [UInt8])
  }

  /// The flag and what hangs on it, after the event.
  public struct Flag: Equatable, Sendable {
    /// The flag.
    public var isEditing: Bool
    /// What the edit button says.
    public var title: String
    /// The mode.
    public var mode: EditingMode
    /// Who holds editing mode.
    public var holders: [Holder]
    /// Who keeps the others out.
    public var exclusive: Holder?
  }

  /// Rises with each event of this run of the daemon.
  public var sequence: UInt64
  /// The revision at which it holds.
  public var revision: UInt64
  /// The table's id.
  public var table: UInt64
  /// Whose request caused it; `nil`: none did.
  public var by: Holder?
  /// What happened.
  public var what: What

  /// Tells an event.
  ///
  /// - Parameters:
  ///   - sequence: Rises with each event of this run of the daemon.
  ///   - revision: The revision at which it holds.
  ///   - table: The table's id.
  ///   - by: Whose request caused it.
  ///   - what: What happened.
  public init(sequence: UInt64, revision: UInt64, table: UInt64, by: Holder?, what: What) {
    self.sequence = sequence
    self.revision = revision
    self.table = table
    self.by = by
    self.what = what
  }
}

extension TableEditing {
  /// The flag and what hangs on it.
  var flag: LiveEvent.Flag {
    LiveEvent.Flag(
      isEditing: isEditing, title: title, mode: mode, holders: holders, exclusive: exclusive)
  }
}

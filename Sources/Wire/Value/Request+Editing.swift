/// Requests about editing (SPEC 6).
public enum EditingRequest: Equatable, Sendable {
  case set(SetEditingRequest)
  case toggle(table: TableReference, expected: Bool?, animated: Bool)
  /// A new row's cells stand in the decoder's `BatchBuffer`.
  case commit(CommitEditingRequest)
  case swipe(SwipeRequest)
  /// The minus control's button.
  case confirm(SwipeRequest)
  case drag(DragRequest)
  case select(SelectRequest)
  case draft(DraftRequest)
  case takeLease(name: String?, seconds: UInt64?)
  case endLease(id: UInt64?, name: String?)
  /// What a node of a header or footer shows.
  case viewNode(SetViewNodeRequest)
  case listLeases
  case state(TableReference)
  case policies(TableReference, section: NamedSection, rows: [RowReference])

  /// Whether it can change something (contract K5).
  public var isMutating: Bool {
    switch self {
    case .listLeases, .state, .policies: false
    default: true
    }
  }
}

/// Sets a table's editing flag.
public struct SetEditingRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The flag.
  public var on: Bool
  /// A hint for those who show it.
  public var animated: Bool
  /// Whether others are to be kept out; `nil`: as it is.
  public var exclusive: Bool?
  /// Whether another's exclusive holding is to be broken.
  public var breaksHold: Bool
}

/// UIKit's commit of a row's control.
public struct CommitEditingRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The row.
  public var row: RowReference
  /// The control: the value of hp.v1.EditingStyle.
  public var style: UInt8?
  /// How it should be shown.
  public var animation: Animation?
  /// What a path means.
  public var basis: Basis
}

/// Opens, uses or closes a delete button.
public struct SwipeRequest: Equatable, Sendable {
  /// The steps; the values are those of hp.v1.Swipe.Step and hp.v1.Confirm.Step.
  public enum Step: UInt32, Sendable {
    case open = 1
    case confirm
    case cancel
  }

  /// The table.
  public var table: TableReference
  /// The step; `nil`: none given.
  public var step: Step?
  /// The row.
  public var row: RowReference
  /// Whether the swipe came from the leading edge.
  public var isLeading: Bool
  /// What a path means.
  public var basis: Basis
  /// How the deletion should be shown.
  public var animation: Animation?
}

/// A step of a drag.
public struct DragRequest: Equatable, Sendable {
  /// The steps; the values are those of hp.v1.Drag.Step.
  public enum Step: UInt32, Sendable {
    case begin = 1
    case hover
    case drop
    case cancel
  }

  /// The table.
  public var table: TableReference
  /// The step; `nil`: none given.
  public var step: Step?
  /// The row.
  public var row: RowReference
  /// The proposed path.
  public var target: IndexPath?
  /// What a path means.
  public var basis: Basis
}

/// Changes a holder's selection.
public struct SelectRequest: Equatable, Sendable {
  /// The table.
  public var table: TableReference
  /// The rows.
  public var rows: [RowReference]
  /// Whether they are selected or deselected.
  public var on: Bool
  /// Whether all others are deselected.
  public var clearsOthers: Bool
  /// What paths mean.
  public var basis: Basis
}

/// A step of the editing of a cell.
public struct DraftRequest: Equatable, Sendable {
  /// The steps; the values are those of hp.v1.Draft.Step.
  public enum Step: UInt32, Sendable {
    case begin = 1
    case text
    case end
    case discard
  }

  /// The table.
  public var table: TableReference
  /// The step; `nil`: none given.
  public var step: Step?
  /// The row's id.
  public var row: UInt64?
  /// The column's name.
  public var column: String?
  /// The text.
  public var text: String?
  /// Whether it ends in any case.
  public var force: Bool
}

/// What one batch means for all windows of its table: worked out once, looked at for each.
struct WindowPass {
  /// Rows that the batch moved, as far as windows may hold them.
  var named: Set<UInt32> = []
  /// Rows that are told because they changed or were reloaded; `nil`: so many that each row of a
  /// window is looked up instead.
  var told: [UInt32]? = []
  /// Whether rows or sections came, went or moved at all.
  var hasOtherPlaces = true
}

/// What windows of a table may cost in one turn of the daemon; beyond it they are told whole later
/// (contracts F3, F10).
struct WindowBudget {
  /// Rows of windows that are compared.
  static let rows = 4 << 20
  /// Bytes of rows that are told.
  static let bytes = 2 << 20
  /// A row that is looked up costs as many that are compared.
  static let lookup = 16

  var rows = 0
  var bytes = 0

  var isSpent: Bool { rows >= WindowBudget.rows || bytes >= WindowBudget.bytes }
}

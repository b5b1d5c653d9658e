internal import hpclient

extension RowLimits {
  /// Takes what the daemon's hello told; its promise stands for what it did not.
  init(_ told: hp_limits) {
    if told.text > 0 { text = Int(clamping: told.text) }
    if told.row > 0 { row = Int(clamping: told.row) }
    if told.title > 0 { title = Int(clamping: told.title) }
  }
}

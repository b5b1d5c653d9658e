extension EditingBoard {
  /// Tells that what a view shows has changed; the view itself is kept elsewhere (contract K3).
  ///
  /// - Parameters:
  ///   - content: Fields 24 and on of hp.v1.LiveEvent: the node as it is now, and its place.
  ///   - table: The table whose header or footer it is.
  ///   - holder: Whose request caused it.
  public mutating func tellView(_ content: [UInt8], table: UInt64, by holder: Holder?) {
    emit(.viewChanged(content: content), table: table, by: holder)
  }
}

extension HeaderFooter {
  /// The height of a title where none is given (semantics 2.8).
  public static let titleHeight = 28.0

  /// Whether it is there: it has a view or a title, and its height is not 0.
  public var isPresent: Bool { (view != nil || title != nil) && height != 0 }

  /// How high it is.
  ///
  /// - Parameter frame: The height of its view's frame, if it has a view with a frame.
  /// - Returns: Points; 0 where it is not present.
  public func shownHeight(frame: Double?) -> Double {
    guard isPresent else { return 0 }
    if let height { return height }
    return view == nil ? HeaderFooter.titleHeight : frame ?? HeaderFooter.titleHeight
  }
}

internal import Nib
internal import TableService

/// The views of headers and footers: loaded at the first need, live from then on (contract K3).
///
/// A view stays, with its nodes' ids, while its header says the same.
final class HeaderViews {
  /// Where a view is shown.
  struct Place: Hashable {
    var table: UInt64
    /// 0: the table's own.
    var section: UInt64
    var isFooter: Bool
  }

  /// A view that is shown.
  struct Shown {
    /// The header as it was set.
    var value: [UInt8]
    var nib: LoadedNib
    /// How often its nib was loaded.
    var loads: UInt64
  }

  /// The nodes of all views together.
  static let limit = 100_000

  private(set) var shown: [Place: Shown] = [:]
  /// Which view a node belongs to: by the first id of each, rising.
  private var ranges: [(first: UInt64, last: UInt64, place: Place)] = []
  private(set) var nodeCount = 0

  /// The view of a header that says this, if it is loaded.
  func view(at place: Place, value: [UInt8]) -> Shown? {
    guard let view = shown[place], view.value == value else { return nil }
    return view
  }

  /// Keeps a view that was loaded, instead of the one before it.
  func keep(_ nib: LoadedNib, at place: Place, value: [UInt8]) -> Shown {
    let before = forget(place)
    let view = Shown(
      value: value, nib: nib, loads: before?.value == value ? (before?.loads ?? 0) + 1 : 1)
    shown[place] = view
    nodeCount += nib.nodes.count
    if let first = nib.nodes.first?.id, let last = nib.nodes.last?.id {
      ranges.append((first, last, place))
    }
    return view
  }

  /// Where a node is shown.
  ///
  /// - Parameter node: The node's id.
  /// - Returns: Its place, or `nil`.
  /// - Complexity: O(log *n*) in the number of views.
  func place(of node: UInt64) -> Place? {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].last < node { low = middle + 1 } else { high = middle }
    }
    guard low < ranges.count, ranges[low].first <= node else { return nil }
    let place = ranges[low].place
    return shown[place]?.nib.index(of: node) == nil ? nil : place
  }

  /// Changes a node in place.
  ///
  /// - Returns: The node as it is now and whether it is another, or `nil` where it is not shown.
  func change(
    _ node: UInt64, _ body: (inout ViewNode) -> Void
  ) -> (node: ViewNode, isChanged: Bool)? {
    guard let place = place(of: node), let index = shown[place]?.nib.index(of: node),
      var changed = shown[place]?.nib.nodes[index]
    else { return nil }
    let before = changed
    body(&changed)
    shown[place]?.nib.nodes[index] = changed
    return (changed, changed != before)
  }

  /// Forgets views that are not shown any more.
  func sweep(_ isShown: (Place, [UInt8]) -> Bool) {
    for (place, view) in shown where !isShown(place, view.value) { forget(place) }
  }

  @discardableResult
  private func forget(_ place: Place) -> Shown? {
    guard let view = shown.removeValue(forKey: place) else { return nil }
    nodeCount -= view.nib.nodes.count
    ranges.removeAll { $0.place == place }
    return view
  }
}

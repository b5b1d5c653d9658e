/// The objects that one load has made (semantics 2.9).
public struct LoadedNib: Equatable, Sendable {
  /// The file that they came from, within the bundle; `nil`: a view without a file.
  public var file: String?
  /// The objects that are alive, parents first.
  public var nodes: [ViewNode]
  /// All objects at the top that were made, in the file's order, also those that are gone.
  public var topLevel: [UInt64]
  /// Those of them that no outlet keeps; with an owner they are gone.
  public var dropped: [UInt64] = []
  /// The owner's outlets, set.
  public var ownerOutlets: [ViewOutlet]
  /// Files that were looked for, in order; the last one was there, if `file` is set.
  public var tried: [String] = []
  /// What looks wrong and does no harm, for people.
  public var warnings: [String] = []

  /// What an outlet of the owner leads to.
  ///
  /// - Parameter property: The outlet's name.
  /// - Returns: The node's id, or `nil` where it was not set.
  public func outlet(_ property: String) -> UInt64? {
    for outlet in ownerOutlets where outlet.property == property {
      if case .node(let id) = outlet.target { return id }
    }
    return nil
  }

  /// A node by its id.
  ///
  /// - Parameter id: The id.
  /// - Returns: Its place in `nodes`, or `nil`.
  /// - Complexity: O(log *n*).
  public func index(of id: UInt64) -> Int? {
    var low = 0
    var high = nodes.count
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < nodes.count && nodes[low].id == id ? low : nil
  }

  /// A node as it can be seen: hidden where anything is that it lies in.
  ///
  /// - Parameter id: The node's id.
  /// - Returns: The node, or `nil`.
  /// - Complexity: O(*d* log *n*) for a node *d* levels deep.
  public func shownNode(_ id: UInt64) -> ViewNode? {
    guard let index = index(of: id) else { return nil }
    var node = nodes[index]
    var above = node.parent
    while !node.isHidden, let parent = above.flatMap({ self.index(of: $0) }) {
      node.isHidden = nodes[parent].isHidden
      above = nodes[parent].parent
    }
    return node
  }
}

/// Whole roots at once.
extension OrderIndex {
  /// Fills an empty root, outside a batch.
  ///
  /// - Parameters:
  ///   - elements: Its elements in order; none may stand in the order yet.
  ///   - labels: A label for each, rising; empty for an index without labels.
  ///   - root: An empty root.
  /// - Complexity: O(*n*).
  func load(_ elements: [UInt32], labels: [Int64], into root: UInt32) {
    check(root)
    precondition(!isOpen, "a batch is open")
    precondition(roots[Int(root)].node == OrderMark.none, "root is not empty")
    precondition(labels.count == (labelled ? elements.count : 0), "a label for each element")
    guard !elements.isEmpty else { return }
    var nodes: ContiguousArray<UInt32> = []
    let fill = OrderLeaf.capacity - OrderIndex.edge
    nodes.reserveCapacity(elements.count / fill + 1)
    var start = 0
    while start < elements.count {
      let end = min(start + fill, elements.count)
      let id = makeLeaf()
      let leaf = leaf(id)
      for index in start..<end {
        let element = elements[index]
        reservePlace(element)
        precondition(place(element) == OrderMark.none, "element is in the order already")
        leaf[index - start] = element
        setPlace(element, id)
        if labelled {
          precondition(index == 0 || labels[index] > labels[index - 1], "labels don't rise")
          setLabel(element, labels[index])
        }
      }
      leaf.count = end - start
      recount(leaf)
      nodes.append(id)
      start = end
    }
    while nodes.count > 1 { raise(&nodes) }
    setParent(of: nodes[0], root | OrderMark.root)
    roots[Int(root)].node = nodes[0]
    roots[Int(root)].counts = counts(of: nodes[0])
  }

  /// Hangs nodes below as few inner nodes as leave room for growth.
  private func raise(_ nodes: inout ContiguousArray<UInt32>) {
    var above: ContiguousArray<UInt32> = []
    let fill = OrderInner.capacity - 2
    var start = 0
    while start < nodes.count {
      let end = min(start + fill, nodes.count)
      let id = makeInner()
      let inner = inner(id)
      for index in start..<end {
        inner.insert(nodes[index], counts(of: nodes[index]), at: index - start)
        setParent(of: nodes[index], id)
      }
      above.append(id)
      start = end
    }
    nodes = above
  }

  /// Takes all elements out of a root, outside a batch.
  func clearRoot(_ root: UInt32) {
    precondition(!isOpen, "a batch is open")
    let node = roots[Int(root)].node
    if node != OrderMark.none { free(below: node) }
    roots[Int(root)].node = OrderMark.none
    roots[Int(root)].counts = OrderCounts()
  }

  private func free(below node: UInt32) {
    if node & OrderMark.inner != 0 {
      let inner = inner(node)
      for index in 0..<inner.count { free(below: inner.child(index)) }
      freeInner(node)
      return
    }
    let leaf = leaf(node)
    touch(node, leaf)
    for index in 0..<leaf.count { setPlace(leaf[index], OrderMark.none) }
    freeLeaf(node)
  }
}

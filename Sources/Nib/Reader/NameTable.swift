/// What the names of a document mean, by their addresses: each is looked up as text only once.
struct NameTable {
  /// What is known of a name.
  struct Known {
    let text: String
    let element: NibElement
    let attribute: NibAttribute?
    let className: String
  }

  private(set) var known: [Known] = []
  /// An open table: an address, 0 where there is none, and its place in `known`.
  private var slots: [(address: UInt, place: Int)]

  init() { slots = Array(repeating: (0, 0), count: 256) }

  /// The place of a name in `known`.
  ///
  /// - Parameter name: The name.
  /// - Returns: Its place; it is made at the first time.
  /// - Complexity: O(1).
  mutating func place(_ name: XMLName) -> Int {
    var slot = first(name.address)
    while slots[slot].address != 0 {
      if slots[slot].address == name.address { return slots[slot].place }
      slot = (slot + 1) & (slots.count - 1)
    }
    let text = name.text
    known.append(
      Known(
        text: text, element: NibElement(name: text), attribute: NibAttribute(rawValue: text),
        className: NibElement.className(text)))
    slots[slot] = (name.address, known.count - 1)
    if known.count * 2 > slots.count { grow() }
    return known.count - 1
  }

  private func first(_ address: UInt) -> Int {
    Int(truncatingIfNeeded: address &* 0x9e37_79b9_7f4a_7c15 >> 32) & (slots.count - 1)
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: (0, 0), count: old.count * 2)
    for entry in old where entry.address != 0 {
      var slot = first(entry.address)
      while slots[slot].address != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}

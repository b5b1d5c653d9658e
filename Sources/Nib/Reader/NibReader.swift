/// Reads a .xib file of the form since Xcode 5 into a `NibDocument` (semantics 4).
///
/// It takes the file's elements one after the other, keeps objects in a flat list, parents first,
/// and follows connections once all objects are there.
final class NibReader {
  /// Where the reader stands: one for each element that is open.
  struct Scope {
    enum Kind {
      case document
      case objects
      case object
      case container
      case connections
      case constraints
      case state
      case text
      /// Known, and without content.
      case leaf
      /// Not read; ids in it are known all the same, because connections may lead there.
      case skipped
      /// Not read, and outside the objects.
      case ignored
    }

    var kind: Kind
    /// The object that it belongs to: an index in `nodes`, or a place-holder's number.
    var object = 0
    /// A container's key, a state's name, a text's place.
    var key: String?
  }

  /// What an id stands for besides an index in `nodes`.
  enum Place {
    static let owner = -1
    static let firstResponder = -2
    static let application = -3
    /// A place-holder of another kind, or an object that is not loaded.
    static let elsewhere = -4
  }

  /// A connection that waits for all objects to be there.
  struct Connection {
    enum Kind {
      case outlet
      case member
      case action
    }

    var kind: Kind
    var source: Int
    var name: String
    var destination: String
    var event: String?
    var line: Int
  }

  /// A constraint whose items wait for all objects to be there.
  struct PendingConstraint {
    var object: Int
    var constraint: ViewConstraint
    var first: String?
    var second: String?
    var line: Int
  }

  var scopes: [Scope] = []
  var nodes: [ViewNode] = []
  var topLevel: [UInt64] = []
  var ids: [String: Int] = [
    "-1": Place.owner, "-2": Place.firstResponder, "-3": Place.application,
  ]
  /// The place-holders that the file has, by their bits.
  var placeholders = 0
  var ownerClass: String?
  var ownerOutlets: [ViewOutlet] = []
  var connections: [Connection] = []
  var constraints: [PendingConstraint] = []
  var warnings: [String] = []
  var hasObjects = false
  var collected: [UInt8] = []
  var isBase64 = false
  private var names = NameTable()

  /// Reads a file.
  ///
  /// - Parameter bytes: All of it.
  /// - Returns: What it holds.
  /// - Throws: `legacy` or `malformed`, with the line.
  /// - Complexity: O(*n*) in the number of bytes.
  static func read(_ bytes: [UInt8]) throws(NibFault) -> NibDocument {
    guard bytes.count <= NibLimits.bytes else {
      throw NibFault(
        .malformed, "the file is too large", value: "\(bytes.count)",
        expected: "at most \(NibLimits.bytes) bytes")
    }
    try begin(bytes)
    let reader = NibReader()
    reader.reserve(bytes.count)
    try XMLDocument.read(bytes, reader)
    return try reader.finish()
  }

  /// Refuses what libxml2 would take for another encoding by its first bytes.
  private static func begin(_ bytes: [UInt8]) throws(NibFault) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let start = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    guard let first = start.first, [0x09, 0x0a, 0x0d, 0x20, UInt8(ascii: "<")].contains(first),
      !start.prefix(4).contains(0)
    else {
      throw NibFault(.malformed, "the file is no XML", line: 1, expected: "XML in UTF-8")
    }
  }

  /// Makes room for what a file of this size usually holds.
  private func reserve(_ bytes: Int) {
    let objects = min(bytes / 400, NibLimits.objects)
    nodes.reserveCapacity(objects)
    connections.reserveCapacity(objects)
    ids.reserveCapacity(objects * 2)
  }

  /// What is known of a name.
  private func known(_ name: XMLName) -> NameTable.Known {
    let place = names.place(name)
    return names.known[place]
  }

  /// What an element's name means.
  func element(_ name: XMLName) -> NibElement { known(name).element }

  /// What an attribute's name means; `nil`: nothing.
  func attribute(_ name: XMLName) -> NibAttribute? { known(name).attribute }

  /// A name as text.
  func text(_ name: XMLName) -> String { known(name).text }

  /// The class of the objects that an element stands for.
  func className(_ name: XMLName) -> String { known(name).className }

  /// Takes the begin of an element.
  func start(_ name: XMLName, _ attributes: XMLAttributes, line: Int) throws(NibFault) {
    guard scopes.count < NibLimits.depth else {
      throw NibFault(
        .malformed, "elements stand too deep in each other", line: line,
        expected: "at most \(NibLimits.depth) levels")
    }
    let element = element(name)
    guard let scope = scopes.last else {
      return try root(element, attributes, line: line)
    }
    switch scope.kind {
    case .document:
      hasObjects = hasObjects || element == .objects
      scopes.append(Scope(kind: element == .objects ? .objects : .ignored))
    case .objects, .container: try member(name, element, attributes, scope, line: line)
    case .object: try part(name, element, attributes, scope, line: line)
    case .connections: try connection(element, attributes, scope, line: line)
    case .constraints: try constraint(element, attributes, scope, line: line)
    case .state: try statePart(element, attributes, scope, line: line)
    case .skipped, .text, .leaf: try skip(attributes, line: line)
    case .ignored: scopes.append(Scope(kind: .ignored))
    }
  }

  /// Takes the end of an element.
  func end(line: Int) throws(NibFault) {
    guard let scope = scopes.popLast(), scope.kind == .text else { return }
    try endText(scope, line: line)
  }

  /// Takes text.
  func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard scopes.last?.kind == .text else { return }
    // Safe: the bytes live for the call.
    unsafe collected.append(contentsOf: bytes)
  }

  private func root(
    _ element: NibElement, _ attributes: XMLAttributes, line: Int
  ) throws(NibFault) {
    if element == .archive {
      throw NibFault(
        .legacy, "the file has the form that was used before Xcode 5", line: line,
        value: "archive", expected: "a document of Xcode 5 or later: open it there and save it")
    }
    guard element == .document else {
      throw NibFault(
        .malformed, "the file is no .xib document", line: line, expected: "the element document")
    }
    let type = try value(.type, attributes, line: line)
    guard type == NibDocument.type else {
      throw NibFault(
        .malformed, "the file is a document of another type", line: line, value: type,
        expected: NibDocument.type)
    }
    scopes.append(Scope(kind: .document))
  }

  /// Leaves an element out, with all that is in it.
  func skip(_ attributes: XMLAttributes, line: Int) throws(NibFault) {
    if let id = try value(.id, attributes, line: line) {
      try register(id, Place.elsewhere, line: line)
    }
    scopes.append(Scope(kind: .skipped))
  }

  /// Gives an id its meaning.
  func register(_ id: String, _ place: Int, line: Int) throws(NibFault) {
    guard ids.updateValue(place, forKey: id) == nil else {
      throw NibFault(
        .malformed, "an id stands twice in the file", line: line, value: id,
        expected: "an id of its own for each object")
    }
  }

  /// The value of one attribute.
  func value(
    _ wanted: NibAttribute, _ attributes: XMLAttributes, line: Int
  ) throws(NibFault) -> String? {
    for index in 0..<attributes.count
    where attribute(attributes.name(index)) == wanted {
      return try value(index, attributes, line: line)
    }
    return nil
  }

  /// The value of an attribute by its place.
  func value(
    _ index: Int, _ attributes: XMLAttributes, line: Int
  ) throws(NibFault) -> String {
    guard let value = attributes.value(index) else {
      throw NibFault(.malformed, "an attribute is not UTF-8", line: line, expected: "UTF-8")
    }
    return value
  }

  /// Keeps a note for people.
  func warn(_ text: String, line: Int) {
    if warnings.count < 20 { warnings.append("line \(line): \(text.shortened)") }
  }
}

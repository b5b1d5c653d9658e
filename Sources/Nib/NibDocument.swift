/// What a .xib file holds (semantics 4).
///
/// Ids in it count the objects from 1, in the file's order; parents stand before what is in them.
public struct NibDocument: Equatable, Sendable {
  /// The type that a document of the form since Xcode 5 has.
  public static let type = "com.apple.InterfaceBuilder3.CocoaTouch.XIB"

  /// All objects, without place-holders.
  public let nodes: [ViewNode]
  /// The objects at the top, without place-holders.
  public let topLevel: [UInt64]
  /// The class that the file's owner should have.
  public let ownerClass: String?
  /// What the owner refers to.
  public let ownerOutlets: [ViewOutlet]
  /// What looks wrong and does no harm, for people.
  public let warnings: [String]

  /// Reads a file.
  ///
  /// - Parameter bytes: All of it.
  /// - Throws: `legacy` or `malformed`, with the line; the file's name is not known here.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(_ bytes: [UInt8]) throws(NibFault) { self = try NibReader.read(bytes) }

  init(
    nodes: [ViewNode], topLevel: [UInt64], ownerClass: String?, ownerOutlets: [ViewOutlet],
    warnings: [String]
  ) {
    self.nodes = nodes
    self.topLevel = topLevel
    self.ownerClass = ownerClass
    self.ownerOutlets = ownerOutlets
    self.warnings = warnings
  }
}

internal import Coding

/// The last line of a section that is not a row: "No more items!" (contract E11).
public struct Sentinel: Equatable, Sendable {
  /// What it says.
  public var text: String?
  /// Its height in points; `nil` is automatic.
  public var height: Double?

  /// Describes a sentinel.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - height: Its height in points.
  public init(text: String?, height: Double?) {
    self.text = text
    self.height = height
  }

  /// The canonical hp.v1.Sentinel.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    if let text { bytes.appendField(1, text: text) }
    if let height { bytes.appendField(2, double: height) }
    return bytes
  }
}

public import Coding

/// A header or footer, of a section or of the whole table (SPEC 2).
public struct HeaderFooter: Equatable, Sendable {
  /// Its text.
  public var title: String?
  /// The name of a view in the bundle.
  public var view: String?
  /// Its height in points; `nil` is automatic, 0 hides it.
  public var height: Double?

  /// The class that owns the view.
  public var owner: String?
  /// The language of the view.
  public var language: String?

  /// Makes a header or footer.
  ///
  /// - Parameters:
  ///   - title: Its text.
  ///   - view: The name of a view in the bundle.
  ///   - height: Its height in points; `nil` is automatic.
  ///   - owner: The class that owns the view.
  ///   - language: The language of the view.
  public init(
    title: String? = nil, view: String? = nil, height: Double? = nil, owner: String? = nil,
    language: String? = nil
  ) {
    self.title = title
    self.view = view
    self.height = height
    self.owner = owner
    self.language = language
  }

  /// The canonical hp.v1.HeaderFooter.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    if let title { bytes.appendField(1, text: title) }
    if let view { bytes.appendField(2, text: view) }
    if let height { bytes.appendField(3, double: height) }
    if let owner { bytes.appendField(4, text: owner) }
    if let language { bytes.appendField(5, text: language) }
    return bytes
  }

  /// Reads hp.v1.HeaderFooter.
  ///
  /// - Parameter bytes: The whole message.
  /// - Throws: Any `CodingFault`.
  public init(_ bytes: [UInt8]) throws(CodingFault) {
    var reader = FieldReader(0..<bytes.count)
    while let field = try reader.next(in: bytes.span) {
      switch field.number {
      case 1: title = try bytes.span.text(field.range)
      case 2: view = try bytes.span.text(field.range)
      case 3: height = Double(bitPattern: field.value)
      case 4: owner = try bytes.span.text(field.range)
      case 5: language = try bytes.span.text(field.range)
      default: break
      }
    }
  }

  /// The greatest height in points: as far as a rectangle of the bundle reaches.
  static let greatestHeight = 1e7

  /// What is wrong with it, or `nil`.
  var fault: TableFault? {
    for text in [title, view, owner, language] {
      guard let text else { continue }
      if text.utf8.count > TableLimits.title {
        return TableFault(.textTooLong, expected: "at most \(TableLimits.title) bytes")
      }
      if text.utf8.contains(0) { return TableFault(.badText, expected: "no NUL") }
    }
    if let height, !(height >= 0 && height <= HeaderFooter.greatestHeight) {
      return TableFault(
        .badValue, value: "\(height)",
        expected: "a height of 0 or more, at most \(Int(HeaderFooter.greatestHeight)) points")
    }
    return nil
  }
}

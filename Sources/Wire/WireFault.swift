/// What is wrong with bytes from a peer, and where.
public struct WireFault: Error, Equatable, Sendable {
  /// The kinds of fault.
  public enum Reason: UInt8, CaseIterable, Sendable {
    // The stream can't be read on.
    case badLength = 1
    case oversized

    // The frame is whole, but what stands in it is not a message.
    case truncated
    case badVarint
    case badTag
    case badWireType
    case wrongWireType
    case tooWide
    case notInEnum
    case badText
    case innerNul
    case textTooLong
    case setTwice
    case choiceTwice
    case tooManyElements
    case outOfMemory

    // The message is sound, but is no request.
    case missingID
    case badKey
    case unknownField
    case missingColumn
    case columnTwice
    case tooManyFeatures
  }

  /// What is wrong.
  public var reason: Reason
  /// The byte at fault, counted from the first byte after the frame's length.
  public var offset: Int
  /// The number of the field at fault; 0: none.
  public var field: UInt32
  /// The id of the request; 0: it can't be read.
  public var request: UInt64
  /// The operation of a batch in which the fault lies.
  public var operation: Int?

  /// Names a fault.
  ///
  /// - Parameters:
  ///   - reason: What is wrong.
  ///   - offset: The byte at fault.
  ///   - field: The number of the field at fault.
  ///   - request: The id of the request.
  ///   - operation: The operation of a batch.
  public init(
    _ reason: Reason, offset: Int, field: UInt32 = 0, request: UInt64 = 0, operation: Int? = nil
  ) {
    self.reason = reason
    self.offset = offset
    self.field = field
    self.request = request
    self.operation = operation
  }

  /// Whether the end of the frame is unknown, so that only a goodbye can answer.
  public var endsConnection: Bool { reason == .badLength || reason == .oversized }
}

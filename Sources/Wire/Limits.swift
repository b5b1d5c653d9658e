/// Every limit of the wire, in one place (SPEC 9, contract S8).
///
/// All of them are judged before memory is taken, and stated in the hello reply.
public enum Limits {
  /// The longest frame a client may send, in bytes after the length.
  public static let frameUp = 1 << 20
  /// The longest frame the daemon sends; anything larger travels in parts (contract K2).
  public static let frameDown = 4 << 20
  /// The longest text or byte field of a request, in bytes.
  public static let text = 64 << 10
  /// How deep messages may stand in each other; the schema itself stays below it.
  public static let depth = 16
  /// Messages, list members and unknown fields in one frame (contract S8).
  public static let elements = 200_000
  /// The longest encoded row, in bytes.
  public static let row = 512 << 10
  /// Columns of a table.
  public static let columns = 256
  /// Sections of a table.
  public static let sections = 100_000
  /// The longest section title, in bytes.
  public static let title = 4 << 10
  /// The longest idempotency key, in bytes.
  public static let key = 64
  /// The longest client name and actor in a hello, in bytes.
  public static let name = 255
  /// Features in a hello.
  public static let features = 64
  /// Subscriptions of a connection.
  public static let subscriptions = 1024
  /// Requests of a connection that wait for their reply.
  public static let requestsInFlight = 1024
  /// Nodes of a filter (contract S7).
  public static let filterNodes = 256
  /// The greatest id, revision, index or count: JSON tools keep it exact (contract K9).
  public static let greatestNumber: UInt64 = (1 << 53) - 1
  /// Memory that one frame may take while it is unpacked, in bytes.
  static let unpackMemory = 64 << 20
  /// Memory that an empty receive queue keeps: thousands of connections are idle at a time.
  static let keptInput = 4 << 10
  /// Memory that buffers keep from one frame to the next, in bytes.
  static let keptMemory = 64 << 10
}

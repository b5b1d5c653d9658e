/// Spans of time in microseconds, in one place (lessons: lists of limits drift apart).
enum Timeouts {
  /// From the connection to a whole hello.
  static let hello: Int64 = 5_000_000
  /// From the first byte of a frame to its last.
  static let frame: Int64 = 10_000_000
  /// How long a request may wait for `at_least`.
  static let waiting: Int64 = 10_000_000
  /// How long an upload may wait for its next part, or for its end.
  static let upload: Int64 = 60_000_000
  /// Between progress marks of a quiet subscription (contract F6).
  static let progress: Int64 = 1_000_000
  /// For how long a snapshot may stand still before it is given up (contract F4).
  static let snapshot: Int64 = 30_000_000
  /// For how long a view is kept for the next page.
  static let page: Int64 = 30_000_000
  /// Between heartbeats of a subscription that asked for them (contract F6).
  static let heartbeat: Int64 = 30_000_000
  /// From a goodbye to the end of the connection, where the client does not read it.
  static let goodbye: Int64 = 10_000_000
  /// The same at the end of the daemon.
  static let leaving: Int64 = 2_000_000
  /// For how long a goodbye's reason can be asked for (contract F7).
  static let goodbyeMemory: Int64 = 600_000_000
  /// Between attempts to take connections where the system refuses even the spare descriptor.
  static let acceptRetry: Int64 = 1_000_000
  /// Between attempts to open a failed store again.
  static let storeRetry: Int64 = 1_000_000
}

/// What the world adds to a batch: everything that an outcome depends on besides the table.
public struct ChangeContext: Sendable {
  /// The store's epoch.
  public var epoch: UInt64
  /// The revision that the change gets, above the store's newest.
  public var revision: UInt64
  /// The store's newest revision.
  public var newest: UInt64
  /// Wall time in microseconds, one for all that the batch makes (contract S4).
  public var time: Int64
  /// Who asks, from the kernel (contract K10).
  public var uid: UInt64
  /// Who asks, as they call themselves.
  public var actor: String
  /// The client's id.
  public var client: UInt64
  /// The id of the request's frame.
  public var request: UInt64
  /// The step that the change takes back; 0: none (contract E9).
  public var undoes: UInt64 = 0
  /// The step that the change makes again; 0: none.
  public var redoes: UInt64 = 0
  /// What the user did, where it was more than a batch; a word of hp.v1.Change.
  public var cause: String?
  /// The row whose control it was; 0: none.
  public var causeRow: UInt64 = 0

  /// Describes the world.
  ///
  /// - Parameters:
  ///   - epoch: The store's epoch.
  ///   - revision: The revision that the change gets.
  ///   - time: Wall time in microseconds.
  ///   - uid: Who asks, from the kernel.
  ///   - actor: Who asks, as they call themselves.
  ///   - client: The client's id.
  ///   - request: The id of the request's frame.
  public init(
    epoch: UInt64, revision: UInt64, time: Int64, uid: UInt64, actor: String, client: UInt64,
    request: UInt64
  ) {
    self.epoch = epoch
    self.revision = revision
    newest = revision - 1
    self.time = time
    self.uid = uid
    self.actor = actor
    self.client = client
    self.request = request
  }
}

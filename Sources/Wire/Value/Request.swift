/// A client's frame.
public struct Request: Equatable, Sendable {
  /// What the reply will name.
  public var id: UInt64
  /// The idempotency key (contract E5).
  public var key: Key?
  /// Reads: the earliest state to answer from (contract K5).
  public var atLeast: Cursor?
  /// The lease under which it acts.
  public var lease: UInt64?
  /// The table has not changed since (contract E1).
  public var expect: Cursor?
  /// What is asked.
  public var body: RequestBody

  /// An idempotency key and what it stands for.
  public struct Key: Equatable, Sendable {
    /// The key's text: 1 to 64 bytes.
    public var text: String
    /// Until when the outcome has to be kept, on the store's running clock, in microseconds.
    public var retryUntil: Int64?
    /// Of the request's bytes without id, `retry_until` and `at_least`.
    public var hash: KeyHash
  }
}

/// What a request asks.
///
/// A batch's content stands in the decoder's `BatchBuffer`.
public enum RequestBody: Equatable, Sendable {
  case hello(ClientHello)
  case ping([UInt8])
  case info
  case barrier(BarrierRequest)
  case subscribe(SubscribeRequest)
  case unsubscribe(UInt64)
  /// A window's subscription, and what it is to look at.
  case moveWindow(UInt64, WindowRequest)
  case listTables
  case describeTable(TableReference)
  case getRows(TableReference, ids: IDList)
  case listRows(ListRowsRequest)
  case locateRow(TableReference, row: UInt64)
  case countRows(CountRowsRequest)
  case findRows(FindRowsRequest)
  case sumColumn(SumColumnRequest)
  case batch
  case createTable(CreateTableRequest)
  case renameTable(TableReference, name: String?)
  case dropTable(TableReference)
  case newItem(NewItemRequest)
  case undo(StepRequest)
  case redo(StepRequest)
  case restoreRow(RestoreRowRequest)
  case history(HistoryRequest)
  case rowHistory(RowHistoryRequest)
  case upload(UploadRequest)
  case scene(SceneRequest)
  case editing(EditingRequest)
  case reloadData(TableReference)
  case loadNib(LoadNibRequest)
  case getHeader(GetHeaderRequest)
  case transferRows(TransferRequest)
  case listClients
  case killClient(UInt64)
  case setLogLevel(String?)
  /// A request of the schema that this version does not serve.
  case unsupported(RequestKind)
  /// None that is known: the first field number above 15 that is not, or 0.
  case unknown(UInt32)
}

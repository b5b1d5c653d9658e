internal import CHPSystem
internal import TableService
internal import Wire

/// A change that may take more than one turn, and whom it is for (contract F10).
final class LongJob {
  /// How long it goes on in one turn, in microseconds.
  static let slice: Int64 = 5_000
  /// Rows of a table above which operations on many rows are.
  static let rows = 20_000
  /// Revisions above which carrying a batch over them is.
  static let revisions: UInt64 = 1_000

  /// What came of it.
  enum Result {
    case outcome(Outcome)
    /// The request was carried out before.
    case replayed(KeptOutcome)
    case refused(ErrorReply)
  }

  let session: Session
  let request: Request
  /// Where the batch comes from, if it came in parts.
  let upload: Upload?
  let decoder = RequestDecoder()
  let batch = Batch()
  let breath: Breath
  private(set) var fiber = Fiber {}
  private var sliceEnd: Int64 = 0
  /// The turn in which it went on last.
  private(set) var turn: Int64 = 0
  var result: Result?
  var isTold = false
  /// Whether the request stands at the front of its connection's input until it is told.
  var isHeld = false
  /// The key of a batch that came in parts.
  var key: RequestKey?
  /// What is wrong with a part of the batch.
  var fault: ErrorReply?

  init(_ session: Session, _ request: Request, _ upload: Upload?) {
    self.session = session
    self.request = request
    self.upload = upload
    var pause: () -> Void = {}
    var isDue: () -> Bool = { true }
    breath = Breath {
      isDue()
    } pause: {
      pause()
    }
    isDue = { [unowned self] in self.isDue }
    pause = { [unowned self] in self.pause() }
  }

  /// Takes the work; it begins with the first `goOn`.
  func begin(_ work: @escaping () -> Void) { fiber = Fiber(work) }

  /// Goes on for a slice.
  ///
  /// - Parameter turn: When the turn began.
  func goOn(turn: Int64) {
    self.turn = turn
    sliceEnd = hp_monotonic_us() + LongJob.slice
    fiber.resume()
  }

  /// Called by the work: lets the loop go on if the slice is used up, or to commit the change.
  func pause() {
    if isDue { fiber.pause() }
  }

  private var isDue: Bool { result != nil && !isTold || hp_monotonic_us() >= sliceEnd }
}

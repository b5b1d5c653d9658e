internal import CHPSystem
internal import Glibc
internal import Nib
internal import Scenes
internal import TableService
internal import Wire

/// The daemon: one thread that owns the tables and serves every client (Docs/architecture.md).
///
/// A turn waits for events, handles what came, commits all of it at once, and only then sends
/// replies and events (SPEC 8).
final class Daemon {
  let options: Options
  var log: Log
  let service: Service
  let storePath: String
  let epoll: Epoll
  let listener: Listener
  let signals: Descriptor
  let feed = Feed()
  let editing = EditingDesk()
  /// What is live and waits for the turn's end.
  var news: [LiveNews] = []
  var screens: Screens
  /// The scenes as they were before this turn, once it has changed any.
  var screensBefore: Screens?
  /// What was last wrong with the view of a controller's class, so that it is logged once.
  var viewFaults: [String: String] = [:]
  let bundle: NibBundle
  let headers = HeaderViews()
  let startID: UInt64
  let started: Int64

  var slots: [Session?] = []
  var generations: [UInt32] = []
  var freeSlots: [Int] = []
  var sessionCount = 0
  /// Bytes that wait for all clients.
  var queued = 0
  var clientsByUser: [UInt32: Int] = [:]
  var goodbyes = GoodbyeMemory()

  var timers = Timers()
  var dirty: [Session] = []
  var pending: [Session] = []
  /// The memory of such a list while nobody uses it.
  var spare: [Session] = []
  /// What is read into, see `takeBack`.
  var readBuffer = ByteQueue(keeping: 128 << 10)
  var waiting: [Session] = []
  var withBarriers: [Session] = []
  var decoder = RequestDecoder()
  var batch = Batch()
  var uploads: UploadQuota
  /// The change that takes more than one turn.
  var job: LongJob?
  /// Whose requests wait for its end.
  var heldByLong: [Session] = []
  var page = RowPageEncoder()
  var now: Int64
  var turn = TurnBudget()
  var counters = Counters()
  var turnMeter = TurnMeter()
  var progressTimerSet = false
  var reopenTimerSet = false
  var viewTimerSet = false
  var stopping = false

  /// What one turn has used up (contract F10).
  struct TurnBudget {
    static let operations = 4096
    static let bytes = 4 << 20
    static let microseconds: Int64 = 50_000

    var began: Int64 = 0
    var operations = 0
    var bytes = 0

    func isSpent(at now: Int64) -> Bool {
      operations >= TurnBudget.operations || bytes >= TurnBudget.bytes
        || now - began >= TurnBudget.microseconds
    }
  }

  /// Figures that `info` tells.
  struct Counters {
    var accepted: Int64 = 0
    var refused: Int64 = 0
    var requests: Int64 = 0
    var errors: Int64 = 0
    var commits: Int64 = 0
    var failedCommits: Int64 = 0
    var events: Int64 = 0
    var liveEvents: Int64 = 0
    var goodbyes: Int64 = 0
  }

  init(
    options: Options, log: Log, service: Service, storePath: String, listener: Listener,
    signals: consuming Descriptor
  ) throws(SystemFault) {
    self.options = options
    self.log = log
    self.service = service
    self.storePath = storePath
    bundle = NibBundle(path: Paths.bundle(options.bundle, store: storePath))
    self.listener = listener
    self.signals = signals
    uploads = UploadQuota(one: options.maximumUpload)
    screens = Daemon.screens(of: service, log)
    epoll = try Epoll()
    startID = hp_random() | 1
    now = hp_monotonic_us()
    started = now
    try epoll.add(listener.descriptor.raw, UInt32(HP_READABLE), .listener)
    try epoll.add(self.signals.raw, UInt32(HP_READABLE), .signals)
  }

  /// Serves until a signal ends it.
  func run() {
    service.tracksEffects = true
    restoreLeases()
    followFromHere()
    var ended = hp_monotonic_us()
    while !stopping {
      let count = epoll.wait(milliseconds: patience(ended))
      now = hp_monotonic_us()
      turn = TurnBudget(began: now)
      for index in 0..<count {
        let event = epoll.event(index)
        handle(event.token, event.events)
      }
      handlePending()
      fireTimers()
      goOnLong()
      endTurn()
      ended = hp_monotonic_us()
      turnMeter.note(from: turn.began, to: ended)
    }
    leave()
  }

  /// How long the loop may sleep: not at all while work is left, for ever with no deadline.
  ///
  /// - Parameter now: When the last turn ended.
  /// - Returns: Milliseconds; -1: for ever.
  private func patience(_ now: Int64) -> CInt {
    if !pending.isEmpty || feed.hasWork || job != nil || !news.isEmpty
      || !editing.board.events.isEmpty
      || service.hasPending
    {
      return 0
    }
    var next = timers.next
    if let materialise = service.workDeadline(after: self.now, isAwaited: isSQLAwaited) {
      next = min(next ?? materialise, materialise)
    }
    guard let next else { return -1 }
    let rest = next - now
    return rest <= 0 ? 0 : CInt(min((rest + 999) / 1000, 3_600_000))
  }

  private func handle(_ token: Token, _ events: UInt32) {
    switch token {
    case .listener: acceptAll()
    case .signals: readSignals()
    default:
      guard let session = session(token) else { return }
      if events & UInt32(HP_HANGUP) != 0 { session.isPeerGone = true }
      if events & UInt32(HP_WRITABLE) != 0 { markDirty(session) }
      if events & ~UInt32(HP_WRITABLE) != 0 {
        readInput(session, isGone: events & UInt32(HP_ERROR | HP_HANGUP) != 0)
      }
    }
  }

  func session(_ token: Token) -> Session? {
    let slot = Int(token.slot)
    guard slot < slots.count, generations[slot] == token.generation else { return nil }
    return slots[slot]
  }

  func markDirty(_ session: Session) {
    guard !session.isDirty else { return }
    session.isDirty = true
    dirty.append(session)
  }

  func markPending(_ session: Session) {
    guard !session.isPending else { return }
    session.isPending = true
    pending.append(session)
  }

  private func readSignals() {
    while true {
      switch hp_signal_read(signals.raw) {
      case 0: return
      case SIGHUP: log.write(.info, "reload")
      case let number:
        log.write(.info, "stopping", ["signal": number == SIGTERM ? "SIGTERM" : "SIGINT"])
        stopping = true
      }
    }
  }
}

/// The loop belongs to one thread; the compiler refuses to let another have it.
@available(*, unavailable)
extension Daemon: Sendable {}

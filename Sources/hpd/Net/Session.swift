internal import CHPSystem
internal import Glibc
internal import Wire

/// One client's connection.
final class Session {
  /// How far the connection has come.
  enum State {
    case awaitingHello
    case ready
    /// Told goodbye: nothing is read any more, what is queued is still sent.
    case leaving
    case closed
  }

  let descriptor: Descriptor
  let token: Token
  let peer: Peer
  let connected: Int64
  var state = State.awaitingHello
  var client: UInt64 = 0
  var name = ""
  var actor = ""
  var resumeToken = ""

  var input = ByteQueue()
  var output = OutputQueue()
  /// What it held when it was last counted for all.
  var accounted = 0
  /// What epoll was last asked for.
  var interest: UInt32 = UInt32(HP_READABLE)
  var inputEnded = false
  /// The peer has closed both ways: what it asked for is done, but nobody reads the answers.
  var isPeerGone = false
  /// Input stands that was not looked at yet.
  var isPending = false
  var isDirty = false
  /// When the frame that is not whole yet began to arrive, or 0.
  var frameBegan: Int64 = 0
  /// Whether a timer looks after it; there is one at most, however many frames come in halves.
  var hasFrameTimer = false

  /// Replies of this turn that stand behind a gate, by request id.
  var gatedReplies: [UInt64] = []
  /// The first subscription whose reply stands behind it, or 0.
  var gatedSubscription: UInt64 = 0
  /// The request at the front of the input waits and holds back those behind it (contract K8).
  var isBlocked = false
  /// Until when it may wait, or 0.
  var waitDeadline: Int64 = 0

  /// The newest revision that one of its own changes was answered with.
  var written: UInt64 = 0

  var hasHeartbeat = false
  /// Views that pages are read from, by the number that the client names.
  var pages: [Page] = []
  var hasPageTimer = false
  var nextPage: UInt64 = 1
  /// The read at the front of the input, where it takes more than one turn.
  var query: Query?
  /// The table that is being described, where it takes more than one frame.
  var description: Daemon.Description?

  /// A table that is read page by page at one revision (SPEC 4).
  struct Page {
    let number: UInt64
    let view: SharedView
    var until: Int64
    /// What is left of a find.
    var query: Query?
  }

  /// The oldest revision that the request in hand may be answered from.
  var least: UInt64 = 0

  /// Batches that come in parts.
  var uploads: [Upload] = []
  var hasUploadTimer = false

  /// By rising number.
  var subscriptions: [Subscription] = []
  /// How many of them catch up.
  var pullingCount = 0
  /// Whether live state was left out that it is to be told once it has room.
  var hasStaleLiveState = false
  var nextSubscription: UInt64 = 1
  var barriers: [Barrier] = []

  /// A barrier that was asked for and not told yet.
  struct Barrier {
    let token: UInt64
    let subscription: UInt64
    let revision: UInt64
    let sql: Bool
  }

  init(descriptor: consuming Descriptor, token: Token, peer: Peer, now: Int64) {
    self.descriptor = descriptor
    self.token = token
    self.peer = peer
    connected = now
  }

  /// What stood behind the gate was told, or taken back.
  func openGate() {
    gatedReplies.removeAll(keepingCapacity: true)
    gatedSubscription = 0
  }

  func subscription(_ number: UInt64) -> Subscription? {
    var low = 0
    var high = subscriptions.count
    while low < high {
      let middle = (low + high) / 2
      if subscriptions[middle].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < subscriptions.count, subscriptions[low].number == number else { return nil }
    return subscriptions[low]
  }
}

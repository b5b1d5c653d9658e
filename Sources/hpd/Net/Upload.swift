internal import Wire

/// A batch that comes in parts (contract K2): kept as it came until it is committed.
final class Upload {
  /// What a part costs beside its bytes.
  static let partOverhead = 64
  /// Uploads of one connection at a time.
  static let perConnection = 16

  let number: UInt64
  /// The encoded pieces of the batch, in order.
  private(set) var parts: [[UInt8]] = []
  /// How many operations stand before each part.
  private(set) var firsts: [Int] = []
  private(set) var operations = 0
  private(set) var bytes = 0
  /// When the last part came.
  var touched: Int64

  init(number: UInt64, now: Int64) {
    self.number = number
    touched = now
  }

  /// What it costs.
  var cost: Int { bytes + parts.count * Upload.partOverhead }

  func append(_ bytes: [UInt8], operations count: Int, now: Int64) {
    parts.append(bytes)
    firsts.append(operations)
    operations += count
    self.bytes += bytes.count
    touched = now
  }

  /// Gives a part's memory back, once it was read for the last time.
  func drop(part: Int) { parts[part] = [] }
}

/// Bytes of uploads, counted for each user and in all.
struct UploadQuota {
  /// What one upload, and all of one connection, may have.
  let one: Int
  /// What all of one user may have.
  var user: Int { one * 2 }
  /// What all may have.
  var total: Int { one * 4 }

  private(set) var used = 0
  private var byUser: [UInt32: Int] = [:]

  init(one: Int) { self.one = one }

  /// The limit that so many more bytes would break.
  ///
  /// - Parameters:
  ///   - more: The bytes.
  ///   - user: Whose they are.
  ///   - connection: What the connection has.
  /// - Returns: Words for it, or `nil` where there is room.
  func refusal(_ more: Int, of user: UInt32, connection: Int) -> String? {
    if more > one - connection { return "\(one) bytes of a connection" }
    if more > self.user - byUser[user, default: 0] { return "\(self.user) bytes of a user" }
    if more > total - used { return "\(total) bytes in all" }
    return nil
  }

  mutating func take(_ bytes: Int, of user: UInt32) {
    used += bytes
    byUser[user, default: 0] += bytes
  }

  mutating func give(_ bytes: Int, of user: UInt32) {
    used -= bytes
    let rest = byUser[user, default: 0] - bytes
    byUser[user] = rest > 0 ? rest : nil
  }
}

/// Why connections ended, for those who come back and ask (contract F7).
struct GoodbyeMemory {
  private struct Entry {
    let token: String
    let reason: String
    let until: Int64
  }

  private static let maximum = 1024
  private var entries: [Entry] = []

  mutating func keep(_ token: String, _ reason: String, now: Int64) {
    entries.removeAll { $0.until <= now }
    if entries.count >= GoodbyeMemory.maximum { entries.removeFirst() }
    entries.append(Entry(token: token, reason: reason, until: now + Timeouts.goodbyeMemory))
  }

  func reason(_ token: String, now: Int64) -> String? {
    entries.last { $0.token == token && $0.until > now }?.reason
  }
}

import HouseSupport
import Testing

@testable import hpd

@Suite struct TimersTests {
  @Test(arguments: 0..<20) func firesInOrderOfTheDeadlines(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var timers = Timers()
    var model: [Int64] = []
    for step in 0..<500 {
      let deadline = Int64.random(in: 0..<1_000, using: &random)
      timers.add(.frame, at: deadline, for: Token(slot: UInt32(step), generation: 1))
      model.append(deadline)
      guard Bool.random(using: &random) else { continue }
      let now = Int64.random(in: 0..<600, using: &random)
      var fired: [Int64] = []
      while let entry = timers.due(at: now) { fired.append(entry.deadline) }
      #expect(fired == model.filter { $0 <= now }.sorted(), "seed \(seed) step \(step)")
      model.removeAll { $0 <= now }
      #expect(timers.next == model.min(), "seed \(seed) step \(step)")
    }
  }

  @Test func staleTokensMiss() {
    let token = Token(slot: 7, generation: 3)
    #expect(Token(packed: token.packed) == token)
    #expect(Token(slot: 7, generation: 4).packed != token.packed)
    #expect(Token.listener != Token.signals)
  }
}

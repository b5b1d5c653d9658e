internal import CHPSystem
internal import TableService
internal import Wire

/// The end of the daemon: what was accepted is committed, everybody is told (SPEC 12).
extension Daemon {
  /// Says goodbye to all, waits a moment for it to be read, closes the store.
  func leave() {
    listener.removeFile()
    epoll.remove(listener.descriptor.raw)
    for session in slots.compactMap({ $0 }) {
      sayGoodbye(session, ErrorReply(.shuttingDown, "hpd is stopping"))
    }
    flushDirty()
    let end = hp_monotonic_us() + Timeouts.leaving
    // What the kernel has taken is read by the client also after the end.
    while slots.contains(where: { ($0?.output.count ?? 0) > 0 }), hp_monotonic_us() < end {
      let count = epoll.wait(milliseconds: 20)
      now = hp_monotonic_us()
      turn = TurnBudget(began: now)
      for index in 0..<count {
        let event = epoll.event(index)
        guard let session = session(event.token) else { continue }
        markDirty(session)
        if event.events & ~UInt32(HP_WRITABLE) != 0 { readInput(session, isGone: false) }
      }
      flushDirty()
    }
    do throws(StoreFault) {
      try service.close()
      log.write(.info, "stopped", ["revision": "\(service.durableRevision)"])
    } catch {
      log.write(.error, "closing the store failed", ["reason": "\(error)"])
    }
  }
}

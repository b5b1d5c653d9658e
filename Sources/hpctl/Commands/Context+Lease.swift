/// Leases: what a command holds beyond its own life (contract K4).
extension Context {
  /// The lease that `--lease` or HPCTL_LEASE names.
  var leaseName: String? { invocation[.lease] ?? Environment["HPCTL_LEASE"] }

  /// The lease through which a verb of editing holds: taken where it is not there.
  ///
  /// Without `--for` the end of a named one that is there stays as it is; hpctl's own, which nobody
  /// names, lasts 600 seconds more at least.
  func holdingLease() throws(Fault) -> UInt64 {
    let client = try client()
    let seconds = try leaseSeconds()
    if invocation[.duration] == nil {
      let uid = client.hello.uid
      let there = try client.leases().first { $0.uid == uid && $0.name == leaseName ?? "hpctl" }
      if let there {
        guard leaseName == nil, let ends = there.ends else { return there.id }
        let next = client.hello.runningClock + Int64(seconds) * 1_000_000
        if ends >= next { return there.id }
      }
    }
    return try client.takeLease(leaseName ?? "hpctl", seconds: seconds).id
  }

  /// The lease by which a change is allowed where editing is held: one that is there.
  ///
  /// - Returns: Its id, or 0 where none is named.
  /// - Throws: NOT_FOUND when the one that is named is not there.
  func namedLease() throws(Fault) -> UInt64 {
    guard let name = leaseName else { return 0 }
    let client = try client()
    let uid = client.hello.uid
    guard let lease = try client.leases().first(where: { $0.uid == uid && $0.name == name }) else {
      throw .coded(
        .notFound, "you have no lease \"\(TerminalSafety.shown(name))\"",
        hint: "hpctl lease take makes one")
    }
    return lease.id
  }

  /// What `--for` says; 0 is without an end.
  private func leaseSeconds() throws(Fault) -> UInt64 {
    guard let text = invocation[.duration] else { return 600 }
    guard let seconds = Number.unsigned(text) else {
      throw .usage("--for takes seconds from 0, not \"\(TerminalSafety.shown(text))\"")
    }
    return seconds
  }

  func takeLease() throws(Fault) {
    let lease = try client().takeLease(
      invocation.words.first ?? leaseName ?? "hpctl", seconds: try leaseSeconds())
    if isQuiet { return }
    output.line(format.isJSON ? Self.json(lease) : .string(String(lease.id)), format)
  }

  func endLease() throws(Fault) {
    let word = invocation.words.first ?? leaseName ?? "hpctl"
    guard word.hasPrefix("id:") else { return try client().endLease(id: 0, name: word) }
    guard let id = Number.unsigned(word.dropFirst(3)), id > 0 else {
      throw .usage("\"\(TerminalSafety.shown(word))\" is no lease id", hint: "for example id:2")
    }
    try client().endLease(id: id, name: nil)
  }

  func listLeases() throws(Fault) {
    let client = try client()
    let now = client.hello.runningClock
    let leases = try client.leases()
    switch format {
    case .json: output.line(.array(leases.map(Self.json)))
    case .ndjson: for lease in leases { output.line(Self.json(lease)) }
    default:
      var grid = grid([
        Grid.Column(title: "id", isNumeric: true), Grid.Column(title: "uid", isNumeric: true),
        Grid.Column(title: "name"), Grid.Column(title: "actor"), Grid.Column(title: "ends"),
      ])
      for lease in leases {
        grid.add([
          String(lease.id), String(lease.uid), lease.name, lease.actor,
          lease.ends.map { "in \(max(0, ($0 &- now) / 1_000_000)) s" } ?? "never",
        ])
      }
      grid.finish()
    }
  }

  private static func json(_ lease: Lease) -> JSON {
    var fields: [(String, JSON)] = [
      ("id", .integer(lease.id)), ("uid", .integer(lease.uid)), ("name", .string(lease.name)),
      ("actor", .string(lease.actor)),
    ]
    if let ends = lease.ends { fields.append(("ends", .number(ends))) }
    return .object(fields)
  }
}

extension Output {
  /// A value as one line: JSON where the format is that, else its text.
  func line(_ value: JSON, _ format: Format) {
    if !format.isJSON, case .string(let text) = value {
      line(text)
    } else {
      line(value)
    }
  }
}

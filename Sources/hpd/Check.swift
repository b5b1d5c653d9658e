internal import TableService

/// `hpd --check`: examines a store that no daemon uses.
enum Check {
  /// Prints what is wrong, a line each.
  ///
  /// - Parameter path: The store.
  /// - Returns: The exit status: 0 where nothing is wrong.
  static func run(_ path: String) -> Int32 {
    do {
      let findings = try Service.check(StoreOptions(path: path))
      for finding in findings { write("\(finding)\n", to: 1) }
      if findings.isEmpty { write("\(path): no fault found\n", to: 1) }
      return findings.isEmpty ? 0 : 1
    } catch {
      write("hpd: \(path): \(error)\n", to: 2)
      return 1
    }
  }
}

extension Fault {
  /// The fault in the words of the command line: of a place that was given as an index, the path that
  /// hpctl made of it says nothing to its writer.
  ///
  /// - Parameter invocation: The command line.
  /// - Returns: The fault to be told.
  func inWords(of invocation: Invocation) -> Fault {
    var fault = self
    if code == ErrorCode.outOfRange.name, path != nil, invocation.verb != .batch,
      let text = invocation[.at] ?? invocation[.to], case .index(let index)? = try? PlaceText(text)
    {
      let section = invocation[.section].map { "section \"\($0)\"" } ?? "the section"
      fault.path = nil
      fault.message = "\(section) has no place \(index)"
      if let bound = expected?.split(separator: " ").last {
        fault.expected = "an index up to \(bound)"
        fault.hint = "last is the place behind all rows"
      }
    }
    let isCarried = invocation.verb == .cp || invocation.has(.toTable)
    let codes: [ErrorCode] = [.noSuchColumn, .wrongKind, .badValue, .overflow]
    if isCarried, row != nil, let column, codes.contains(where: { $0.name == code }) {
      fault.hint = "--without \"\(column)\" leaves its values behind"
    }
    return fault
  }
}

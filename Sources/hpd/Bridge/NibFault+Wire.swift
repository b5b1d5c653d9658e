internal import Nib
internal import Wire

extension ErrorReply {
  /// A nib that can't be loaded, as the wire tells it.
  init(_ fault: NibFault) {
    let code: ErrorCode =
      switch fault.code {
      case .notFound: .notFound
      case .badName: .badName
      case .legacy: .legacyXib
      case .malformed, .unreadable: .badXib
      case .noSuchOutlet: .noSuchOutlet
      }
    self.init(code, fault.message)
    value = fault.value
    expected = fault.expected
    file = fault.file
    line = fault.line.map(UInt64.init)
    if fault.code == .notFound, !fault.tried.isEmpty {
      hint = "looked for " + fault.tried.joined(separator: ", ")
    }
  }
}

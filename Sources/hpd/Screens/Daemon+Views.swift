internal import Nib
internal import Wire

/// Views from the bundle (SPEC 7).
extension Daemon {
  /// Loads a nib, or a controller's view, for a client; nothing of it stays here.
  func loadNib(
    _ session: Session, _ id: UInt64, _ wish: LoadNibRequest
  ) throws(ErrorReply) {
    let loaded: LoadedNib
    do throws(NibFault) {
      let outlets = wish.outlets.isEmpty ? nil : Set(wish.outlets)
      if let controller = wish.controllerClass {
        loaded = try bundle.loadView(
          owner: NibOwner(className: controller, outlets: outlets), nibName: wish.name,
          language: wish.language)
      } else {
        guard let name = wish.name else {
          throw NibFault(.badName, "the request names no nib", expected: "a name")
        }
        let owner = wish.ownerClass.map { NibOwner(className: $0, outlets: outlets) }
        loaded = try bundle.load(
          name, owner: owner, language: wish.language, keepsAll: wish.keep)
      }
    } catch { throw ErrorReply(error) }
    let pieces = loaded.encoded()
    for (index, piece) in pieces.enumerated() {
      let more = index + 1 < pieces.count
      reply(session, id) { ReplyEncoder.nib(id: id, encoded: piece, more: more, into: &$0) }
    }
  }
}

internal import CHPProto

// Safe: in this file all pointers lead into the arena of the frame in hand, which was scanned.
extension Unpacked {
  static func transfer(_ pointer: UnsafePointer<Hp__V1__TransferRows>) -> TransferRequest {
    let transfer = unsafe pointer.pointee
    return unsafe TransferRequest(
      source: table(transfer.from), target: table(transfer.to),
      selection: selection(transfer), place: namedPlace(transfer.at),
      removes: transfer.remove != 0, expectTarget: cursor(transfer.expect_to),
      dryRun: transfer.dry_run != 0, basis: basis(transfer.basis),
      matched: transfer.has_matched != 0 ? transfer.matched : nil,
      without: strings(transfer.without, transfer.n_without))
  }

  private static func selection(_ transfer: Hp__V1__TransferRows) -> TransferRequest.Selection {
    let ids = unsafe Array(UnsafeBufferPointer(start: transfer.ids, count: transfer.n_ids))
    guard let nodes = unsafe filter(transfer.filter) else {
      return ids.isEmpty ? .absent : .ids(ids)
    }
    return ids.isEmpty ? .filter(nodes) : .absent
  }
}

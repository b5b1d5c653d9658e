internal import CHPSystem

/// Who is at the other end, by the kernel's word.
struct Peer {
  let uid: UInt32
  let gid: UInt32
  let pid: Int32

  init(of descriptor: CInt) throws(SystemFault) {
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    var pid: Int32 = 0
    // Safe: the call fills three integers of ours.
    guard unsafe hp_peer(descriptor, &uid, &gid, &pid) == 0 else {
      throw SystemFault(doing: "SO_PEERCRED", code: hp_errno())
    }
    (self.uid, self.gid, self.pid) = (uid, gid, pid)
  }
}

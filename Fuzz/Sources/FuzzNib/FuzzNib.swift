import CFuzzer
import Nib

/// Kept from input to input: ids are never given twice.
nonisolated(unsafe) private let numbers = NodeNumbers()

@main enum FuzzNib {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    // Does not return: libFuzzer ends the process.
    _ = LLVMFuzzerRunDriver(&count, &arguments, fuzzNib)
  }
}

/// Reads the fuzzer's bytes as a .xib file, and loads what it holds in every way.
private func fuzzNib(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let document: NibDocument
  do throws(NibFault) {
    document = try NibDocument(bytes)
  } catch {
    precondition(error.line ?? 0 >= 1, "a fault without a line")
    precondition(error.expected?.isEmpty == false, "a fault expects nothing")
    precondition(error.message.utf8.count <= 1 << 10, "a fault's message has no end")
    precondition((error.value?.utf8.count ?? 0) <= 1 << 10, "a fault's value has no end")
    return 0
  }
  guard let again = try? NibDocument(bytes) else { preconditionFailure("what was taken is refused") }
  precondition(again == document, "a document changes")
  precondition(document.nodes.count <= NibLimits.objects, "too many objects")
  check(
    document.nodes, first: 1, top: document.topLevel, outlets: document.ownerOutlets, gone: [])

  let any = NibOwner(className: document.ownerClass ?? "C", outlets: nil)
  let exact = NibOwner(
    className: "C", outlets: Set(document.ownerOutlets.map(\.property)))
  for (owner, keeps) in [(nil, false), (any, false), (any, true), (exact, false)] {
    do throws(NibFault) {
      let loaded = try document.load(owner: owner, numbers: numbers, keepsAll: keeps)
      let first = (loaded.topLevel.min() ?? 1)
      check(
        loaded.nodes, first: first, top: loaded.topLevel, outlets: loaded.ownerOutlets,
        gone: owner == nil || keeps ? [] : Set(loaded.dropped))
      if owner == nil || keeps {
        precondition(loaded.nodes.count == document.nodes.count, "an object is missing")
      }
      for (index, node) in loaded.nodes.enumerated() {
        precondition(loaded.index(of: node.id) == index, "a node is not found")
      }
    } catch {
      precondition(error.code == .noSuchOutlet, "a load fails")
      precondition(owner == any && any.outlets != nil, "an outlet is missing")
    }
  }
  return 0
}

/// Demands that ids rise, parents stand first, and connections lead to what is there.
private func check(
  _ nodes: [ViewNode], first: UInt64, top: [UInt64], outlets: [ViewOutlet], gone: Set<UInt64>
) {
  var ids: Set<UInt64> = []
  var last: UInt64 = 0
  for node in nodes {
    precondition(node.id > last && node.id >= first, "an id is out of order")
    last = node.id
    if let parent = node.parent {
      precondition(ids.contains(parent), "a parent does not stand before its child")
    } else {
      precondition(top.contains(node.id) && !gone.contains(node.id), "a stranger at the top")
    }
    ids.insert(node.id)
  }
  func check(_ target: ViewTarget) {
    if case .node(let id) = target {
      precondition(ids.contains(id), "a connection leads nowhere")
    }
  }
  outlets.forEach { check($0.target) }
  for node in nodes {
    node.outlets.forEach { check($0.target) }
    node.actions.forEach { check($0.target) }
    for frame in [node.frame].compactMap(\.self) {
      precondition(frame.x.isFinite && frame.width.isFinite, "a frame without end")
    }
  }
}

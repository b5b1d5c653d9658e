/// A folder of .xib files, read lazily and once for each state of a file (SPEC 7).
///
/// A file is looked at again on each request, so that a change is noticed; it is read again only
/// where it has changed.
public final class NibBundle {
  /// The folder.
  public let path: String
  /// Where nodes get their ids.
  public let numbers: NodeNumbers
  /// How often objects were made from a file.
  public private(set) var loads: UInt64 = 0
  /// How often a file was read.
  public private(set) var reads: UInt64 = 0
  private var kept: [String: Kept] = [:]
  private var uses: UInt64 = 0

  /// A file as it was read last.
  private struct Kept {
    var identity: BundleFile.Identity
    var isSettled: Bool
    var result: Result<NibDocument, NibFault>
    var lastUse: UInt64

    var cost: Int {
      if case .success(let document) = result { document.nodes.count } else { 0 }
    }
  }

  /// Makes a bundle of a folder; nothing is read yet, and the folder need not be there.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - numbers: Where nodes get their ids.
  public init(path: String, numbers: NodeNumbers = NodeNumbers()) {
    self.path = path
    self.numbers = numbers
  }

  /// Loads a nib: new objects at each call, and the owner's outlets set (semantics 2.9).
  ///
  /// - Parameters:
  ///   - name: Its name, without suffix.
  ///   - owner: Who loads it; `nil`: nobody, and the list that is returned keeps all objects.
  ///   - language: Whose folders come first.
  ///   - keepsAll: Whether the list keeps all objects also with an owner.
  /// - Returns: The objects.
  /// - Throws: Any `NibFault`; nothing is made then.
  /// - Complexity: O(*n*) in the number of objects, once more where the file has changed.
  public func load(
    _ name: String, owner: NibOwner? = nil, language: String? = nil, keepsAll: Bool = false
  ) throws(NibFault) -> LoadedNib {
    var tried: [String] = []
    guard let file = try find(name, language: language, tried: &tried) else {
      throw notFound(name, tried)
    }
    var loaded = try load(file, owner: owner, keepsAll: keepsAll)
    loaded.tried = tried
    return loaded
  }

  /// Finds a controller's view (semantics 2.9): the nib that it names; else the one named like its
  /// class without "Controller", then the one named like its class; else a blank view.
  ///
  /// - Parameters:
  ///   - owner: The controller.
  ///   - nibName: The nib that it names, if it does.
  ///   - language: Whose folders come first.
  /// - Returns: The objects; the owner's outlet `view` is set, and `tried` is the trace. A blank
  ///   view is of the owner's `blankClass`; a table view has the owner as its delegate and data
  ///   source.
  /// - Throws: Any `NibFault` but `notFound`; `noSuchOutlet` where the nib leaves `view` unset.
  public func loadView(
    owner: NibOwner, nibName: String? = nil, language: String? = nil
  ) throws(NibFault) -> LoadedNib {
    var tried: [String] = []
    let found = try findView(owner: owner, nibName: nibName, language: language, tried: &tried)
    return found ?? blank(owner.blankClass, tried)
  }

  /// Finds a controller's view as `loadView` does, for one that has another where no nib is found.
  ///
  /// - Parameters:
  ///   - owner: The controller.
  ///   - nibName: The nib that it names, if it does.
  ///   - language: Whose folders come first.
  /// - Returns: The objects, or `nil`.
  /// - Throws: As `loadView`.
  public func findView(
    owner: NibOwner, nibName: String? = nil, language: String? = nil
  ) throws(NibFault) -> LoadedNib? {
    var tried: [String] = []
    return try findView(owner: owner, nibName: nibName, language: language, tried: &tried)
  }

  private func findView(
    owner: NibOwner, nibName: String?, language: String?, tried: inout [String]
  ) throws(NibFault) -> LoadedNib? {
    for name in nibName.map({ [$0] }) ?? NibBundle.names(forClass: owner.className) {
      guard let file = try find(name, language: language, tried: &tried) else { continue }
      var loaded = try load(file, owner: owner, keepsAll: false)
      guard loaded.outlet("view") != nil else {
        var fault = NibFault(
          .noSuchOutlet, "loaded the \"\(name)\" nib but the view outlet was not set.",
          value: "view", expected: "an outlet view of the file's owner")
        fault.file = file
        fault.line = loaded.ownerOutlets.first?.line ?? 1
        fault.tried = tried
        throw fault
      }
      loaded.tried = tried
      return loaded
    }
    return nil
  }

  /// Names of nibs that belong to a class, the first one that is there counts.
  ///
  /// - Parameter className: A controller's class.
  /// - Returns: The class without "Controller", if it ends so, and the class.
  public static func names(forClass className: String) -> [String] {
    let suffix = "Controller"
    guard className.hasSuffix(suffix), className.utf8.count > suffix.utf8.count else {
      return [className]
    }
    return [String(className.dropLast(suffix.count)), className]
  }

  private func blank(_ className: String, _ tried: [String]) -> LoadedNib {
    var node = ViewNode(id: numbers.take(), className: className)
    if className == "UITableView" {
      node.outlets = [
        ViewOutlet(property: "dataSource", target: .owner),
        ViewOutlet(property: "delegate", target: .owner),
      ]
    }
    return LoadedNib(
      nodes: [node], topLevel: [node.id],
      ownerOutlets: [ViewOutlet(property: "view", target: .node(node.id))], tried: tried)
  }

  private func load(
    _ file: String, owner: NibOwner?, keepsAll: Bool
  ) throws(NibFault) -> LoadedNib {
    do throws(NibFault) {
      var loaded = try document(file).load(owner: owner, numbers: numbers, keepsAll: keepsAll)
      loaded.file = file
      loads += 1
      return loaded
    } catch {
      var fault = error
      fault.file = file
      throw fault
    }
  }

  /// The first file with that name, in the order of languages.
  private func find(
    _ name: String, language: String?, tried: inout [String]
  ) throws(NibFault) -> String? {
    try NibName.check(name)
    for folder in try NibName.folders(language) {
      let file = "\(folder)\(name).xib"
      tried.append(file)
      if BundleFile.identity(of: "\(path)/\(file)") != nil { return file }
    }
    return nil
  }

  /// What a file holds, read anew if it has changed.
  private func document(_ file: String) throws(NibFault) -> NibDocument {
    uses += 1
    let full = "\(path)/\(file)"
    if var known = kept[file], known.isSettled,
      BundleFile.identity(of: full) == known.identity
    {
      known.lastUse = uses
      kept[file] = known
      return try known.result.get()
    }
    kept[file] = nil
    let content: BundleFile
    do throws(BundleFile.Fault) {
      content = try BundleFile(full)
    } catch { throw unreadable(error) }
    reads += 1
    let result = Result { () throws(NibFault) in try NibDocument(content.bytes) }
    kept[file] = Kept(
      identity: content.identity, isSettled: content.isSettled, result: result, lastUse: uses)
    forgetOldest()
    return try result.get()
  }

  private func forgetOldest() {
    var cost = kept.values.reduce(0) { $0 + $1.cost }
    while kept.count > 1, kept.count > NibLimits.kept || cost > NibLimits.keptObjects {
      guard let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
      cost -= oldest.value.cost
      kept[oldest.key] = nil
    }
  }

  private func notFound(_ name: String, _ tried: [String]) -> NibFault {
    var fault = NibFault(
      .notFound, "the bundle has no nib of that name", value: name,
      expected: name.hasSuffix(".xib") ? "a name without .xib" : nil)
    fault.tried = tried
    return fault
  }

  private func unreadable(_ fault: BundleFile.Fault) -> NibFault {
    switch fault {
    case .notFound: NibFault(.notFound, "the file is gone")
    case .changing: NibFault(.unreadable, "the file changes while it is read")
    case .tooLarge:
      NibFault(
        .malformed, "the file is too large", expected: "at most \(NibLimits.bytes) bytes")
    case .noFile: NibFault(.unreadable, "that is no file", expected: "a regular file")
    case .failed(let number):
      NibFault(.unreadable, "the file can't be read", value: BundleFile.text(of: number))
    }
  }
}

/// A bundle belongs to the thread that serves views.
@available(*, unavailable)
extension NibBundle: Sendable {}

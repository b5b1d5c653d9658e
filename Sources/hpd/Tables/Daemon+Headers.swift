internal import Coding
internal import Nib
internal import Scenes
internal import TableService
internal import Wire

/// What headers and footers show (semantics 2.8; contract K3).
extension Daemon {
  func getHeader(
    _ session: Session, _ id: UInt64, _ wish: GetHeaderRequest
  ) throws(ErrorReply) {
    let table = try table(wish.table)
    var place = HeaderViews.Place(table: table.id, section: 0, isFooter: wish.isFooter)
    var bytes = wish.isFooter ? table.footer : table.header
    if wish.section != .absent {
      let record = table.section(at: try sectionIndex(wish.section, table)).record
      place.section = record.id
      bytes = wish.isFooter ? record.footer : record.header
    }
    var content: [UInt8] = []
    var pieces: [[UInt8]] = []
    if let bytes, let value = try? HeaderFooter(bytes) {
      content.appendField(1, bytes: bytes)
      var frame: Double?
      // The view is not even asked for where nothing is shown.
      if value.isPresent, let name = value.view {
        let view = try headerView(name, value, bytes, at: place)
        frame = view.nib.nodes.first?.frame?.height
        pieces = titled(view.nib, in: table.id).encoded()
        content.appendField(5, varint: view.loads)
      }
      content.appendField(2, bool: value.isPresent)
      content.appendField(3, double: value.shownHeight(frame: frame))
    }
    for (index, piece) in pieces.enumerated() {
      content.appendField(4, bytes: piece)
      let part = content
      let more = index + 1 < pieces.count
      reply(session, id) { ReplyEncoder.header(id: id, encoded: part, more: more, into: &$0) }
      content.removeAll()
    }
    if pieces.isEmpty {
      reply(session, id) {
        ReplyEncoder.header(id: id, encoded: content, more: false, into: &$0)
      }
    }
  }

  /// The view of a header, loaded at the first need (semantics 1.5, X7).
  private func headerView(
    _ name: String, _ value: HeaderFooter, _ bytes: [UInt8], at place: HeaderViews.Place
  ) throws(ErrorReply) -> HeaderViews.Shown {
    if let view = headers.view(at: place, value: bytes) { return view }
    let nib: LoadedNib
    do throws(NibFault) {
      nib = try bundle.load(
        name, owner: value.owner.map { NibOwner(className: $0) }, language: value.language)
    } catch { throw ErrorReply(error) }
    if headers.nodeCount + nib.nodes.count > HeaderViews.limit {
      headers.sweep { place, bytes in header(at: place) == bytes }
    }
    guard headers.nodeCount + nib.nodes.count <= HeaderViews.limit else {
      var error = ErrorReply(.tooManyElements, "too many views are shown")
      error.expected = "at most \(HeaderViews.limit) nodes in headers and footers"
      throw error
    }
    return headers.keep(nib, at: place, value: bytes)
  }

  /// What is set at a place now.
  private func header(at place: HeaderViews.Place) -> [UInt8]? {
    guard let table = service.table(id: place.table) else { return nil }
    if place.section == 0 { return place.isFooter ? table.footer : table.header }
    guard let index = table.sectionIndex(of: place.section) else { return nil }
    let record = table.section(at: index).record
    return place.isFooter ? record.footer : record.header
  }

  /// Whether the view that was loaded for a place is still what its header says.
  private func isShown(_ place: HeaderViews.Place) -> Bool {
    headers.shown[place]?.value == header(at: place)
  }

  /// The view with the titles that follow the editing state: what toggles editing says Edit or
  /// Done, whoever changed it (semantics 2.5.9).
  private func titled(_ nib: LoadedNib, in table: UInt64) -> LoadedNib {
    let title = editing.board.state(of: table).title
    var nib = nib
    for index in nib.nodes.indices where nib.nodes[index].togglesEditing {
      nib.nodes[index].setTitle(title)
    }
    return nib
  }

  /// The node with an id as it can be seen, if a header or footer of a table shows it.
  func shownNode(_ id: UInt64, ofTable table: UInt64) -> ViewNode? {
    guard let place = headers.place(of: id), place.table == table, isShown(place),
      let nib = headers.shown[place]?.nib
    else { return nil }
    return nib.shownNode(id)
  }

  /// Tells the titles that follow the editing state, once it has changed, where they were not told
  /// before the flag.
  func tellTitles(_ events: [LiveEvent]) {
    var tables: Set<UInt64> = []
    for event in events {
      if case .editingChanged = event.what { tables.insert(event.table) }
    }
    for table in tables {
      let isOn = editing.board.state(of: table).isEditing
      guard isOn != editing.titled.contains(table) else { continue }
      for content in titles(ofTable: table, isOn: isOn) {
        editing.board.tellView(content, table: table, by: nil)
      }
      noteTitles(ofTable: table, isOn: isOn)
    }
  }

  /// Takes a step that sets a table's flag: what toggles says its new title first (semantics E4).
  func stepFlag<Result>(
    _ session: Session, _ request: Request, _ table: UInt64, _ holder: Holder,
    _ body: (inout EditingBoard) throws(EditingFault) -> Result
  ) throws(ErrorReply) -> Result {
    var trial = editing.board
    do throws(EditingFault) { _ = try body(&trial) } catch { throw ErrorReply(error) }
    let isOn = trial.state(of: table).isEditing
    let isNew = isOn != editing.titled.contains(table)
    let titles = isNew ? titles(ofTable: table, isOn: isOn) : []
    let result = try step(session, request, isDurable: true) { (board) throws(EditingFault) in
      for content in titles { board.tellView(content, table: table, by: holder) }
      return try body(&board)
    }
    if isNew { noteTitles(ofTable: table, isOn: isOn) }
    return result
  }

  private func noteTitles(ofTable table: UInt64, isOn: Bool) {
    if isOn { editing.titled.insert(table) } else { editing.titled.remove(table) }
  }

  /// Takes the flags as they are for what the nodes say: at the start, and after a failure.
  func titleFromHere() {
    editing.titled = Set(editing.board.tables.filter { $0.value.isEditing }.keys)
  }

  /// The nodes of a table's views that toggle its editing, with the title that goes with a flag.
  private func titles(ofTable table: UInt64, isOn: Bool) -> [[UInt8]] {
    var found: [(node: ViewNode, place: HeaderViews.Place)] = []
    for (place, view) in headers.shown where place.table == table && isShown(place) {
      for var node in view.nib.nodes where node.togglesEditing {
        node.setTitle(Scene.editTitle(isOn))
        found.append((node, place))
      }
    }
    // In the same order for everybody and in every run.
    return found.sorted { $0.node.id < $1.node.id }.map { Daemon.content($0.node, at: $0.place) }
  }

  func setViewNode(
    _ session: Session, _ request: Request, _ wish: SetViewNodeRequest
  ) throws(ErrorReply) {
    guard wish.controller == nil, wish.button == nil else {
      throw ErrorReply(.badRequest, "controllers and bar buttons belong to scenes, none is named")
    }
    let table = try editedTable(wish.table, request)
    guard let place = headers.place(of: wish.node), place.table == table.id,
      isShown(place)
    else {
      var error = ErrorReply(.notFound, "no header or footer of the table shows that node")
      error.value = "\(wish.node)"
      throw error
    }
    try wish.check()
    let holder = try holder(session, request)
    guard let changed = headers.change(wish.node, { $0.set(wish) }) else { return }
    var outcome = EditingOutcome(table: table.id)
    outcome.isUnchanged = !changed.isChanged
    if changed.isChanged {
      var node = changed.node
      if node.togglesEditing { node.setTitle(editing.board.state(of: table.id).title) }
      editing.board.revision = service.revision
      tell(node, at: place, by: holder)
    }
    answer(session, request, outcome)
  }

  private func tell(_ node: ViewNode, at place: HeaderViews.Place, by holder: Holder?) {
    editing.board.tellView(Daemon.content(node, at: place), table: place.table, by: holder)
  }

  /// The fields of `hp.v1.LiveEvent` that tell of a node.
  private static func content(_ node: ViewNode, at place: HeaderViews.Place) -> [UInt8] {
    var content: [UInt8] = []
    content.appendField(24) { $0.appendNode(node) }
    if place.section != 0 { content.appendField(25, varint: place.section) }
    if place.isFooter { content.appendField(26, bool: true) }
    return content
  }
}

extension ViewNode {
  /// Whether its title follows the editing state: it does nothing but toggle it.
  var togglesEditing: Bool {
    !actions.isEmpty
      && actions.allSatisfy { $0.selector == "toggleEditingMode:" && $0.target != .application }
  }

  /// Whether its title is its text: it is a label or a field.
  var showsText: Bool {
    titles.isEmpty && (text != nil || className == "UILabel" || className == "UITextField")
  }

  /// Takes what a client sets.
  mutating func set(_ wish: SetViewNodeRequest) {
    if let title = wish.title {
      if showsText {
        text = title
      } else {
        setTitle(title, for: wish.state ?? "normal")
      }
    }
    if let isEnabled = wish.isEnabled { self.isEnabled = isEnabled }
    if let isHidden = wish.isHidden { self.isHidden = isHidden }
    guard let wanted = wish.frame else { return }
    let old = frame ?? ViewFrame(x: 0, y: 0, width: 0, height: 0)
    frame = ViewFrame(
      x: wanted.x ?? old.x, y: wanted.y ?? old.y, width: wanted.width ?? old.width,
      height: wanted.height ?? old.height)
  }
}

extension SetViewNodeRequest {
  /// Judges what can be judged without the node.
  func check() throws(ErrorReply) {
    for number in [frame?.x, frame?.y, frame?.width, frame?.height] {
      if let number, !number.isFinite {
        throw ErrorReply(.badValue, "a frame has finite numbers only")
      }
      if let number, abs(number) > NibLimits.reach {
        throw Self.badFrame("the frame is too large", number)
      }
    }
    for size in [frame?.width, frame?.height] {
      if let size, size < 0 { throw Self.badFrame("the frame has a negative size", size) }
    }
  }

  private static func badFrame(_ message: String, _ number: Double) -> ErrorReply {
    var error = ErrorReply(.badValue, message)
    error.value = "\(number)"
    error.expected = "a size of 0 or more, at most \(Int(NibLimits.reach)) points"
    return error
  }
}

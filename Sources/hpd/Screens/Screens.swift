internal import Nib
internal import Scenes
internal import TableService

/// The scenes of the store, with what is to be told of them.
///
/// A value: what a turn does to it is taken back as a whole where its commit fails (contract S2).
struct Screens {
  /// One scene.
  struct Entry {
    /// Unique in this process; a scene that is made anew under a name is another one.
    let number: UInt64
    /// What its name is compared by.
    let key: [UInt8]
    var scene: Scene
    /// What the journal has of it.
    var content: [UInt8]
    /// The number of its last event (contract K3).
    var sequence: UInt64 = 0
    /// The views of controllers, with what clients have set on their nodes; live state.
    var views: [ViewPlace: View] = [:]
  }

  /// Where a view stands.
  struct ViewPlace: Hashable {
    var controller: UInt64
    var slot: ViewSlot
  }

  /// A view that was loaded: a controller's own, or one that stands for something of its item.
  struct View {
    /// The name by which the item has it; `nil`: the controller's own.
    var name: String?
    /// `nil`: the bundle has none of that name, it is known to clients alone.
    var nib: LoadedNib?
    /// How many bytes its nodes take in a frame.
    var size: Int
  }

  /// The most bytes of one view, and of all views of a scene: its state fits a frame.
  static let viewBytes = 256 << 10
  static let viewsBytes = 2 << 20

  private(set) var entries: [Entry] = []
  private var nextNumber: UInt64 = 1

  var isEmpty: Bool { entries.isEmpty }

  /// Takes the scenes of a store.
  ///
  /// - Parameters:
  ///   - states: Name and content of each.
  ///   - unreadable: Gets the name of each that can't be read; the store keeps it as it is.
  init(_ states: [(name: String, content: [UInt8])], unreadable: (String) -> Void) {
    for state in states {
      do throws(SceneDamage) {
        _ = add(try Scene(name: state.name, decoding: state.content), state.content)
      } catch { unreadable(state.name) }
    }
  }

  /// Adds a scene.
  ///
  /// - Returns: Its index.
  mutating func add(_ scene: Scene, _ content: [UInt8]) -> Int {
    entries.append(
      Entry(number: nextNumber, key: Name.key(scene.name), scene: scene, content: content))
    nextNumber += 1
    return entries.count - 1
  }

  mutating func remove(at index: Int) { entries.remove(at: index) }

  /// The index of the scene with a name, whatever the case.
  func index(named name: String) -> Int? {
    let key = Name.key(name)
    return entries.firstIndex { $0.key == key }
  }

  func index(number: UInt64) -> Int? { entries.firstIndex { $0.number == number } }

  /// Puts a scene in the place of the one before.
  mutating func put(_ scene: Scene, _ content: [UInt8], at index: Int) {
    entries[index].scene = scene
    entries[index].content = content
  }

  /// Keeps views that were loaded, and forgets those that are not shown any more.
  mutating func keep(_ views: [ViewPlace: View], at index: Int) {
    let scene = entries[index].scene
    entries[index].views.merge(views) { $1 }
    entries[index].views = entries[index].views.filter { Screens.isShown($0, $1, in: scene) }
  }

  /// Whether a scene still shows a view.
  static func isShown(_ place: ViewPlace, _ view: View, in scene: Scene) -> Bool {
    guard let controller = scene.controller(place.controller) else { return false }
    return place.slot == .own
      || controller.item.views.contains { $0.slot == place.slot && $0.name == view.name }
  }

  /// Puts a node in the place of the one before.
  mutating func put(_ node: ViewNode, _ place: ViewPlace, at index: Int) {
    guard let number = entries[index].views[place]?.nib?.index(of: node.id) else { return }
    entries[index].views[place]?.nib?.nodes[number] = node
  }

  mutating func forgetViews(at index: Int) { entries[index].views.removeAll() }

  /// The number of a scene's next event.
  mutating func nextSequence(_ index: Int) -> UInt64 {
    entries[index].sequence += 1
    return entries[index].sequence
  }

  /// The leases that are attached somewhere or have a keyboard.
  var leases: [SceneHolder] {
    entries.flatMap { entry in
      (entry.scene.attached + entry.scene.responders.map(\.holder)).filter { $0.lease != 0 }
    }
  }

  /// Whether any screen shows a table, so that a change of it may concern one.
  func shows(table: UInt64) -> Bool {
    entries.contains { $0.scene.controllers.contains { $0.table == table } }
  }
}

/// What hpctl can be told to do; groups have their second word in the name.
enum Verb: String, CaseIterable {
  case add, new, get, list, find, count, sum, set, rm, mv, cp, sort
  case batch
  case undo, redo, history, restore
  case sectionAdd = "section add"
  case sectionList = "section list"
  case sectionTitle = "section title"
  case sectionMove = "section mv"
  case sectionRemove = "section rm"
  case sectionHeader = "section header"
  case sectionFooter = "section footer"
  case tableAdd = "table add"
  case tableRemove = "table rm"
  case tableRename = "table rename"
  case tableList = "table list"
  case tableHeader = "table header"
  case tableFooter = "table footer"
  case tableColumns = "table columns"
  case columnAdd = "column add"
  case columnRename = "column rename"
  case columnMove = "column mv"
  case columnRemove = "column rm"
  case sectionSentinel = "section sentinel"
  case edit, commit, swipe, minus, drag, select, draft
  case policyShow = "policy show"
  case policySet = "policy set"
  case leaseTake = "lease take"
  case leaseEnd = "lease end"
  case leaseList = "lease list"
  case importFile = "import"
  case export
  case watch, barrier
  case view, node
  case sceneList = "scene list"
  case sceneMake = "scene make"
  case sceneRemove = "scene rm"
  case sceneShow = "scene show"
  case scenePush = "scene push"
  case scenePop = "scene pop"
  case sceneRoot = "scene root"
  case sceneTab = "scene tab"
  case sceneTap = "scene tap"
  case sceneEvent = "scene event"
  case sceneSet = "scene set"
  case sceneType = "scene type"
  case sceneEnd = "scene end"
  case sceneAttach = "scene attach"
  case ping, info, clients
  case killClient = "kill-client"
  case logLevel = "log-level"
  case completion, version, help
}

extension Verb {
  /// The verbs of two words whose first one is this; none where it is a verb by itself.
  static func members(of first: String) -> [Verb] {
    allCases.filter { $0.rawValue.hasPrefix(first + " ") }
  }
}

internal import Scenes
internal import TableService
internal import Wire

extension NavigationItem {
  /// An item as a request gives it.
  init(_ item: SceneItem) {
    self.init()
    title = item.title
    titleView = item.titleView
    left = item.left.map { BarButton($0) }
    right = item.right.map { BarButton($0) }
    back = item.back.map { BarButton($0) }
    prompt = item.prompt
    hidesBack = item.hidesBack
    leftSupplementsBack = item.leftSupplementsBack
  }
}

extension BarButton {
  /// A button as a request gives it.
  init(_ button: SceneButton) {
    self.init(
      id: button.id, system: button.system, title: button.title, isEnabled: button.isEnabled,
      action: button.action, isEditButton: button.isEditButton, view: button.view)
  }
}

extension SceneHolder {
  /// A holder as scenes list it.
  init(_ holder: Holder) {
    self.init(uid: holder.uid, actor: holder.actor, client: 0)
    switch holder.id {
    case .client(let client): self.client = client
    case .lease(let lease): (self.lease, leaseName) = (lease, holder.leaseName ?? "")
    }
  }

  /// The holder that it lists.
  var holder: Holder {
    Holder(
      id: lease != 0 ? .lease(lease) : .client(client), uid: uid, actor: actor,
      leaseName: lease != 0 ? leaseName : nil)
  }
}

extension ErrorReply {
  /// A refused step as the wire tells it.
  init(_ fault: SceneFault) {
    switch fault {
    case .noSuchController(let id):
      self.init(.notFound, "no such controller on the stack")
      value = "\(id)"
    case .noSuchTab(let index):
      self.init(.outOfRange, "no such tab")
      value = "\(index)"
    case .noMore: self.init(.notFound, "every tab stands in the bar, there is no More")
    case .noSuchButton(let id):
      self.init(.notFound, "no such button")
      value = "\(id)"
    case .alreadyOnStack(let id):
      self.init(.alreadyOnStack, "the controller stands on a stack already")
      value = "\(id)"
    case .tabBarPushed: self.init(.badRequest, "a tab bar controller can't be pushed")
    case .badController(let why): self.init(.badRequest, "no such controller: \(why)")
    case .badButton(let why): self.init(.badRequest, "no such button: \(why)")
    case .moreIsSelected: self.init(.badRequest, "More is selected: choose a tab first")
    case .lastTab: self.init(.badRequest, "the last tab stays")
    case .disabled(let id):
      self.init(.badRequest, "the button is not enabled")
      value = "\(id)"
    case .notVisible(let id):
      self.init(.badRequest, "the controller can't be seen")
      value = "\(id)"
    case .badText(let field):
      self.init(.badValue, "\(field) is too long or holds control characters")
      expected = "at most \(SceneLimits.text) bytes without control characters"
    case .badNodeText(let field):
      self.init(.badValue, "\(field) is too long or holds control characters")
      expected = "at most \(SceneLimits.text) bytes; of control characters line ends and tabs"
    case .tooMany(let what, let limit):
      self.init(.tooManyElements, "too many \(what)")
      expected = "at most \(limit)"
    }
  }
}

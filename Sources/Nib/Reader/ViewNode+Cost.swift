extension ViewNode {
  /// About how many bytes it takes to tell all of it.
  var cost: Int {
    var cost = className.utf8.count + xibID.utf8.count + 64
    for text in [module, text, placeholder, key] { cost += text?.utf8.count ?? 0 }
    for title in titles { cost += title.state.utf8.count + title.title.utf8.count + 8 }
    for setting in settings { cost += setting.key.utf8.count + setting.value.utf8.count + 8 }
    for action in actions {
      cost += action.selector.utf8.count + (action.event?.utf8.count ?? 0) + 24
    }
    for outlet in outlets { cost += outlet.property.utf8.count + 24 }
    for color in colors {
      cost += color.key.utf8.count + (color.state?.utf8.count ?? 0) + color.color.cost
    }
    if let background { cost += background.cost }
    for constraint in constraints { cost += constraint.cost }
    return cost
  }
}

extension Color {
  fileprivate var cost: Int { (name?.utf8.count ?? 0) + 48 }
}

extension ViewConstraint {
  fileprivate var cost: Int {
    var cost = 48
    for text in [firstAttribute, relation, secondAttribute, constant, multiplier, priority] {
      cost += text?.utf8.count ?? 0
    }
    for case .guide(let id) in [first, second] { cost += id.utf8.count }
    return cost
  }
}

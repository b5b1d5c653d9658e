/// What an object looks like: titles, texts, frames, colours.
extension NibReader {
  /// Takes a state of an object.
  func state(_ attributes: XMLAttributes, _ scope: Scope, line: Int) throws(NibFault) {
    let state = try value(.key, attributes, line: line) ?? "normal"
    for index in 0..<attributes.count {
      let name = attributes.name(index)
      if attribute(name) == .key { continue }
      let value = try value(index, attributes, line: line)
      if attribute(name) == .title {
        nodes[scope.object].setTitle(value, for: state)
      } else {
        nodes[scope.object].settings.append(
          ViewSetting(key: "\(state).\(self.text(name))", value: value))
      }
    }
    scopes.append(Scope(kind: .state, object: scope.object, key: state))
  }

  /// Takes an element within a state.
  func statePart(
    _ element: NibElement, _ attributes: XMLAttributes, _ scope: Scope, line: Int
  ) throws(NibFault) {
    switch element {
    case .string:
      guard try value(.key, attributes, line: line) == "title" else {
        return try skip(attributes, line: line)
      }
      try beginText(attributes, Scope(kind: .text, object: scope.object, key: scope.key), line)
    case .color: try color(attributes, scope, state: scope.key, line: line)
    default: try skip(attributes, line: line)
    }
  }

  /// Takes a text that stands as an element, because it has several lines.
  func string(_ attributes: XMLAttributes, _ scope: Scope, line: Int) throws(NibFault) {
    guard let key = try value(.key, attributes, line: line) else {
      return try skip(attributes, line: line)
    }
    // The dot keeps an object's own texts and the titles of states apart.
    try beginText(attributes, Scope(kind: .text, object: scope.object, key: "." + key), line)
  }

  private func beginText(
    _ attributes: XMLAttributes, _ scope: Scope, _ line: Int
  ) throws(NibFault) {
    collected.removeAll(keepingCapacity: true)
    isBase64 = try value(.base64, attributes, line: line) == "YES"
    scopes.append(scope)
  }

  /// Takes a text that is whole.
  func endText(_ scope: Scope, line: Int) throws(NibFault) {
    let bytes = isBase64 ? Base64.decode(collected) : collected
    guard let bytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw NibFault(.malformed, "a text is not UTF-8", line: line, expected: "UTF-8")
    }
    switch scope.key {
    case ".title": nodes[scope.object].setTitle(text)
    case ".text": nodes[scope.object].text = text
    case ".placeholder": nodes[scope.object].placeholder = text
    case .some(let key) where key.utf8.first == UInt8(ascii: "."):
      nodes[scope.object].settings.append(ViewSetting(key: String(key.dropFirst()), value: text))
    case let state: nodes[scope.object].setTitle(text, for: state ?? "normal")
    }
  }

  /// Takes a rectangle; only the frame counts.
  func rect(_ attributes: XMLAttributes, _ scope: Scope, line: Int) throws(NibFault) {
    guard try value(.key, attributes, line: line) == "frame" else {
      return try skip(attributes, line: line)
    }
    var frame = ViewFrame(x: 0, y: 0, width: 0, height: 0)
    for index in 0..<attributes.count {
      switch attribute(attributes.name(index)) {
      case .x: frame.x = try number(index, attributes, line: line)
      case .y: frame.y = try number(index, attributes, line: line)
      case .width: frame.width = try number(index, attributes, line: line)
      case .height: frame.height = try number(index, attributes, line: line)
      default: break
      }
    }
    nodes[scope.object].frame = frame
    scopes.append(Scope(kind: .leaf))
  }

  /// Takes the mask; a flag that is not there is not set.
  func autoresizing(_ attributes: XMLAttributes, _ scope: Scope, line: Int) throws(NibFault) {
    for index in 0..<attributes.count {
      let name = text(attributes.name(index))
      guard let bit = Autoresizing.names.firstIndex(of: name) else { continue }
      if try boolean(value(index, attributes, line: line), line: line) {
        nodes[scope.object].autoresizing.insert(Autoresizing(rawValue: 1 << UInt8(bit)))
      }
    }
    scopes.append(Scope(kind: .leaf))
  }

  /// Takes a colour, of an object or of a title in a state.
  func color(
    _ attributes: XMLAttributes, _ scope: Scope, state: String?, line: Int
  ) throws(NibFault) {
    var spelling = ColorSpelling()
    var key = ""
    for index in 0..<attributes.count {
      switch attribute(attributes.name(index)) {
      case .key: key = try value(index, attributes, line: line)
      case .name: spelling.name = try value(index, attributes, line: line)
      case .systemColor, .cocoaTouchSystemColor:
        spelling.system = try value(index, attributes, line: line)
      case .white: spelling.white = try number(index, attributes, line: line)
      case .red: spelling.red = try number(index, attributes, line: line)
      case .green: spelling.green = try number(index, attributes, line: line)
      case .blue: spelling.blue = try number(index, attributes, line: line)
      case .cyan: spelling.cyan = try number(index, attributes, line: line)
      case .magenta: spelling.magenta = try number(index, attributes, line: line)
      case .yellow: spelling.yellow = try number(index, attributes, line: line)
      case .black: spelling.black = try number(index, attributes, line: line)
      case .alpha: spelling.alpha = try number(index, attributes, line: line)
      default: break
      }
    }
    if let color = spelling.color {
      if key == "backgroundColor", state == nil {
        nodes[scope.object].background = color
      } else {
        nodes[scope.object].colors.append(ViewColor(key: key, state: state, color: color))
      }
    } else {
      warn("a colour has neither components nor a name", line: line)
    }
    scopes.append(Scope(kind: .leaf))
  }

  /// The meaning of a flag.
  func boolean(_ value: String, line: Int) throws(NibFault) -> Bool {
    switch value {
    case "YES": return true
    case "NO": return false
    default:
      throw NibFault(
        .malformed, "that is no boolean", line: line, value: value, expected: "YES or NO")
    }
  }

  private func number(
    _ index: Int, _ attributes: XMLAttributes, line: Int
  ) throws(NibFault) -> Double {
    let text = try value(index, attributes, line: line)
    guard let number = PlainNumber.read(text) else {
      throw NibFault(
        .malformed, "that is no number", line: line, value: text, expected: "a number like 12.5")
    }
    guard abs(number) <= NibLimits.reach else {
      throw NibFault(
        .malformed, "that is too far away", line: line, value: text,
        expected: "at most \(Int(NibLimits.reach)) points")
    }
    return number
  }
}

/// Policies, sentinels, headers and footers in a batch file.
extension BatchFile {
  mutating func partOperation(_ name: String, _ fields: inout Fields) throws(Fault) -> Operation? {
    switch name {
    case "set_policy":
      let scope = try policyScope(&fields)
      let clears = try flag("clear", &fields)
      return .setPolicy(scope, try policy(&fields), clears: clears)
    case "set_sentinel":
      let section = try section(&fields, index: "section")
      return .setSentinel(section, try sentinel(&fields))
    case "set_header", "set_footer":
      let owner: SectionName? =
        fields.has("section") || fields.has("section_id")
        ? try section(&fields, index: "section") : nil
      let value = try headerFooter(&fields)
      return name == "set_header" ? .setHeader(owner, value) : .setFooter(owner, value)
    default: return nil
    }
  }

  private mutating func policyScope(_ fields: inout Fields) throws(Fault) -> PolicyScope {
    if fields.has("path") || fields.has("row_id") {
      return .row(try row(&fields, path: "path"))
    }
    if fields.has("section") || fields.has("section_id") {
      return .section(try section(&fields, index: "section"))
    }
    return .table
  }

  private func policy(_ fields: inout Fields) throws(Fault) -> Policy {
    var policy = Policy()
    guard let value = fields.take("policy") else { return policy }
    guard case .object(let entries) = value else {
      throw .badInput("\"policy\" has to be an object")
    }
    for (name, value) in entries {
      guard let field = Policy.Field.allCases.first(where: { $0.jsonName == name }) else {
        let known = Policy.Field.allCases.map(\.jsonName)
        throw .badInput(
          "there is no policy \"\(TerminalSafety.shown(name))\"",
          hint: Suggestion.nearest(to: name, in: known).map { "did you mean \($0)?" }
            ?? "known are " + known.joined(separator: ", "))
      }
      guard policy.set(field, value) else {
        let values =
          field.values == "yes|no" ? "true or false" : "a string, of \(field.values)"
        throw .badInput("\"\(name)\" has to be \(values)")
      }
    }
    return policy
  }

  private func sentinel(_ fields: inout Fields) throws(Fault) -> Sentinel? {
    let text = try text("text", &fields)
    let height = try height(&fields)
    guard let text else {
      guard height == nil else { throw .badInput("\"height\" goes with \"text\"") }
      return nil
    }
    return Sentinel(text: text, height: height)
  }

  private func headerFooter(_ fields: inout Fields) throws(Fault) -> HeaderFooter? {
    let title = try text("title", &fields)
    let view = try text("view", &fields)
    let height = try height(&fields)
    let owner = try text("owner", &fields)
    let language = try text("language", &fields)
    guard view != nil || (owner == nil && language == nil) else {
      throw .badInput("\"owner\" and \"language\" go with \"view\"")
    }
    guard title == nil || view == nil else {
      throw .badInput("it shows \"title\" or \"view\", not both")
    }
    guard title != nil || view != nil else {
      guard height == nil else { throw .badInput("\"height\" goes with \"title\" or \"view\"") }
      return nil
    }
    return HeaderFooter(
      title: title, view: view, height: height, owner: owner, language: language)
  }

  private func text(_ name: String, _ fields: inout Fields) throws(Fault) -> String? {
    switch fields.take(name) {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw .badInput("\"\(name)\" has to be a string")
    }
  }

  private func flag(_ name: String, _ fields: inout Fields) throws(Fault) -> Bool {
    switch fields.take(name) {
    case nil: return false
    case .boolean(let on): return on
    default: throw .badInput("\"\(name)\" has to be true or false")
    }
  }

  private func height(_ fields: inout Fields) throws(Fault) -> Double? {
    let points: Double
    switch fields.take("height") {
    case nil, .null: return nil
    case .number(let number): points = Double(number)
    case .real(let number): points = number
    default: throw .badInput("\"height\" has to be a number of points")
    }
    guard points >= 0, points.isFinite else {
      throw .badInput("\"height\" has to be a number of points from 0")
    }
    return points
  }
}

/// A place as the command line names it.
enum PlaceText: Equatable {
  case first
  case last
  case index(UInt64)
  case before(String)
  case after(String)

  /// Reads `first`, `last`, an index from 0, `before:X` or `after:X`.
  init(_ text: String) throws(Fault) {
    switch text {
    case "first": self = .first
    case "last": self = .last
    default:
      if let index = Number.unsigned(text) {
        self = .index(index)
      } else if text.hasPrefix("before:"), text.utf8.count > 7 {
        self = .before(String(text.dropFirst(7)))
      } else if text.hasPrefix("after:"), text.utf8.count > 6 {
        self = .after(String(text.dropFirst(6)))
      } else {
        throw .usage(
          "\"\(TerminalSafety.shown(text))\" is no place",
          hint: "first, last, an index from 0, before:ID or after:ID")
      }
    }
  }
}

extension SectionName {
  /// Reads a title or `id:2`.
  init(text: String) throws(Fault) {
    guard text.hasPrefix("id:") else {
      self = .title(text)
      return
    }
    guard let id = Number.unsigned(text.dropFirst(3)), id > 0 else {
      throw .usage("\"\(TerminalSafety.shown(text))\" is no section id", hint: "for example id:2")
    }
    self = .id(id)
  }
}

extension SectionPlace {
  /// Reads where a section goes.
  init(text: String) throws(Fault) {
    switch try PlaceText(text) {
    case .first: self = .index(0)
    case .last: self = .standard
    case .index(let index): self = .index(index)
    case .before(let name): self = .before(try SectionName(text: name))
    case .after(let name): self = .after(try SectionName(text: name))
    }
  }
}

extension RowName {
  /// Reads a row's id; ids are whole, never prefixes.
  init(text: String) throws(Fault) {
    guard let id = Number.unsigned(text), id > 0, id < 1 << 53 else {
      throw .usage("\"\(TerminalSafety.shown(text))\" is no row id", hint: "hpctl list shows them")
    }
    self = .id(id)
  }
}

extension TableInfo {
  /// The section of a name.
  ///
  /// - Parameters:
  ///   - name: Its title or id.
  ///   - makes: Whether the verb has `--create-section`, which the hint then names.
  /// - Returns: The one that has the name.
  /// - Throws: NO_SUCH_SECTION with a suggestion; AMBIGUOUS when two hold the title.
  func section(_ name: SectionName, makes: Bool = false) throws(Fault) -> SectionInfo {
    let holders = sections.filter { section in
      switch name {
      case .id(let id): section.id == id
      case .title(let title): section.title == title
      case .handle, .index: false
      }
    }
    let list = "hpctl section list shows them"
    guard let holder = holders.first else {
      guard case .title(let title) = name else {
        throw .coded(.noSuchSection, "there is no such section", hint: list)
      }
      throw .coded(
        .noSuchSection, "there is no section \"\(TerminalSafety.shown(title))\"",
        hint: Suggestion.nearest(to: title, in: sections.compactMap(\.title))
          .map { "did you mean \"\(TerminalSafety.shown($0))\"?" }
          ?? (makes ? "--create-section makes it" : list))
    }
    if holders.count > 1, case .title(let title) = name { throw .ambiguous(title, holders) }
    return holder
  }
}

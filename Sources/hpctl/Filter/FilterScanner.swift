/// Cuts a filter's text into words, quoted texts and signs, each with its place.
struct FilterScanner {
  enum Token: Equatable {
    /// A word without quotes.
    case word(String)
    case quoted(String)
    case sign(FilterOperator)
    case open, close, comma, end
  }

  private let characters: [Character]
  private var index = 0
  /// The token at hand.
  private(set) var token = Token.end
  /// Where it begins, in characters from 0.
  private(set) var place = 0

  init(_ text: String) throws(Fault) {
    characters = Array(text)
    try advance()
  }

  /// Goes on to the next token.
  ///
  /// - Throws: Usage for a quote that does not end, or an unknown sign.
  mutating func advance() throws(Fault) {
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    place = index
    guard index < characters.count else {
      token = .end
      return
    }
    switch characters[index] {
    case "(": take(.open)
    case ")": take(.close)
    case ",": take(.comma)
    case "\"", "'": try takeQuoted()
    case "=", "!", "<", ">", "^", "~": try takeSign()
    default:
      let start = index
      while index < characters.count, !Self.endsWord(characters[index]) { index += 1 }
      token = .word(String(characters[start..<index]))
    }
  }

  private static func endsWord(_ character: Character) -> Bool {
    character.isWhitespace || "(),\"'=!<>^~".contains(character)
  }

  private mutating func take(_ token: Token) {
    index += 1
    self.token = token
  }

  private mutating func takeSign() throws(Fault) {
    let first = characters[index]
    index += 1
    let isEqual = index < characters.count && characters[index] == "="
    switch (first, isEqual) {
    case ("=", _): token = .sign(.equal)
    case ("~", _): token = .sign(.contains)
    case ("<", false): token = .sign(.less)
    case (">", false): token = .sign(.greater)
    case ("<", true): token = .sign(.lessOrEqual)
    case (">", true): token = .sign(.greaterOrEqual)
    case ("!", true): token = .sign(.notEqual)
    case ("^", true): token = .sign(.prefix)
    default: throw fault("\(first) is no operator", hint: "!= and ^= have a = behind")
    }
    if isEqual { index += 1 }
    if first == "=" && isEqual { return }
    if first == "~" && isEqual {
      throw fault("~= is no operator", hint: "~ means contains, ^= begins with")
    }
  }

  private mutating func takeQuoted() throws(Fault) {
    let quote = characters[index]
    index += 1
    var text = ""
    while index < characters.count, characters[index] != quote {
      if characters[index] == "\\" {
        index += 1
        guard index < characters.count else { break }
        switch characters[index] {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "\\", "\"", "'": text.append(characters[index])
        case let other:
          throw fault(
            "\\\(other) means nothing here", hint: "known are \\\\ \\\" \\' \\n and \\t")
        }
      } else {
        text.append(characters[index])
      }
      index += 1
    }
    guard index < characters.count else {
      throw fault("the quote that begins here does not end")
    }
    index += 1
    token = .quoted(text)
  }

  /// A fault at the token at hand; places are told from 1.
  func fault(_ message: String, hint: String? = nil) -> Fault {
    var fault = Fault.usage(
      "the filter, character \(place + 1): " + TerminalSafety.shown(message), hint: hint)
    fault.offset = place
    return fault
  }

  /// What stands at the token at hand, for messages.
  var shown: String {
    switch token {
    case .end: "the end"
    case .open: "("
    case .close: ")"
    case .comma: ","
    case .word(let word): "\"\(word)\""
    case .quoted(let text): "\"\(text)\""
    case .sign: String(characters[place..<index])
    }
  }
}

/// A command line that was read: the verb, its words and the options.
struct Invocation {
  var verb: Verb
  var words: [String]
  private var options: [OptionName: [String]]

  init(verb: Verb, words: [String], options: [OptionName: [String]]) {
    self.verb = verb
    self.words = words
    self.options = options
  }

  func has(_ option: OptionName) -> Bool { options[option] != nil }

  subscript(option: OptionName) -> String? { options[option]?.last }

  /// Every value of an option that may be given several times.
  func all(_ option: OptionName) -> [String] { options[option] ?? [] }
}

extension Invocation {
  /// Reads a command line; options may stand anywhere, `--` ends them.
  ///
  /// - Parameter arguments: The words after the program's name.
  /// - Throws: A usage fault that names the word at fault.
  init(_ arguments: [String]) throws(Fault) {
    var words: [String] = []
    var options: [OptionName: [String]] = [:]
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      if word == "--" {
        words.append(contentsOf: arguments[index...])
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        words.append(word)
        continue
      }
      let (option, attached) = try Self.option(word)
      var value = ""
      if let name = option.info.value {
        if let attached {
          value = attached
        } else if index < arguments.count {
          value = arguments[index]
          index += 1
        } else {
          throw .usage("--\(option.rawValue) needs a value: \(name)")
        }
      } else if attached != nil {
        throw .usage("--\(option.rawValue) takes no value")
      }
      guard
        options[option] == nil || option.info.value == nil || OptionName.repeated.contains(option)
      else { throw .usage("--\(option.rawValue) is given twice") }
      options[option, default: []].append(value)
    }
    if options[.version] != nil && words.isEmpty { words = [Verb.version.rawValue] }
    if words.isEmpty {
      guard options[.help] != nil else {
        throw .usage("no verb is given", hint: "hpctl help lists them")
      }
      words = [Verb.help.rawValue]
    }
    if options[.help] != nil, words.count == 1, !Verb.members(of: words[0]).isEmpty {
      words.insert(Verb.help.rawValue, at: 0)
    }
    let verb = try Self.verb(&words)
    self.init(verb: verb, words: words, options: options)
    try check()
  }

  /// Whether the words and options go with the verb.
  private func check() throws(Fault) {
    guard !has(.help), verb != .help else { return }
    let command = CommandTable.info(verb)
    for option in OptionName.allCases where has(option) {
      guard OptionName.global.contains(option) || command.options.contains(option) else {
        throw .usage(
          "--\(option.rawValue) does not go with \(verb.rawValue)",
          hint: "hpctl help \(verb.rawValue)")
      }
    }
    guard command.words.contains(words.count) else {
      throw .usage(
        words.count < command.words.lowerBound
          ? "\(verb.rawValue) needs \(command.arguments)"
          : "\(verb.rawValue) takes no \"\(words[command.words.upperBound])\"",
        hint: "hpctl help \(verb.rawValue)")
    }
  }

  private static func option(_ word: String) throws(Fault) -> (OptionName, String?) {
    if !word.hasPrefix("--") {
      let short = word.dropFirst()
      if short.count == 1,
        let option = OptionName.allCases.first(where: { $0.info.short == short.first })
      {
        return (option, nil)
      }
      throw .usage(
        "unknown option \(TerminalSafety.shown(word))",
        hint: "words that begin with - go after --")
    }
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if let option = OptionName(rawValue: name) {
      return (option, parts.count > 1 ? String(parts[1]) : nil)
    }
    throw .usage(
      "unknown option --\(TerminalSafety.shown(name))",
      hint: Suggestion.nearest(to: name, in: OptionName.allCases.map(\.rawValue))
        .map { "did you mean --\($0)?" })
  }

  /// The verb that help is asked for, or `nil` when no word is given.
  static func verb(_ words: [String]) throws(Fault) -> Verb? {
    var words = words
    return words.isEmpty ? nil : try verb(&words)
  }

  /// Takes the verb, one or two words, off the front.
  private static func verb(_ words: inout [String]) throws(Fault) -> Verb {
    let first = words.removeFirst()
    if let verb = Verb(rawValue: first) { return verb }
    let members = Verb.members(of: first)
    if !members.isEmpty {
      let choices = members.map { String($0.rawValue.dropFirst(first.utf8.count + 1)) }
      guard let second = words.first else {
        throw .usage(
          "\(first) needs one of: " + choices.joined(separator: ", "),
          hint: "for example: hpctl help \(first) \(choices[0])")
      }
      if let verb = Verb(rawValue: first + " " + second) {
        words.removeFirst()
        return verb
      }
      throw .usage(
        "unknown verb \(first) \(TerminalSafety.shown(second))",
        hint: Suggestion.nearest(to: second, in: choices).map { "did you mean \(first) \($0)?" }
          ?? "\(first) has: " + choices.joined(separator: ", "))
    }
    let names = Verb.allCases.map(\.rawValue)
    throw .usage(
      "unknown verb \(TerminalSafety.shown(first))",
      hint: Suggestion.nearest(to: first, in: names).map { "did you mean \($0)?" }
        ?? "hpctl help lists the verbs")
  }
}

/// Help made from the command table: examples first.
enum Help {
  /// What `hpctl help` prints.
  static var overview: String {
    var text = """
      hpctl list                              show the table
      hpctl add name=Kettle value=39.95       add a row
      hpctl watch                             see every change as it happens

      usage: hpctl [OPTIONS] VERB …

      """
    for group in CommandTable.groups { text += "\n\(group)\n" + verbs(under: group) }
    text += "\noptions of every verb\n" + options(OptionName.global)
    text += """

      exit status: 0 ok, 1 refused or failed, 2 usage, 3 no daemon, 4 not found, 5 conflict,
      6 bad input, 130 interrupted

      """
    return text
  }

  /// What `hpctl section --help` and `hpctl help section` print: the verbs of that name.
  static func text(forGroup name: String) -> String {
    let verbs = Verb.members(of: name)
    var text = ""
    for verb in verbs {
      for example in CommandTable.info(verb).examples.prefix(1) {
        text += padded(example.line, 40) + "  " + example.meaning + "\n"
      }
    }
    text += "\nusage: hpctl \(name) VERB …\n\n"
    for verb in verbs {
      let command = CommandTable.info(verb)
      text += "  " + padded(synopsis(command), 34) + "  " + command.summary + "\n"
    }
    return text + "\nhpctl help \(name) VERB: its options\n"
  }

  /// What `hpctl help rows` prints: the verbs below a heading of the overview, unless a verb
  /// has its name.
  static func text(forHeading group: String) -> String? {
    guard CommandTable.groups.contains(group), Verb(rawValue: group) == nil else { return nil }
    return verbs(under: group) + "\nhpctl help VERB: its options\n"
  }

  private static func verbs(under group: String) -> String {
    var text = ""
    for verb in Verb.allCases {
      let command = CommandTable.info(verb)
      guard command.group == group else { continue }
      text += "  " + padded(synopsis(command), 34) + "  " + command.summary + "\n"
    }
    return text
  }

  /// What `hpctl help VERB` prints.
  static func text(for verb: Verb) -> String {
    let command = CommandTable.info(verb)
    let width = command.examples.map(\.line.count).max() ?? 0
    var text = ""
    for example in command.examples {
      let line = example.meaning.isEmpty ? example.line : padded(example.line, width)
      text += line + (example.meaning.isEmpty ? "" : "   " + example.meaning) + "\n"
    }
    text += "\nusage: hpctl " + synopsis(command)
    text += command.options.isEmpty ? "\n" : " [OPTIONS]\n"
    text += "  \(command.summary)\n"
    for note in command.notes { text += "\n" + wrapped(note, 78) }
    if !command.options.isEmpty { text += "\noptions\n" + options(command.options, verb) }
    text += "\nhpctl help: the other verbs, and the options of every verb\n"
    return text
  }

  private static func synopsis(_ command: CommandInfo) -> String {
    command.verb.rawValue + (command.arguments.isEmpty ? "" : " " + command.arguments)
  }

  private static func options(_ names: [OptionName], _ verb: Verb = .help) -> String {
    var text = ""
    for name in names {
      let info = name.info(for: verb)
      let short = info.short.map { "-\($0), " } ?? "    "
      let value = info.value.map { " \($0)" } ?? ""
      let left = "  " + short + "--" + name.rawValue + value
      text +=
        left.count > 36
        ? left + "\n" + padded("", 38) + info.help + "\n" : padded(left, 38) + info.help + "\n"
    }
    return text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Words in lines of at most `width` characters.
  static func wrapped(_ text: String, _ width: Int) -> String {
    var lines = ""
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines += line + "\n"
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + line + "\n"
  }
}

extension Completions {
  static var fish: String {
    var lines = """
      # Completions of hpctl for fish; made by hpctl completion fish.
      function __hpctl_sections
        \(titles)
      end

      function __hpctl_scenes
        \(scenes)
      end

      function __hpctl_verb
        set -l words (commandline -opc)
        set -e words[1]
        string join ' ' (string match -v -- '-*' $words)
      end

      function __hpctl_is
        set -l verb (__hpctl_verb)
        test "$verb" = "$argv[1]"
      end

      function __hpctl_in
        set -l verb (__hpctl_verb)
        string match -qr -- "^$argv[1]( |\\$)" "$verb"
      end

      complete -c hpctl -f

      """
    func escaped(_ text: String) -> String {
      var result = ""
      for sign in text {
        if sign == "'" || sign == "\\" { result += "\\" }
        result.append(sign)
      }
      return "'" + result + "'"
    }
    func line(_ condition: String, _ words: [String], _ help: String?) {
      lines += "complete -c hpctl -n \(escaped(condition)) " + words.joined(separator: " ")
      lines += (help.map { " -d " + escaped($0) } ?? "") + "\n"
    }
    func option(_ name: OptionName, _ condition: String, _ verb: Verb = .help) {
      var words = ["-l", name.rawValue]
      if let short = name.info.short { words += ["-s", String(short)] }
      switch values(name) {
      case .none: break
      case .any: words.append("-x")
      case .files: words += ["-r", "-F"]
      case .sections: words += ["-x", "-a", "'(__hpctl_sections)'"]
      case .scenes: words += ["-x", "-a", "'(__hpctl_scenes)'"]
      case .words(let choices): words += ["-x", "-a", escaped(choices.joined(separator: " "))]
      }
      line(condition, words, name.info(for: verb).help)
    }
    for word in firstWords {
      let summary = Verb(rawValue: word).map { CommandTable.info($0).summary }
      line("__hpctl_is ''", ["-a", word], summary ?? "verbs about \(word)s")
      for second in seconds(of: word) {
        line(
          "__hpctl_is \(word)", ["-a", second],
          Verb(rawValue: word + " " + second).map { CommandTable.info($0).summary })
      }
    }
    for name in OptionName.global { option(name, "true") }
    for verb in Verb.allCases {
      let condition = "__hpctl_in \(escaped(verb.rawValue))"
      for name in CommandTable.info(verb).options { option(name, condition, verb) }
      if fileVerbs.contains(verb) { line(condition, ["-F"], nil) }
      if sectionVerbs.contains(verb) { line(condition, ["-a", "'(__hpctl_sections)'"], nil) }
      if sceneVerbs.contains(verb) { line(condition, ["-a", "'(__hpctl_scenes)'"], nil) }
      if verb == .completion {
        line(condition, ["-a", escaped(shells.joined(separator: " "))], nil)
      }
    }
    return lines
  }
}

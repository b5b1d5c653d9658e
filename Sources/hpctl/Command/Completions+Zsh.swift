extension Completions {
  private static func zshSpec(_ option: OptionName, _ verb: Verb = .help) -> String {
    let help = option.info(for: verb).help.filter { !"[]:'\\".contains($0) }
    var action = ""
    switch values(option) {
    case .none: break
    case .any: action = ":value: "
    case .files: action = ":file:_files"
    case .sections: action = ":section:_hpctl_sections"
    case .scenes: action = ":scene:_hpctl_scenes"
    case .words(let words):
      action = ":value:(" + words.map { $0 == ";" ? "\\;" : $0 }.joined(separator: " ") + ")"
    }
    let star = OptionName.repeated.contains(option) ? "*" : ""
    return quoted(
      star + "--" + option.rawValue + (action.isEmpty ? "" : "=") + "[\(help)]" + action)
  }

  static var zsh: String {
    var cases = ""
    for verb in Verb.allCases {
      let specs = CommandTable.info(verb).options.map { zshSpec($0, verb) }
      var rest = "'*: : '"
      if fileVerbs.contains(verb) { rest = "'*:file:_files'" }
      if sectionVerbs.contains(verb) { rest = "'*:section:_hpctl_sections'" }
      if sceneVerbs.contains(verb) { rest = "'1:scene:_hpctl_scenes' '*: : '" }
      if verb == .completion { rest = quoted("*:shell:(\(shells.joined(separator: " ")))") }
      if verb == .help { rest = quoted("*:verb:(\(firstWords.joined(separator: " ")))") }
      cases +=
        "    \(quoted(verb.rawValue))) specs+=(\((specs + [rest]).joined(separator: " "))) ;;\n"
    }
    func described(_ words: [(String, String)]) -> String {
      words.map { quoted($0.0 + ":" + $0.1) }.joined(separator: " ")
    }
    let first = firstWords.map { word -> (String, String) in
      (word, Verb(rawValue: word).map { CommandTable.info($0).summary } ?? "verbs about \(word)s")
    }
    let second = groups.map { group in
      let words = seconds(of: group).map { word -> (String, String) in
        (word, Verb(rawValue: group + " " + word).map { CommandTable.info($0).summary } ?? "")
      }
      return "    \(group)) choices=(\(described(words))) ;;"
    }
    return """
      #compdef hpctl
      # Completions of hpctl for zsh; made by hpctl completion zsh.
      _hpctl_sections() {
        local -a titles
        titles=("${(@f)$(\(titles))}")
        compadd -a titles
      }

      _hpctl_scenes() {
        local -a names
        names=("${(@f)$(\(scenes))}")
        compadd -a names
      }

      _hpctl() {
        local verb='' word count=0
        local -a specs choices
        specs=(\(OptionName.global.map { zshSpec($0) }.joined(separator: " ")))
        for word in "${(@)words[2,CURRENT-1]}"; do
          case $word in
            -*) ;;
            *)
              case $verb in
                '') verb=$word ;;
                \(groups.joined(separator: "|"))) verb="$verb $word"; count=1 ;;
              esac
              ;;
          esac
        done
        case $verb in
          '') choices=(\(described(first))) ;;
      \(second.joined(separator: "\n"))
        esac
        if (( $#choices )) && [[ $words[CURRENT] != -* ]]; then
          _describe verb choices
          return
        fi
        case $verb in
      \(cases)  esac
        if [[ $verb == *' '* ]]; then shift words; (( CURRENT-- )); fi
        shift words; (( CURRENT-- ))
        _arguments -S $specs
      }
      compdef _hpctl hpctl 2>/dev/null

      """
  }
}

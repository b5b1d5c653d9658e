/// What shells are told of hpctl, made from the command table.
///
/// Titles of sections come from the daemon while one types: within a tenth of a second, and
/// without a word where it does not answer.
enum Completions {
  static let shells = ["bash", "zsh", "fish"]

  /// The script for a shell; `nil` for one that is not known.
  static func script(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  /// First words of the command line; groups are one word.
  private static var firstWords: [String] {
    var seen: Set<String> = []
    return Verb.allCases.map { String($0.rawValue.split(separator: " ")[0]) }
      .filter { seen.insert($0).inserted }
  }

  private static func seconds(of first: String) -> [String] {
    Verb.allCases.map(\.rawValue).filter { $0.hasPrefix(first + " ") }
      .map { String($0.dropFirst(first.utf8.count + 1)) }
  }

  private static var groups: [String] { firstWords.filter { !seconds(of: $0).isEmpty } }

  /// What may stand for the value of an option: fixed words, files, sections, or anything.
  private enum Values {
    case none, any, files, sections
    case words([String])
  }

  private static func values(_ option: OptionName) -> Values {
    switch option {
    case .section: return .sections
    case .socket, .rejects: return .files
    case .at, .to: return .words(["first", "last", "before:", "after:"])
    case .delimiter: return .words(["auto", "tab", ",", ";"])
    case .decimal: return .words([".", ","])
    default: break
    }
    guard let value = option.info.value else { return .none }
    let words = value.split(separator: "|").map(String.init)
    let areWords = words.allSatisfy { word in
      word.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }
    return words.count > 1 && areWords ? .words(words) : .any
  }

  /// Verbs whose words are files.
  private static let fileVerbs: [Verb] = [.batch, .importFile, .export]

  /// Verbs whose words are sections.
  private static let sectionVerbs: [Verb] = [
    .sectionTitle, .sectionMove, .sectionRemove, .sectionHeader, .sectionFooter,
  ]

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  private static func patterns(_ verbs: [Verb]) -> String {
    verbs.map { quoted($0.rawValue) }.joined(separator: "|")
  }

  /// The command that lists titles; what cannot be typed as it stands is left out.
  private static let titles =
    "hpctl section list --format plain --timeout 0.05 2>/dev/null </dev/null"
    + " | cut -f 2 | grep -v '[\\]'"

  // MARK: bash

  private static var bash: String {
    var cases = ""
    for option in OptionName.allCases {
      let names = "--" + option.rawValue + (option.info.short.map { "|-\($0)" } ?? "")
      switch values(option) {
      case .none: continue
      case .any: cases += "    \(names)) return ;;\n"
      case .files: cases += "    \(names)) _hpctl_files; return ;;\n"
      case .sections: cases += "    \(names)) _hpctl_sections; return ;;\n"
      case .words(let words):
        cases += "    \(names)) _hpctl_words \(quoted(words.joined(separator: " "))); return ;;\n"
      }
    }
    var options = ""
    for verb in Verb.allCases {
      let names = CommandTable.info(verb).options.map { "--" + $0.rawValue }
      guard !names.isEmpty else { continue }
      options += "    \(quoted(verb.rawValue))) options=\"$options \(names.joined(separator: " "))\" ;;\n"
    }
    let takers = OptionName.allCases.filter { $0.info.value != nil }
      .flatMap { ["--" + $0.rawValue] + ($0.info.short.map { ["-\($0)"] } ?? []) }
    return """
      # Completions of hpctl for bash; made by hpctl completion bash.
      _hpctl_words() {
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
      }

      _hpctl_files() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      }

      _hpctl_sections() {
        local title typed
        typed=${cur#[\\"\\']}
        typed=${typed//\\\\/}
        while IFS= read -r title; do
          case $title in "$typed"*) COMPREPLY+=("$(printf '%q' "$title")") ;; esac
        done < <(\(titles))
      }

      _hpctl() {
        local cur previous verb='' word skip='' index options
        COMPREPLY=()
        cur=${COMP_WORDS[COMP_CWORD]}
        previous=${COMP_WORDS[COMP_CWORD - 1]}
        case $previous in
      \(cases)  esac
        for ((index = 1; index < COMP_CWORD; index++)); do
          word=${COMP_WORDS[index]}
          if [ -n "$skip" ]; then skip=''; continue; fi
          case $word in
            \(takers.joined(separator: "|"))) skip=yes ;;
            -*) ;;
            *)
              case $verb in
                '') verb=$word ;;
                \(groups.joined(separator: "|"))) verb="$verb $word" ;;
              esac
              ;;
          esac
        done
        case $cur in
          -*)
            options=\(quoted(OptionName.global.map { "--" + $0.rawValue }.joined(separator: " ")))
            case $verb in
      \(options)    esac
            _hpctl_words "$options"
            return
            ;;
        esac
        case $verb in
          '') _hpctl_words \(quoted(firstWords.joined(separator: " "))) ;;
      \(groups.map { "    \($0)) _hpctl_words \(quoted(seconds(of: $0).joined(separator: " "))) ;;" }.joined(separator: "\n"))
          \(patterns(fileVerbs))) _hpctl_files ;;
          \(patterns(sectionVerbs))) _hpctl_sections ;;
          help) _hpctl_words \(quoted(firstWords.joined(separator: " "))) ;;
          completion) _hpctl_words \(quoted(shells.joined(separator: " "))) ;;
        esac
      }
      complete -F _hpctl hpctl

      """
  }

  // MARK: zsh

  private static func zshSpec(_ option: OptionName) -> String {
    let help = option.info.help.filter { !"[]:'\\".contains($0) }
    var action = ""
    switch values(option) {
    case .none: break
    case .any: action = ":value: "
    case .files: action = ":file:_files"
    case .sections: action = ":section:_hpctl_sections"
    case .words(let words):
      action = ":value:(" + words.map { $0 == ";" ? "\\;" : $0 }.joined(separator: " ") + ")"
    }
    let star = OptionName.repeated.contains(option) ? "*" : ""
    return quoted(star + "--" + option.rawValue + (action.isEmpty ? "" : "=") + "[\(help)]" + action)
  }

  private static var zsh: String {
    var cases = ""
    for verb in Verb.allCases {
      let specs = CommandTable.info(verb).options.map(zshSpec)
      var rest = "'*: : '"
      if fileVerbs.contains(verb) { rest = "'*:file:_files'" }
      if sectionVerbs.contains(verb) { rest = "'*:section:_hpctl_sections'" }
      if verb == .completion { rest = quoted("*:shell:(\(shells.joined(separator: " ")))") }
      if verb == .help { rest = quoted("*:verb:(\(firstWords.joined(separator: " ")))") }
      cases += "    \(quoted(verb.rawValue))) specs+=(\((specs + [rest]).joined(separator: " "))) ;;\n"
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

      _hpctl() {
        local verb='' word count=0
        local -a specs choices
        specs=(\(OptionName.global.map(zshSpec).joined(separator: " ")))
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

  // MARK: fish

  private static var fish: String {
    var lines = """
      # Completions of hpctl for fish; made by hpctl completion fish.
      function __hpctl_sections
        \(titles)
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
    func option(_ name: OptionName, _ condition: String) {
      var words = ["-l", name.rawValue]
      if let short = name.info.short { words += ["-s", String(short)] }
      switch values(name) {
      case .none: break
      case .any: words.append("-x")
      case .files: words += ["-r", "-F"]
      case .sections: words += ["-x", "-a", "'(__hpctl_sections)'"]
      case .words(let choices): words += ["-x", "-a", escaped(choices.joined(separator: " "))]
      }
      line(condition, words, name.info.help)
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
      for name in CommandTable.info(verb).options { option(name, condition) }
      if fileVerbs.contains(verb) { line(condition, ["-F"], nil) }
      if sectionVerbs.contains(verb) { line(condition, ["-a", "'(__hpctl_sections)'"], nil) }
      if verb == .completion { line(condition, ["-a", escaped(shells.joined(separator: " "))], nil) }
    }
    return lines
  }
}

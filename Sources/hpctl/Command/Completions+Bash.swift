extension Completions {
  static var bash: String {
    var cases = ""
    for option in OptionName.allCases {
      let names = "--" + option.rawValue + (option.info.short.map { "|-\($0)" } ?? "")
      switch values(option) {
      case .none: continue
      case .any: cases += "    \(names)) return ;;\n"
      case .files: cases += "    \(names)) _hpctl_files; return ;;\n"
      case .sections: cases += "    \(names)) _hpctl_sections; return ;;\n"
      case .scenes: cases += "    \(names)) _hpctl_scenes; return ;;\n"
      case .words(let words):
        cases += "    \(names)) _hpctl_words \(quoted(words.joined(separator: " "))); return ;;\n"
      }
    }
    var options = ""
    for verb in Verb.allCases {
      let names = CommandTable.info(verb).options.map { "--" + $0.rawValue }
      guard !names.isEmpty else { continue }
      options +=
        "    \(quoted(verb.rawValue))) options=\"$options \(names.joined(separator: " "))\" ;;\n"
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

      _hpctl_names() {
        local name typed
        typed=${cur#[\\"\\']}
        typed=${typed//\\\\/}
        while IFS= read -r name; do
          case $name in "$typed"*) COMPREPLY+=("$(printf '%q' "$name")") ;; esac
        done
      }

      _hpctl_sections() {
        _hpctl_names < <(\(titles))
      }

      _hpctl_scenes() {
        _hpctl_names < <(\(scenes))
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
          \(patterns(sceneVerbs))) _hpctl_scenes ;;
          help) _hpctl_words \(quoted(firstWords.joined(separator: " "))) ;;
          completion) _hpctl_words \(quoted(shells.joined(separator: " "))) ;;
        esac
      }
      complete -F _hpctl hpctl

      """
  }
}

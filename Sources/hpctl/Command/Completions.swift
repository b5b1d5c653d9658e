/// What shells are told of hpctl, made from the command table.
///
/// Titles of sections and names of scenes come from the daemon while one types: within a tenth of a second, and
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
  static var firstWords: [String] {
    var seen: Set<String> = []
    return Verb.allCases.map { String($0.rawValue.split(separator: " ")[0]) }
      .filter { seen.insert($0).inserted }
  }

  static func seconds(of first: String) -> [String] {
    Verb.allCases.map(\.rawValue).filter { $0.hasPrefix(first + " ") }
      .map { String($0.dropFirst(first.utf8.count + 1)) }
  }

  static var groups: [String] { firstWords.filter { !seconds(of: $0).isEmpty } }

  /// What may stand for the value of an option: fixed words, files, sections, scenes, or anything.
  enum Values {
    case none, any, files, sections, scenes
    case words([String])
  }

  static func values(_ option: OptionName) -> Values {
    switch option {
    case .section: return .sections
    case .scene: return .scenes
    case .state: return .words(["normal", "highlighted", "disabled", "selected"])
    case .socket, .rejects: return .files
    case .at, .to: return .words(["first", "last", "before:", "after:"])
    case .delimiter: return .words(["auto", "tab", ",", ";"])
    case .decimal: return .words([".", ","])
    default: break
    }
    guard let value = option.info.value else { return .none }
    let words = value.split(separator: "|").map(String.init)
    let areWords = words.allSatisfy { word in
      word.utf8.allSatisfy {
        (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d
      }
    }
    return words.count > 1 && areWords ? .words(words) : .any
  }

  /// Verbs whose words are files.
  static let fileVerbs: [Verb] = [.batch, .importFile, .export]

  /// Verbs whose words are sections.
  static let sectionVerbs: [Verb] = [
    .sectionTitle, .sectionMove, .sectionRemove, .sectionHeader, .sectionFooter,
  ]

  /// Verbs whose first word is a scene that is there.
  static let sceneVerbs: [Verb] = Verb.members(of: "scene").filter {
    $0 != .sceneList && $0 != .sceneMake
  }

  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  static func patterns(_ verbs: [Verb]) -> String {
    verbs.map { quoted($0.rawValue) }.joined(separator: "|")
  }

  /// The command that lists titles; what cannot be typed as it stands is left out.
  static let titles =
    "hpctl section list --format plain --timeout 0.05 2>/dev/null </dev/null"
    + " | cut -f 2 | grep -v '[\\]'"

  /// The command that lists scenes.
  static let scenes =
    "hpctl scene list --format plain --timeout 0.05 2>/dev/null </dev/null | grep -v '[\\]'"
}

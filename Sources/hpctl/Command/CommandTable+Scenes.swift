/// Verbs about scenes.
extension CommandTable {
  private static let stepping: [OptionName] = [.lease, .duration, .idempotencyKey]

  static func sceneInfo(_ verb: Verb) -> CommandInfo {
    func info(
      _ summary: String, _ arguments: String, words: ClosedRange<Int>,
      options: [OptionName] = stepping, examples: [(String, String)], notes: [String] = []
    ) -> CommandInfo {
      CommandInfo(
        verb, "screens", summary, arguments, words: words, options: options, examples: examples,
        notes: notes)
    }
    switch verb {
    case .sceneMake:
      return info(
        "make a scene: a screen that clients share", "NAME", words: 1...1,
        options: [.language] + stepping, examples: [("hpctl scene make main", "it shows items")],
        notes: ["It shows the rows of --table, and outlives a restart."])
    case .sceneRemove:
      return info(
        "take a scene away", "NAME", words: 1...1, examples: [("hpctl scene rm main", "")])
    case .sceneShow:
      return info(
        "draw what a scene shows", "NAME", words: 1...1, options: [],
        examples: [
          ("hpctl scene show main", "the bar, the rows, the tabs"),
          ("hpctl scene show main --json", "the whole scene for a script"),
        ],
        notes: [
          "20 rows at most. In editing mode − and + stand before rows that can be deleted or "
            + "inserted at, ≡ behind those that can be moved."
        ])
    case .scenePush:
      return info(
        "push a controller on the visible stack", "NAME ID|items|sections|CLASS", words: 2...2,
        examples: [("hpctl scene push main 7", "the detail screen of row 7; prints its id")],
        notes: ["Rows, items and sections are those of --table."])
    case .scenePop:
      return info(
        "go back", "NAME", words: 1...1, examples: [("hpctl scene pop main", "")],
        notes: [
          "What was typed on the screen is saved. What can't be is told, and kept as a draft that "
            + "was rejected. At the root nothing happens."
        ])
    case .sceneRoot:
      return info(
        "go back to the root of the stack", "NAME", words: 1...1,
        examples: [("hpctl scene root main", "")])
    case .sceneTab:
      return info(
        "select, add or remove a tab", "NAME INDEX | more | add [items|sections|CLASS] | rm INDEX",
        words: 2...3,
        examples: [
          ("hpctl scene tab main add sections", "a second tab"),
          ("hpctl scene tab main 1", "shows it"),
        ], notes: ["Tabs count from 0. With more than 5 there is More."])
    case .sceneTap:
      return info(
        "tap a button of the bar or of a view, header or footer", "NAME BUTTON|back",
        words: 2...2, options: [.event] + stepping,
        examples: [("hpctl scene tap main Edit", "by what stands on it, or by its id")],
        notes: ["An id of a header's or footer's node stands behind #."])
    case .sceneSet:
      return info(
        "set what stands in the bar",
        "NAME [title=TEXT|view=NAME] [prompt=TEXT] [left|right=BUTTON,…]",
        words: 1...6,
        examples: [
          ("hpctl scene set main title=Homepwner left=edit right=add", ""),
          ("hpctl scene set main right=Sort:sort:", "tells sort: to those who look on"),
        ],
        notes: [
          "A BUTTON is edit, add or TITLE:SELECTOR. With view=NAME a view of the bundle stands in "
            + "the title's place. What is not named is gone."
        ])
    case .sceneEvent:
      return info(
        "send an event to a node of a view", "NAME NODE [EVENT]", words: 2...3,
        examples: [("hpctl scene event main '#31' valueChanged", "its actions for that event")],
        notes: [
          "NODE is what stands on it, or its id, also behind #. Without EVENT it is touchUpInside. "
            + "What hpd does not perform goes to those who look on."
        ])
    case .sceneAttach:
      return info(
        "be there, and print what happens until interrupted", "NAME", words: 1...1,
        options: [.reconnect],
        examples: [
          ("hpctl scene attach main", "a line for each step of others"),
          ("hpctl scene attach main --format ndjson", "each event for a script"),
        ],
        notes: [
          "Others see who is attached. Ends with status 4 when the scene is taken away. What is "
            + "typed is told by hpctl watch --scene."
        ])
    case .sceneType:
      return info(
        "type into a field of the detail screen", "NAME COLUMN TEXT", words: 3...3,
        options: [.lease, .duration],
        examples: [("hpctl scene type main name 'Big kettle'", "scene pop saves it")])
    case .sceneEnd:
      return info(
        "end typing", "NAME", words: 1...1, options: [.force] + stepping,
        examples: [("hpctl scene end main --force", "in any case")])
    default:
      return info(
        "list the scenes", "", words: 0...0, options: [],
        examples: [("hpctl scene list", "their names")])
    }
  }
}

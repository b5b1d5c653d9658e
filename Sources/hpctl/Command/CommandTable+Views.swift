/// Verbs about views.
extension CommandTable {
  static func viewInfo(_ verb: Verb) -> CommandInfo {
    CommandInfo(
      verb, "screens", "show what a .xib file of the bundle holds", "[NAME]", words: 0...1,
      options: [.owner, .language, .controller, .keep, .header, .footer, .section],
      examples: [
        ("hpctl view HeaderView", "all objects of HeaderView.xib, as a tree"),
        ("hpctl view HeaderView --owner HPItemsController --json", "as that class would load it"),
        ("hpctl view --controller ItemsViewController", "ItemsView.xib, else its class's own"),
        ("hpctl view --header", "what all clients see above the rows"),
      ],
      notes: [
        "The bundle is the folder of hpd --bundle, else the folder bundle beside the store. "
          + "NAME goes without .xib. With --owner, objects at the top that no outlet keeps are "
          + "gone, as in an application.",
        "plain: id, parent, class, title or text, frame (x y width height), id in the file.",
      ])
  }
}

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

  static func nodeInfo(_ verb: Verb) -> CommandInfo {
    CommandInfo(
      verb, "screens", "set what a node of a view shows, for everybody",
      "NODE NAME=VALUE…", words: 2...5,
      options: [.scene, .state, .lease, .duration, .idempotencyKey],
      examples: [
        ("hpctl node New title='Add one'", "of the header or footer of --table"),
        ("hpctl node '#31' enabled=no --scene main", "of what the scene shows now"),
        ("hpctl node Sort title=By --scene main", "a button of its bar"),
      ],
      notes: [
        "It has title=TEXT, enabled=yes|no, hidden=yes|no and frame=X,Y,WIDTH,HEIGHT.",
        "NODE is what stands on it, or its id behind #. With --scene it is one of the views of "
          + "the controller that can be seen, and lasts as long as the scene; or a button of the "
          + "bar, by what stands on it or by its id, which has a title and is enabled. Without, it "
          + "is shown until hpd ends.",
      ])
  }
}

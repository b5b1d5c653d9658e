extension Context {
  func completion() throws(Fault) {
    let shell = invocation.words[0]
    guard let script = Completions.script(for: shell) else {
      throw .usage(
        "there are no completions for \(TerminalSafety.shown(shell))",
        hint: "there are for " + Completions.shells.joined(separator: ", "))
    }
    output.write(script)
  }
}

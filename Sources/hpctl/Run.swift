/// One run of hpctl, from the command line to the exit status.
enum Run {
  /// Does what the command line says; results, notes and errors go out.
  static func status(output: Output, notes: Output) -> ExitStatus {
    var verb: Verb?
    var isJSON = false
    do throws(Fault) {
      let arguments = try arguments()
      isJSON = asksForJSON(arguments)
      let invocation = try Invocation(arguments)
      verb = invocation.verb
      if invocation.has(.help), invocation.verb != .help || invocation.words.isEmpty {
        output.write(
          invocation.verb == .help && invocation.words.isEmpty
            ? Help.overview : Help.text(for: invocation.verb))
      } else {
        let context = try Context(invocation, output: output, notes: notes)
        isJSON = context.format.isJSON
        do throws(Fault) {
          try invocation.verb.run(context)
        } catch { throw error.inWords(of: invocation) }
      }
      output.flush()
      guard let code = output.failure else { return .ok }
      throw Fault(.refused, "OUTPUT", "the output can't be written: " + Input.reason(code))
    } catch {
      output.flush()
      report(error, verb: verb, isJSON: isJSON, notes: notes)
      return error.status
    }
  }

  /// Writes a fault to stderr: an object in JSON formats, else a sentence and a hint.
  private static func report(_ fault: Fault, verb: Verb?, isJSON: Bool, notes: Output) {
    if isJSON {
      notes.line(fault.json)
    } else {
      let failed = verb.map { "cannot \($0.rawValue): " } ?? ""
      var fault = fault
      // The number says something only to those who wrote the operations.
      if verb != .batch { fault.operation = nil }
      notes.line("hpctl: " + failed + TerminalSafety.shown(fault.sentence))
      if let hint = fault.hint { notes.line("hint: " + TerminalSafety.shown(hint)) }
    }
    notes.flush()
  }

  /// Whether errors in the command line itself are to be JSON.
  private static func asksForJSON(_ arguments: [String]) -> Bool {
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { return false }
      if argument == "--json" || argument == "--format=json" || argument == "--format=ndjson" {
        return true
      }
      if argument == "--format", index + 1 < arguments.count {
        return Format(rawValue: arguments[index + 1])?.isJSON ?? false
      }
    }
    return false
  }

  /// The words after the program's name.
  ///
  /// - Throws: Usage when one is not UTF-8; it is not repaired.
  private static func arguments() throws(Fault) -> [String] {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      // Safe: argv lives as long as the process, and nothing here changes it.
      guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let text = unsafe String(validatingCString: word) else {
        throw .usage("word \(index) of the command line is not UTF-8")
      }
      arguments.append(text)
    }
    return arguments
  }
}

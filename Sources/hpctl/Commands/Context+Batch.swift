internal import hpclient

extension Context {
  func batch() throws(Fault) {
    let bytes = try Input.read(invocation.words.first, verb: .batch)
    let text = try BatchFile.Text(bytes)
    if let named = text.table, let asked = invocation[.table], named != asked {
      throw .usage("the file is for table \"\(TerminalSafety.shown(named))\", not \"\(asked)\"")
    }
    let options = try change()
    let info = try client().describe(text.table ?? table)
    var request = try BatchFile.request(text, columns: info.columns)
    request.isDryRun = request.isDryRun || options.isDryRun
    request.expect = options.expect ?? request.expect
    if let named = request.key, let asked = options.key, named != asked {
      throw .usage(
        "the file has the key \"\(TerminalSafety.shown(named))\", not "
          + "\"\(TerminalSafety.shown(asked))\"")
    }
    request.key = options.key ?? request.key
    try unsafe send(request) { result throws(Fault) in
      unsafe show(result, ids: result.inserted, count: result.inserted_count)
    }
  }
}

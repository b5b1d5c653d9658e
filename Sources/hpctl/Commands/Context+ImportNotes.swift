/// What an import says: what it does not read, what it refuses, what came of it.
extension Context {
  /// Says what of the file is not read.
  func tell(_ mapping: ImportMapping, blank: Int) {
    func quoted(_ names: [String]) -> String {
      Self.listed(names)
    }
    if !mapping.dropped.isEmpty { note("not read: " + quoted(mapping.dropped)) }
    if !mapping.readOnly.isEmpty {
      note(
        "not read: " + quoted(mapping.readOnly)
          + " (set by hpd; --set-created takes it for new rows)")
    }
    if blank > 0 { note(counted(blank, "empty record") + " skipped") }
  }

  /// Warns of texts that a spreadsheet has turned into a number: `6.37702E+15`.
  func tellShortened(_ plan: ImportPlan, _ info: TableInfo) {
    var found: [UInt64: (count: Int, line: Int)] = [:]
    for entry in plan.entries {
      for cell in entry.cells {
        guard case .text(let text) = cell.value, text.utf8.contains(UInt8(ascii: "+")),
          Self.isShortened(text)
        else { continue }
        found[cell.column, default: (0, entry.line)].count += 1
      }
    }
    tellShortened(found, info)
  }

  /// Tells how many of them each column has, and in which line the first one is.
  func tellShortened(_ found: [UInt64: (count: Int, line: Int)], _ info: TableInfo) {
    for column in info.columns {
      guard let (count, line) = found[column.id] else { continue }
      note(
        count == 1
          ? "1 text of \"\(column.name)\" looks like a number that a spreadsheet has "
            + "shortened, in line \(line); digits may be lost already"
          : "\(count) texts of \"\(column.name)\" look like numbers that a spreadsheet has "
            + "shortened, the first in line \(line); digits may be lost already")
    }
  }

  /// `d.ddE+dd`.
  static func isShortened(_ text: String) -> Bool {
    let parts = text.split(separator: "E+", omittingEmptySubsequences: false)
    func isDigits(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard parts.count == 2, (1...3).contains(parts[1].count), isDigits(parts[1]) else {
      return false
    }
    let mantissa = parts[0].split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return mantissa[0].count == 1 && mantissa.allSatisfy(isDigits)
  }

  /// Refuses the file for the first of its bad records, and tells of some others.
  ///
  /// - Throws: The fault of the first one.
  func refuse(_ rejects: [ImportPlan.Reject]) throws(Fault) {
    guard let first = rejects.first else { return }
    if !format.isJSON { tell(rejects.dropFirst()) }
    throw first.fault
  }

  /// Tells of bad records, of the first ten one by one.
  private func tell(_ rejects: ArraySlice<ImportPlan.Reject>) {
    for reject in rejects.prefix(10) { note(TerminalSafety.shown(reject.fault.sentence)) }
    if rejects.count > 10 {
      note(
        "and \(rejects.count - 10) more "
          + (rejects.count == 11 ? "record is wrong" : "records are wrong"))
    }
  }

  /// Names in one line: of many the first ones.
  static func listed(_ names: [String]) -> String {
    let shown = names.prefix(20).map { Width.truncated(TerminalSafety.shown($0), to: 60) }
    return shown.joined(separator: ", ")
      + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }

  /// The one line at the end.
  func summarise(_ rows: Int, _ rejected: Int, new: UInt64, changed: UInt64, moved: UInt64) {
    let total = UInt64(rows)
    let same = total >= new + changed ? total - new - changed : 0
    note(
      (invocation.has(.dryRun) ? "dry run: " : "") + "\(new) new, \(changed) changed, "
        + "\(same) same, \(rejected) rejected" + (moved > 0 ? "; \(moved) moved" : ""))
  }

  /// The file that rejected records go to, begun before anything is changed.
  func rejectsFile(
    _ options: ImportOptions, _ name: String?, _ file: ImportFile
  ) throws(Fault) -> WholeFile? {
    guard let path = try rejectsName(options, name), !invocation.has(.dryRun) else { return nil }
    return try WholeFile(path)
  }

  private func rejectsName(_ options: ImportOptions, _ name: String?) throws(Fault) -> String? {
    if let rejects = options.rejects { return rejects }
    guard let name, name != "-" else {
      throw .usage("--keep-going needs --rejects FILE here: the file on stdin has no name")
    }
    return name + ".rejects"
  }

  /// Writes what was rejected, tells of it and ends with the status of bad input.
  func finish(
    _ rejects: WholeFile?, _ plan: ImportPlan, _ file: ImportFile, _ name: String?
  ) throws(Fault) {
    guard !plan.rejects.isEmpty else { return }
    if let rejects {
      rejects.output.write(file.headerText)
      for reject in plan.rejects {
        rejects.output.write(file.text(of: file.records[reject.source]))
      }
      try rejects.finish()
    }
    if !format.isJSON { tell(plan.rejects[...]) }
    let path = try rejectsName(try ImportOptions(invocation), name) ?? ""
    throw .badInput(
      "\(plan.rejects.count) of \(counted(file.records.count, "record")) "
        + (rejects == nil
          ? "would be rejected" : plan.rejects.count == 1 ? "was rejected" : "were rejected"),
      hint: rejects == nil
        ? nil
        : plan.rejects.count == 1
          ? "it is in \(path), which can be imported once it is right"
          : "they are in \(path), which can be imported once they are right")
  }
}

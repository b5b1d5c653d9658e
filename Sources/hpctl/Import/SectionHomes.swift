/// The sections that rows of a file go to: those that the table has, and those that are made.
struct SectionHomes {
  private struct Wish {
    var key: ImportPlan.SectionKey
    var isNeeded: Bool
    var line: Int
    var record: Int
  }

  private let isOwn: Bool
  private var wishes: [Wish] = []
  private var positions: [ImportPlan.SectionKey: Int] = [:]
  private var names: [ImportPlan.SectionKey: SectionName] = [:]
  private let byID: [UInt64: SectionInfo]
  /// Sections of the table by title, where none is as an empty one.
  private let byTitle: [String: [SectionInfo]]
  /// How many sections of the file have a title.
  private var twins: [String?: Int] = [:]

  /// - Parameters:
  ///   - table: The table as it is.
  ///   - isOwn: Whether the file's order of sections is meant.
  init(table: TableInfo, isOwn: Bool) {
    self.isOwn = isOwn
    byTitle = Dictionary(grouping: table.sections) { $0.title ?? "" }
    byID = Dictionary(table.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Where rows of a section of the file go; `nil` where none of them needed one.
  func name(of key: ImportPlan.SectionKey) -> SectionName? { names[key] }

  /// Whether a section of the table is the one that the file means.
  func holds(_ id: UInt64, _ key: ImportPlan.SectionKey) -> Bool {
    guard let section = byID[id] else { return false }
    return (section.title ?? "") == (key.title ?? "")
  }

  /// Notes a section in the order of the file.
  mutating func note(_ key: ImportPlan.SectionKey, isNeeded: Bool, line: Int, record: Int) {
    if let position = positions[key] {
      if isNeeded { wishes[position].isNeeded = true }
      return
    }
    positions[key] = wishes.count
    twins[key.title, default: 0] += 1
    wishes.append(Wish(key: key, isNeeded: isNeeded, line: line, record: record))
  }

  /// Finds the sections, and adds what makes the missing ones to the work.
  ///
  /// In a file of hpctl's own a new section stands behind the one before it in the file, or
  /// before the next one that the table has; of other files new sections come last.
  ///
  /// - Throws: AMBIGUOUS where a title is held by two sections, with the line.
  mutating func settle(_ work: inout ImportPlan.Work) throws(Fault) {
    for wish in wishes {
      do throws(Fault) {
        if let holder = try holder(of: wish.key) { names[wish.key] = .id(holder.id) }
      } catch {
        guard wish.isNeeded else { continue }
        var fault = error
        fault.line = wish.line
        fault.record = wish.record
        throw fault
      }
    }
    var before: SectionName?
    for (position, wish) in wishes.enumerated() {
      if let name = names[wish.key] {
        before = name
        continue
      }
      guard wish.isNeeded else { continue }
      var place = SectionPlace.standard
      if isOwn {
        if let before {
          place = .after(before)
        } else if let next = wishes[position...].first(where: { names[$0.key] != nil }),
          let name = names[next.key]
        {
          // Looked for once: from here on there is one before.
          place = .before(name)
        }
      }
      let handle = UInt64(work.request.operations.count + 1)
      work.add(.insertSection(title: wish.key.title, rows: [], handle: handle, place), nil)
      names[wish.key] = .handle(handle)
      before = .handle(handle)
    }
  }

  /// The section of the table that the file means; `nil` where it has to be made.
  private func holder(of key: ImportPlan.SectionKey) throws(Fault) -> SectionInfo? {
    let holders = byTitle[key.title ?? ""] ?? []
    let twins = twins[key.title] ?? 0
    if let index = key.index, holders.count > 1 || twins > 1 {
      if let exact = holders.first(where: { $0.index == index }) { return exact }
      if twins > 1 || holders.isEmpty { return nil }
    }
    guard holders.count > 1, let title = key.title else { return holders.first }
    throw .ambiguous(title, holders)
  }
}

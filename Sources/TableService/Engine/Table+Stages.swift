/// Row numbers between the stages, where rows pass between sections that moved and others.
///
/// After stage one every section stands at its final place. A section that moved still has all
/// its old rows. A section that stayed already has its final rows except those that arrive in
/// stage two (from moved sections), and still has those that leave in stage two. A leaving row
/// stands directly behind the row that it followed before among those that stay.
extension Table {
  /// A row end by section, with what orders it there.
  private struct Site {
    var home: UInt32
    var key: Int
    var list: Int
    var index: Int
  }

  /// Puts the ends of stage one and the first ends of stage two into the coordinates between
  /// the stages.
  ///
  /// - Parameter stays: Movers that are not told as moved.
  /// - Complexity: O(*k* log *n*).
  func placeStages(_ stays: [Mover]) {
    let arrivals = sorted(arrivingSites())
    let leavers = sorted(leavingSites())
    if arrivals.isEmpty, leavers.isEmpty { return }
    let oldStays = sorted(
      stays.map { Site(home: $0.home, key: $0.old, list: 0, index: 0) })
    let newStays = sorted(
      stays.map { Site(home: $0.home, key: $0.new, list: 0, index: 0) })
    // Every leaver by how many rows that stay stood before it.
    var leaverRanks = leavers
    for place in leavers.indices {
      breathe()
      let end = firstEnd(leavers[place])
      leaverRanks[place].key =
        order.oldPlainRank(of: end.slot) + count(oldStays, end.home, below: Int(end.row))
    }
    // Every newcomer of stage one by how many rows that stay stand before it.
    var newcomerRanks: [Site] = []
    for site in sorted(newcomerSites()) {
      breathe()
      let rank =
        order.plainRank(of: secondEnd(site).slot) + count(newStays, site.home, below: site.key)
      newcomerRanks.append(
        Site(home: site.home, key: rank, list: site.list, index: site.index))
    }
    for site in newcomerRanks {
      breathe()
      let row = Int(secondEnd(site).row)
      let before = count(arrivals, site.home, below: row)
      let left = count(leaverRanks, site.home, below: site.key + 1)
      setSecondRow(site, row - before + left)
    }
    for (place, site) in leaverRanks.enumerated() {
      breathe()
      let start = lowerBound(leaverRanks, site.home, .min)
      let row = site.key + count(newcomerRanks, site.home, below: site.key) + place - start
      setFirst(site, row)
    }
  }

  /// Rows that reach a section that did not move in stage two.
  private func arrivingSites() -> [Site] {
    var sites: [Site] = []
    for end in changes.moved.inserts where work.fates[end.home] != .moved {
      sites.append(Site(home: end.home, key: Int(end.row), list: 0, index: 0))
    }
    for move in changes.moved.moves where work.fates[move.to.home] != .moved {
      sites.append(Site(home: move.to.home, key: Int(move.to.row), list: 0, index: 0))
    }
    return sites
  }

  /// Rows that leave a section in stage two; of moved sections only the section's number is set.
  private func leavingSites() -> [Site] {
    var sites: [Site] = []
    for index in changes.moved.deletes.indices {
      let end = changes.moved.deletes[index]
      changes.moved.deletes[index].section = finalIndex(end.home)
    }
    for index in changes.moved.moves.indices {
      let end = changes.moved.moves[index].from
      changes.moved.moves[index].from.section = finalIndex(end.home)
      if work.fates[end.home] != .moved {
        sites.append(Site(home: end.home, key: Int(end.row), list: 1, index: index))
      }
    }
    return sites
  }

  private func finalIndex(_ home: UInt32) -> UInt32 {
    UInt32(sectionOrder.position(of: home).index)
  }

  /// Second ends of stage one.
  private func newcomerSites() -> [Site] {
    var sites: [Site] = []
    for (index, end) in changes.main.inserts.enumerated() {
      sites.append(Site(home: end.home, key: Int(end.row), list: 0, index: index))
    }
    for (index, move) in changes.main.moves.enumerated() {
      sites.append(Site(home: move.to.home, key: Int(move.to.row), list: 1, index: index))
    }
    for (index, end) in changes.main.contents.enumerated() {
      sites.append(Site(home: end.home, key: Int(end.row), list: 2, index: index))
    }
    return sites
  }

  private func firstEnd(_ site: Site) -> ChangeList.End { changes.moved.moves[site.index].from }

  private func setFirst(_ site: Site, _ row: Int) {
    changes.moved.moves[site.index].from.row = UInt32(row)
  }

  private func secondEnd(_ site: Site) -> ChangeList.End {
    switch site.list {
    case 0: changes.main.inserts[site.index]
    case 1: changes.main.moves[site.index].to
    default: changes.main.contents[site.index]
    }
  }

  private func setSecondRow(_ site: Site, _ row: Int) {
    switch site.list {
    case 0: changes.main.inserts[site.index].row = UInt32(row)
    case 1: changes.main.moves[site.index].to.row = UInt32(row)
    default: changes.main.contents[site.index].row = UInt32(row)
    }
  }

  private func sorted(_ sites: [Site]) -> [Site] {
    sites.sorted {
      breathe()
      return ($0.home, $0.key) < ($1.home, $1.key)
    }
  }

  /// How many sites of a section have a smaller key.
  private func count(_ sites: [Site], _ home: UInt32, below key: Int) -> Int {
    lowerBound(sites, home, key) - lowerBound(sites, home, .min)
  }

  private func lowerBound(_ sites: [Site], _ home: UInt32, _ key: Int) -> Int {
    var low = 0
    var high = sites.count
    while low < high {
      let middle = (low + high) / 2
      if (sites[middle].home, sites[middle].key) < (home, key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

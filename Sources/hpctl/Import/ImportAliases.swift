/// What columns are called in exports of other programs: Homebox (all versions), Snipe-IT,
/// Shelf.nu, Part-DB and DumbAssets.
enum ImportAliases {
  static let section = "_section"
  static let currency = "_currency"

  /// By the column of an item that they fill; without regard to case.
  private static let names: [(meaning: String, names: [String])] = [
    ("name", ["hb.name", "item name", "asset name", "title"]),
    (
      "serial",
      ["hb.serial_number", "serial number", "serial_number", "serial no", "serial no."]
    ),
    (
      "value",
      [
        "hb.purchase_price", "purchase price", "purchased price", "purchase cost",
        "purchase_cost", "valuation", "price",
      ]
    ),
    (
      "created",
      [
        "hb.purchase_date", "hb.purchase_time", "purchase date", "purchase_date",
        "purchased time", "purchased at",
      ]
    ),
    (
      section,
      ["hb.location", "location", "section", "storage_location", "storage location"]
    ),
    (currency, ["currency"]),
  ]

  /// What a name stands for: the name of an item's column, `section`, `currency` or nothing.
  static func meaning(_ plain: String) -> String? {
    names.first { $0.names.contains(plain) }?.meaning
  }

  /// A name in small letters without spaces around it; of Shelf.nu's `cf: Serial number,type:text`
  /// the part between.
  static func plain(_ name: String) -> String {
    var text = ImportValues.trimmed(name).lowercased()
    guard text.hasPrefix("cf:") else { return text }
    text = String(text.dropFirst(3))
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count > 1, let last = parts.last,
      ImportValues.trimmed(String(last)).hasPrefix("type:")
    {
      text = parts.dropLast().joined(separator: ",")
    }
    return ImportValues.trimmed(text)
  }
}

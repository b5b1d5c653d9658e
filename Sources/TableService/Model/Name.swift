/// The rules for names of tables and columns (contract S10).
public enum Name {
  /// Whether a table may be called so.
  ///
  /// - Parameter name: The name as sent.
  /// - Returns: What is wrong with it, or `nil`.
  public static func faultOfTable(_ name: String) -> String? {
    let count = name.unicodeScalars.count
    if count == 0 || count > TableLimits.name { return "1 to \(TableLimits.name) characters" }
    for scalar in name.unicodeScalars where scalar.properties.generalCategory == .control {
      return "no control characters"
    }
    let key = Folding.fold(name)
    if key.starts(with: "hpd_".utf8) || key.starts(with: "sqlite_".utf8) {
      return "not a name that begins with hpd_ or sqlite_"
    }
    return nil
  }

  /// Whether a column may be called so.
  ///
  /// - Parameter name: The name as sent.
  /// - Returns: What is wrong with it, or `nil`.
  public static func faultOfColumn(_ name: String) -> String? {
    if let fault = faultOfTable(name) { return fault }
    if reserved.contains(Folding.fold(name)) { return "not _id, _section or _order" }
    if name.utf8.contains(0x3d) { return "no =" }
    if name.utf8.last == 0x2b || name.utf8.last == 0x2d { return "no + or - at the end" }
    return nil
  }

  /// The key under which a name is unique, whatever its case.
  ///
  /// - Parameter name: A name.
  /// - Returns: Its folded bytes.
  public static func key(_ name: String) -> [UInt8] { Folding.fold(name) }

  private static let reserved: [[UInt8]] = ["_id", "_section", "_order"].map { Array($0.utf8) }
}

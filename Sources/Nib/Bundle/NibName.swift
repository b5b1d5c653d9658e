/// What may name a file or a language of a bundle: one part of a path, and no trick.
public enum NibName {
  /// Judges a file's name.
  ///
  /// - Parameter name: The name, without suffix.
  /// - Throws: `badName`.
  public static func check(_ name: String) throws(NibFault) {
    guard !name.isEmpty, name.utf8.count <= NibLimits.name, name.utf8.first != UInt8(ascii: ".")
    else { throw fault("a nib", name) }
    for byte in name.utf8
    where byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte == 0x7f {
      throw fault("a nib", name)
    }
  }

  /// The folders of a language, the most exact first, then those of no language.
  ///
  /// - Parameter language: `fr`, `fr-CA`…; `nil`: none is asked for.
  /// - Returns: Folder names with a slash; the last one is empty.
  /// - Throws: `badName`.
  public static func folders(_ language: String?) throws(NibFault) -> [String] {
    guard let language else { return ["Base.lproj/", ""] }
    let isPlain = language.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isPlain, !language.isEmpty, language.utf8.count <= NibLimits.name else {
      throw fault("a language", language)
    }
    var folders: [String] = []
    var rest = Substring(language)
    while !rest.isEmpty {
      folders.append("\(rest).lproj/")
      guard let end = rest.lastIndex(where: { $0 == "-" || $0 == "_" }) else { break }
      rest = rest[..<end]
    }
    return folders + ["Base.lproj/", ""]
  }

  private static func fault(_ what: String, _ name: String) -> NibFault {
    NibFault(
      .badName, "that can't be the name of \(what)", value: String(name.prefix(NibLimits.name)),
      expected: "1 to \(NibLimits.name) bytes without slashes, controls and a leading dot")
  }
}

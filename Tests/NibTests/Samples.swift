import Nib

/// Makes .xib files for tests.
enum Sample {
  /// A document with these elements as its objects.
  static func document(_ objects: String, before: String = "", after: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0">
      \(before)<objects>
    \(objects)
      </objects>\(after)
    </document>
    """
  }

  /// Reads a document with these elements as its objects.
  static func read(
    _ objects: String, before: String = "", after: String = ""
  ) throws(NibFault) -> NibDocument {
    try NibDocument(Array(document(objects, before: before, after: after).utf8))
  }

  /// The fault of a text, which must have one.
  static func fault(_ text: String) -> NibFault? {
    do throws(NibFault) {
      _ = try NibDocument(Array(text.utf8))
      return nil
    } catch { return error }
  }

  /// The fault of a document with these elements as its objects.
  static func fault(objects: String) -> NibFault? { fault(document(objects)) }

  /// A flat document with a number of buttons.
  static func large(_ count: Int) -> [UInt8] {
    var objects = "<view id=\"top\"><subviews>\n"
    for index in 1..<count {
      objects += """
        <button opaque="NO" buttonType="roundedRect" id="button-\(index)">
          <rect key="frame" x="\(index % 320)" y="6" width="80" height="36"/>
          <autoresizingMask key="autoresizingMask" flexibleMaxX="YES" flexibleMaxY="YES"/>
          <state key="normal" title="Button \(index)"/>
          <connections>
            <action selector="press:" destination="-1" eventType="touchUpInside" id="c\(index)"/>
          </connections>
        </button>

        """
    }
    return Array(document(objects + "</subviews></view>").utf8)
  }
}

// Reads a .xib file of N objects (10,000) as hpd does and as libxml2 does by itself, in turns, and
// prints the medians in milliseconds: hpd's, libxml2's.
import CXMLTree
import Glibc
import Nib

let objects = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
let rounds = 21

func document(_ count: Int) -> [UInt8] {
  var text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <document type="\(NibDocument.type)" version="3.0" toolsVersion="14109">
      <objects>
        <placeholder placeholderIdentifier="IBFilesOwner" id="-1" customClass="HPItemsController"/>
        <view contentMode="scaleToFill" id="top">
          <subviews>

    """
  for index in 1..<count {
    text += """
            <button opaque="NO" contentMode="scaleToFill" buttonType="roundedRect" id="b-\(index)">
              <rect key="frame" x="\(index % 320).0" y="6" width="80" height="36"/>
              <autoresizingMask key="autoresizingMask" flexibleMaxX="YES" flexibleMaxY="YES"/>
              <state key="normal" title="Button \(index)">
                <color key="titleColor" white="0.5" alpha="1" colorSpace="calibratedWhite"/>
              </state>
              <connections>
                <action selector="press:" destination="-1" eventType="touchUpInside" id="c-\(index)"/>
              </connections>
            </button>

      """
  }
  return Array((text + "      </subviews>\n    </view>\n  </objects>\n</document>\n").utf8)
}

func milliseconds(_ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
  // What the other one has freed is sorted out at nobody's cost.
  malloc_trim(0)
  let start = now()
  body()
  return now() - start
}

let bytes = document(objects)
var own: [Double] = []
var tree: [Double] = []
for _ in 0..<rounds {
  own.append(
    milliseconds {
      guard let document = try? NibDocument(bytes), document.nodes.count == objects else {
        fatalError("the file is not read")
      }
    })
  tree.append(
    milliseconds {
      let document = bytes.withUnsafeBytes { buffer in
        xmlReadMemory(
          buffer.bindMemory(to: CChar.self).baseAddress, CInt(buffer.count), nil, nil, 0)
      }
      guard let document else { fatalError("libxml2 does not read the file") }
      xmlFreeDoc(document)
    })
}
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
print(median(own), median(tree), bytes.count)

internal import CXML2

/// A name in an XML document: equal names are equal addresses while the document is read.
struct XMLName {
  /// Its address; never 0.
  let address: UInt

  /// The name as text.
  var text: String {
    // Safe: the parser keeps names while the document is read, and the reader that holds this one
    // lives no longer.
    unsafe String(cString: UnsafePointer<UInt8>(bitPattern: address).unsafelyUnwrapped)
  }
}

/// The attributes of an element, for the time of its event.
@safe struct XMLAttributes {
  /// How many there are.
  let count: Int
  // Safe: libxml2's array of five pointers each; used within the event only.
  private let pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?

  fileprivate init(_ count: CInt, _ pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
    self.count = Int(count)
    unsafe self.pointers = unsafe pointers
  }

  /// The name of an attribute.
  ///
  /// - Parameter index: Which one.
  /// - Returns: The name.
  func name(_ index: Int) -> XMLName {
    // Safe: five pointers stand for each of `count` attributes.
    XMLName(address: unsafe UInt(bitPattern: pointers?[index * 5]))
  }

  /// The value of an attribute.
  ///
  /// - Parameter index: Which one.
  /// - Returns: The value, or `nil` where it is not UTF-8.
  func value(_ index: Int) -> String? {
    // Safe: as above; the fourth pointer is the value's start and the fifth its end.
    guard let start = unsafe pointers?[index * 5 + 3], let end = unsafe pointers?[index * 5 + 4]
    else { return "" }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: end - start)
    guard let text = unsafe try? UTF8Span(validating: bytes.span) else { return nil }
    return String(copying: text)
  }
}

/// Reads XML with libxml2: no network, no other files, no document type, UTF-8 only.
enum XMLDocument {
  /// What the callbacks reach.
  @safe private final class Reading {
    let events: NibReader
    var fault: NibFault?
    // Safe: set and cleared by `read`, which outlives all callbacks.
    var xml: UnsafeMutablePointer<hp_xml>?

    init(_ events: NibReader) { self.events = events }

    func refuse(_ fault: NibFault) {
      if self.fault == nil { self.fault = fault }
      // Safe: within a callback, so that the parser is there.
      if let xml = unsafe xml { unsafe hp_xml_stop(xml) }
    }
  }

  /// Reads a whole document.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - events: Who takes what is read.
  /// - Throws: The first fault, of the text or of `events`.
  /// - Complexity: O(*n*) in the number of bytes.
  static func read(_ bytes: [UInt8], _ events: NibReader) throws(NibFault) {
    let reading = Reading(events)
    // Safe: everything lives until the parser is freed, at the end of hp_xml_read.
    let isRead = withExtendedLifetime(reading) {
      unsafe bytes.withUnsafeBytes { buffer in
        var xml = unsafe hp_xml()
        return unsafe withUnsafeMutablePointer(to: &xml) { xml in
          unsafe reading.xml = xml
          var table = callbacks
          let isRead = unsafe hp_xml_read(
            xml, buffer.bindMemory(to: CChar.self).baseAddress, CInt(buffer.count), &table,
            Unmanaged.passUnretained(reading).toOpaque())
          unsafe reading.xml = nil
          return isRead
        }
      }
    }
    if let fault = reading.fault { throw fault }
    guard isRead else {
      throw NibFault(.malformed, "the file is empty", line: 1, expected: "XML")
    }
  }

  private static var callbacks: hp_xml_events {
    // Safe: the context is the `Reading` that `read` keeps alive; pointers are used at once.
    unsafe hp_xml_events(
      start: { context, name, count, attributes, line in
        let reading = unsafe XMLDocument.reading(context)
        do throws(NibFault) {
          try unsafe reading.events.start(
            XMLName(address: UInt(bitPattern: name)), XMLAttributes(count, attributes),
            line: Int(line))
        } catch { reading.refuse(error) }
      },
      end: { context, line in
        let reading = unsafe XMLDocument.reading(context)
        do throws(NibFault) {
          try reading.events.end(line: Int(line))
        } catch { reading.refuse(error) }
      },
      text: { context, start, count in
        unsafe XMLDocument.reading(context).events.text(
          UnsafeBufferPointer(start: start, count: Int(count)))
      },
      fault: { context, message, line in
        var text = unsafe message.map { unsafe String(cString: $0) } ?? ""
        while text.last?.isWhitespace == true { text.removeLast() }
        unsafe XMLDocument.reading(context).refuse(
          NibFault(
            .malformed, "the file is no well-formed XML: \(text)", line: Int(line),
            expected: "well-formed XML"))
      },
      doctype: { context, line in
        unsafe XMLDocument.reading(context).refuse(
          NibFault(
            .malformed, "the file has a document type", line: Int(line), value: "DOCTYPE",
            expected: "XML without document type and entities"))
      })
  }

  private static func reading(_ context: UnsafeMutableRawPointer?) -> Reading {
    // Safe: the context that `read` gave.
    unsafe Unmanaged<Reading>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }
}

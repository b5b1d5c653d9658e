internal import CJansson

extension JSON {
  /// Reads the first JSON value of a text.
  ///
  /// Duplicate names in an object are errors.
  ///
  /// - Parameters:
  ///   - bytes: The text, UTF-8.
  ///   - range: Where to begin, and where the text ends.
  ///   - firstLine: The number of the line where `range` begins, for messages.
  /// - Returns: The value and the index behind it.
  /// - Throws: BAD_INPUT with the line.
  static func read(
    _ bytes: [UInt8], in range: Range<Int>, firstLine: Int
  ) throws(Fault) -> (value: JSON, end: Int) {
    var error = json_error_t()
    let flags =
      Int(JSON_REJECT_DUPLICATES) | Int(JSON_DISABLE_EOF_CHECK) | Int(JSON_DECODE_ANY)
    // Safe: jansson reads `bytes` during the call only; `error` is a local; the tree is owned
    // here, copied into Swift values and given back.
    let tree = unsafe bytes.withUnsafeBytes { raw in
      unsafe json_loadb(
        raw.baseAddress?.advanced(by: range.lowerBound), range.count, flags, &error)
    }
    guard let tree = unsafe tree else {
      let text = unsafe withUnsafeBytes(of: &error.text) { raw in
        unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      var fault = Fault.badInput("this is not JSON: " + TerminalSafety.shown(text))
      fault.line = firstLine + Int(max(error.line, 1)) - 1
      throw fault
    }
    defer { unsafe json_decref(tree) }
    return (unsafe JSON(tree: tree), range.lowerBound + Int(error.position))
  }

  /// Copies a jansson value.
  private init(tree: UnsafeMutablePointer<json_t>) {
    // Safe: `tree` is the caller's for the length of this call; what jansson hands out below are
    // borrowed parts of it.
    switch unsafe tree.pointee.type {
    case JSON_OBJECT:
      var fields: [(String, JSON)] = []
      var iterator = unsafe json_object_iter(tree)
      while let current = unsafe iterator {
        if let name = unsafe json_object_iter_key(current),
          let value = unsafe json_object_iter_value(current)
        {
          fields.append((unsafe String(cString: name), unsafe JSON(tree: value)))
        }
        unsafe iterator = json_object_iter_next(tree, current)
      }
      self = .object(fields)
    case JSON_ARRAY:
      var elements: [JSON] = []
      for index in unsafe 0..<json_array_size(tree) {
        if let element = unsafe json_array_get(tree, index) {
          elements.append(unsafe JSON(tree: element))
        }
      }
      self = .array(elements)
    case JSON_STRING:
      self = .string(unsafe String(cString: json_string_value(tree)))
    case JSON_INTEGER: self = .number(Int64(unsafe json_integer_value(tree)))
    case JSON_REAL: self = .real(unsafe json_real_value(tree))
    case JSON_TRUE: self = .boolean(true)
    case JSON_FALSE: self = .boolean(false)
    default: self = .null
    }
  }

  /// Finds a number with a fraction or exponent that a double may not hold exactly.
  ///
  /// jansson keeps such numbers as doubles; up to 15 digits they come back as they were written.
  ///
  /// - Returns: The line of the first one with more than 15 digits.
  static func lineOfInexactNumber(_ bytes: [UInt8]) -> Int? {
    var line = 1
    var isInString = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      if isInString {
        if byte == UInt8(ascii: "\\") {
          index += 1
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if (0x30...0x39).contains(byte) {
        var digits = 1
        var isReal = false
        while index < bytes.count {
          let next = bytes[index]
          if (0x30...0x39).contains(next) {
            digits += 1
          } else if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
            isReal = true
          } else if next != UInt8(ascii: "+") && next != UInt8(ascii: "-") {
            break
          }
          index += 1
        }
        if isReal && digits > 15 { return line }
      }
    }
    return nil
  }
}

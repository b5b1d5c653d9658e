internal import CJansson
internal import Glibc

/// A JSON value, with an object's fields in the order in which they were given.
indirect enum JSON {
  case null
  case boolean(Bool)
  case number(Int64)
  /// A number with a fraction or an exponent, as jansson read it.
  case real(Double)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  static func integer(_ value: UInt64) -> JSON { .number(Int64(clamping: value)) }
  static func integer(_ value: Int) -> JSON { .number(Int64(value)) }

  static func path(_ path: IndexPath) -> JSON {
    .array([.integer(path.section), .integer(path.row)])
  }
}

extension JSON {
  /// The value as one line of JSON text, written by jansson.
  ///
  /// Text stays readable UTF-8; what could steer a terminal (DEL, C1 and direction controls) is
  /// escaped, as jansson does with the other controls.
  var text: [UInt8] {
    // Safe: `tree` is owned here and given back below; `dump` is malloc'd by jansson, copied and
    // freed within this function.
    let tree = unsafe makeTree()
    defer { unsafe json_decref(tree) }
    let flags = Int(JSON_COMPACT) | Int(JSON_ENCODE_ANY)
    guard let dump = unsafe json_dumps(tree, flags) else {
      fatalError("JSON text could not be made: out of memory")
    }
    defer { unsafe free(dump) }
    let length = unsafe strlen(dump)
    return unsafe UnsafeRawBufferPointer(start: dump, count: length).withMemoryRebound(
      to: UInt8.self
    ) { bytes in
      unsafe TerminalSafety.escapedJSON(bytes)
    }
  }

  /// A new jansson value with one reference, which the caller gives back.
  private func makeTree() -> UnsafeMutablePointer<json_t> {
    let made: UnsafeMutablePointer<json_t>?
    switch self {
    case .null: unsafe made = json_null()
    case .boolean(let value): unsafe made = value ? json_true() : json_false()
    case .number(let value): unsafe made = json_integer(value)
    case .real(let value): unsafe made = json_real(value)
    case .string(let value):
      var value = value
      unsafe made = value.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe json_stringn(characters.baseAddress, characters.count)
        }
      }
    case .array(let elements):
      unsafe made = json_array()
      for element in elements {
        unsafe json_array_append_new(made, element.makeTree())
      }
    case .object(let fields):
      unsafe made = json_object()
      for (name, value) in fields {
        unsafe json_object_set_new(made, name, value.makeTree())
      }
    }
    // Safe: the pointer is checked before it is handed on; jansson gives null only without memory.
    guard let made = unsafe made else { fatalError("JSON value could not be made: out of memory") }
    return unsafe made
  }
}

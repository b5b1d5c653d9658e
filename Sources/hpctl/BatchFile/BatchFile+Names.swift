/// Rows, sections and places by name (contract K9): number = id, string = title,
/// `{"as":n}` = handle; paths and indices count from 0.
extension BatchFile {
  mutating func row(_ fields: inout Fields, path: String) throws(Fault) -> RowName {
    if let value = fields.take(path) { return .path(try self.path(value, path)) }
    guard let value = fields.take("row_id") else {
      throw .badInput("\"\(path)\" or \"row_id\" is missing")
    }
    return try rowName(value, "row_id")
  }

  mutating func rowName(_ value: JSON, _ name: String) throws(Fault) -> RowName {
    sawNames = true
    if let handle = handleReference(value) { return .handle(handle) }
    guard case .number(let id) = value, id > 0 else {
      throw .badInput("\"\(name)\" has to be a row's id or {\"as\":N}")
    }
    return .id(UInt64(id))
  }

  mutating func place(_ fields: inout Fields, path: String) throws(Fault) -> Place? {
    var place: Place?
    func set(_ new: Place) throws(Fault) {
      guard place == nil else { throw .badInput("more than one place is given") }
      place = new
    }
    if let value = fields.take(path) { try set(.path(try self.path(value, path))) }
    if let value = fields.take("before") { try set(.before(try rowName(value, "before"))) }
    if let value = fields.take("after") { try set(.after(try rowName(value, "after"))) }
    if let value = fields.take("first_of") { try set(.first(try sectionName(value, "first_of"))) }
    if let value = fields.take("last_of") { try set(.last(try sectionName(value, "last_of"))) }
    return place
  }

  mutating func section(_ fields: inout Fields, index: String) throws(Fault) -> SectionName {
    if let value = fields.take(index) {
      sawPaths = true
      return .index(try self.index(value, index))
    }
    guard let value = fields.take("section_id") else {
      throw .badInput("\"\(index)\" or \"section_id\" is missing")
    }
    return try sectionName(value, "section_id")
  }

  /// Number = id, string = title, `{"as":n}` = handle (contract K9).
  mutating func sectionName(_ value: JSON, _ name: String) throws(Fault) -> SectionName {
    sawNames = true
    if let handle = handleReference(value) { return .handle(handle) }
    switch value {
    case .number(let id) where id > 0: return .id(UInt64(id))
    case .string(let title): return .title(title)
    default:
      throw .badInput("\"\(name)\" has to be a section's id, its title or {\"as\":N}")
    }
  }

  mutating func sectionPlace(
    _ fields: inout Fields, index: String
  ) throws(Fault) -> SectionPlace? {
    var place: SectionPlace?
    func set(_ new: SectionPlace) throws(Fault) {
      guard place == nil else { throw .badInput("more than one place is given") }
      place = new
    }
    if let value = fields.take(index) {
      sawPaths = true
      try set(.index(try self.index(value, index)))
    }
    if let value = fields.take("before_section") {
      try set(.before(try sectionName(value, "before_section")))
    }
    if let value = fields.take("after_section") {
      try set(.after(try sectionName(value, "after_section")))
    }
    return place
  }

  mutating func path(_ value: JSON, _ name: String) throws(Fault) -> IndexPath {
    sawPaths = true
    guard case .array(let parts) = value, parts.count == 2 else {
      throw .badInput("\"\(name)\" has to be [section, row]")
    }
    return IndexPath(section: try index(parts[0], name), row: try index(parts[1], name))
  }

  func index(_ value: JSON, _ name: String) throws(Fault) -> UInt64 {
    guard case .number(let index) = value, index >= 0 else {
      throw .badInput("\"\(name)\" counts from 0")
    }
    return UInt64(index)
  }

  func handleReference(_ value: JSON) -> UInt64? {
    guard case .object(let fields) = value, fields.count == 1, fields[0].0 == "as",
      case .number(let handle) = fields[0].1, handle > 0
    else { return nil }
    return UInt64(handle)
  }

  func handle(_ fields: inout Fields) throws(Fault) -> UInt64? {
    guard let value = fields.take("as") else { return nil }
    guard case .number(let handle) = value, handle > 0 else {
      throw .badInput("\"as\" has to be a number from 1")
    }
    return UInt64(handle)
  }
}

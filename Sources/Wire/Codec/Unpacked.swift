internal import CHPProto

/// Reads protobuf-c's structs into values that own what they hold.
///
/// Everything here is given pointers into the arena of a frame that was scanned: texts are
/// UTF-8 and end at their first NUL, enumerations hold known values, and a union's member is
/// read only as its case says.
@unsafe enum Unpacked {
  /// An index or count that adding to is safe (`Limits.greatestNumber`).
  static func index(_ value: UInt64) -> Int { Int(min(value, Limits.greatestNumber)) }

  static func string(_ text: UnsafePointer<CChar>) -> String {
    // The scan has seen that it is UTF-8: nothing is repaired.
    unsafe String(cString: text)
  }

  static func optionalString(_ text: UnsafePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    return unsafe string(text)
  }

  static func strings(
    _ list: UnsafePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int
  ) -> [String] {
    unsafe UnsafeBufferPointer(start: list, count: count).compactMap {
      unsafe optionalString($0)
    }
  }

  static func bytes(_ data: ProtobufCBinaryData) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: data.data, count: data.len))
  }

  static func cursor(_ cursor: UnsafePointer<Hp__V1__Cursor>?) -> Cursor? {
    guard let cursor = unsafe cursor else { return nil }
    return unsafe Cursor(epoch: cursor.pointee.epoch, revision: cursor.pointee.revision)
  }

  static func table(_ table: UnsafePointer<Hp__V1__TableRef>?) -> TableReference {
    guard let table = unsafe table?.pointee else { return .absent }
    switch unsafe table.ref_case {
    case HP__V1__TABLE_REF__REF_ID: return unsafe .id(table.id)
    case HP__V1__TABLE_REF__REF_NAME: return unsafe .name(string(table.name))
    default: return .absent
    }
  }

  static func row(_ row: UnsafePointer<Hp__V1__RowRef>?) -> RowReference {
    guard let row = unsafe row else { return .absent }
    switch unsafe row.pointee.ref_case {
    case HP__V1__ROW_REF__REF_ID: return unsafe .id(row.pointee.id)
    case HP__V1__ROW_REF__REF_HANDLE: return unsafe .handle(row.pointee.handle)
    case HP__V1__ROW_REF__REF_PATH:
      let path = unsafe row.pointee.path.pointee
      return unsafe .path(section: index(path.section), row: index(path.row))
    default: return .absent
    }
  }

  static func namedSection(_ section: UnsafePointer<Hp__V1__SectionRef>?) -> NamedSection {
    guard let section = unsafe section?.pointee else { return .absent }
    switch unsafe section.ref_case {
    case HP__V1__SECTION_REF__REF_ID: return unsafe .id(section.id)
    case HP__V1__SECTION_REF__REF_TITLE: return unsafe .title(string(section.title))
    case HP__V1__SECTION_REF__REF_HANDLE: return unsafe .handle(section.handle)
    case HP__V1__SECTION_REF__REF_INDEX: return unsafe .index(index(section.index))
    default: return .absent
    }
  }

  static func namedPlace(_ place: UnsafePointer<Hp__V1__Place>?) -> NamedPlace {
    guard let place = unsafe place?.pointee else { return .absent }
    switch unsafe place.place_case {
    case HP__V1__PLACE__PLACE_PATH:
      let path = unsafe place.path.pointee
      return unsafe .path(section: index(path.section), row: index(path.row))
    case HP__V1__PLACE__PLACE_BEFORE: return unsafe .before(row(place.before))
    case HP__V1__PLACE__PLACE_AFTER: return unsafe .after(row(place.after))
    case HP__V1__PLACE__PLACE_FIRST_OF: return unsafe .firstOf(namedSection(place.first_of))
    case HP__V1__PLACE__PLACE_LAST_OF: return unsafe .lastOf(namedSection(place.last_of))
    default: return .absent
    }
  }

  static func basis(_ basis: UnsafePointer<Hp__V1__Basis>?) -> Basis {
    guard let basis = unsafe basis?.pointee else { return .absent }
    switch unsafe basis.basis_case {
    case HP__V1__BASIS__BASIS_CURRENT: return unsafe basis.current != 0 ? .current : .absent
    case HP__V1__BASIS__BASIS_AT:
      guard let cursor = unsafe cursor(basis.at) else { return .absent }
      return unsafe .at(cursor, rebase: basis.rebase != 0)
    default: return .absent
    }
  }
}

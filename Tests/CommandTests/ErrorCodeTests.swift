import Glibc
import HouseSupport
import Testing

@testable import hpctl

@Suite struct ErrorCodeTests {
  /// The codes of the schema, as the C library names them.
  @Test(arguments: ErrorCode.allCases) func carriesTheNumberAndNameOfTheSchema(code: ErrorCode) {
    #expect(LibraryCodes.name(code.rawValue) == code.name)
  }

  /// Names of actors are free: another user's is told with the user.
  @Test func aConflictTellsWhose() {
    let own = UInt64(getuid())
    var conflict = Fault.Conflict(revision: 7, uid: own, actor: "anna", row: 3)
    #expect(conflict.sentence == "revision 7 by anna changed row 3")
    conflict.uid = own + 1
    conflict.isRemoved = true
    #expect(conflict.sentence == "revision 7 by anna of uid \(own + 1) removed row 3")
    conflict.isRemoved = false
    (conflict.row, conflict.column) = (nil, "name")
    #expect(
      conflict.sentence == "revision 7 by anna of uid \(own + 1) changed column \"name\"")
  }

  @Test func knowsEveryCodeOfTheSchema() {
    let known = Set(ErrorCode.allCases.map(\.rawValue))
    for number in UInt32(1)...1_000 where LibraryCodes.name(number) != "UNKNOWN" {
      #expect(known.contains(number))
    }
  }

  static let statuses: [(code: ErrorCode, status: hpctl.ExitStatus)] = [
    (.stale, .conflict), (.noSuchRow, .notFound), (.badValue, .badInput), (.internal, .refused),
    (.shuttingDown, .unreachable), (.unsupported, .refused), (.keyReused, .conflict),
  ]

  @Test(arguments: statuses) func endsByKindOfError(code: ErrorCode, status: hpctl.ExitStatus) {
    #expect(hpctl.ExitStatus(code: code) == status)
  }

  @Test func tellsPlaceValueAndHint() {
    var fault = CellValue.refused("12,34", Sample.value, hint: "write a decimal point")
    fault.line = 7
    fault.record = 6
    #expect(
      fault.sentence == "line 7 (record 6), column \"value\": \"12,34\" is not an amount")
    #expect(
      String(decoding: fault.json.text, as: UTF8.self)
        == "{\"error\":{\"code\":\"BAD_VALUE\",\"message\":\"\\\"12,34\\\" is not an amount\","
        + "\"line\":7,\"record\":6,\"column\":\"value\",\"value\":\"12,34\","
        + "\"hint\":\"write a decimal point\"}}")
  }
}

/// The columns of an item.
enum Sample {
  static let name = ColumnInfo(id: 1, name: "name", kind: .text, required: true)
  static let serial = ColumnInfo(id: 2, name: "serial", kind: .text)
  static let value = ColumnInfo(id: 3, name: "value", kind: .decimal, scale: 2, currency: "USD")
  static let created = ColumnInfo(id: 4, name: "created", kind: .timestamp, readOnly: true)
  static let columns = [name, serial, value, created]

  static func table(_ titles: [String?] = []) -> TableInfo {
    TableInfo(
      id: 1, name: "items", schemaRevision: 1, lastChanged: 1, rows: 0, columns: columns,
      sections: titles.enumerated().map { index, title in
        SectionInfo(id: UInt64(index + 1), title: title, index: UInt64(index), rows: 0)
      })
  }
}

import TableService
import Testing
import Wire

/// The wire states limits that the table keeps, and neither knows the other.
@Suite struct LimitsTests {
  @Test func bothSidesHaveTheSame() {
    #expect(Wire.Limits.text == TableLimits.text)
    #expect(Wire.Limits.row == TableLimits.row)
    #expect(Wire.Limits.columns == TableLimits.columns)
    #expect(Wire.Limits.sections == TableLimits.sections)
    #expect(Wire.Limits.title == TableLimits.title)
    #expect(Wire.Limits.greatestNumber == TableLimits.identifier)
  }
}

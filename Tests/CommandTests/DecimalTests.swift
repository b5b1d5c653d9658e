import Testing

@testable import hpctl

@Suite struct DecimalTests {
}

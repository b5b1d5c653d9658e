/// How the cells of one table's rows become cells of another's: columns are matched by name, whatever
/// the case, and by kind (contract E13).
///
/// A value is carried exactly or not at all. What can't be carried is only an error where there is a
/// value: null cells carry nothing.
struct CellRoutes {
  /// What happens to a value.
  enum Way: Equatable {
    /// It is carried as it is.
    case same
    /// A decimal gets more places.
    case times(Int64)
    /// A decimal gets fewer places, where that leaves no remainder.
    case over(Int64)
    /// It is left behind.
    case left
    /// It can't be carried: why, the value at fault where that is not the cell's, what it should be.
    case refused(TableFault.Code, value: String?, expected: String)
  }

  /// A column of the source.
  struct Route: Equatable {
    var name: String
    var source: UInt64
    var target: UInt64?
    var way: Way
    /// Whether the target's column must have a value.
    var isRequired = false
  }

  /// The source's columns, by rising id.
  let routes: [Route]

  /// Finds the way of each column.
  ///
  /// - Parameters:
  ///   - source: The columns that the rows have.
  ///   - target: The columns that they get.
  ///   - table: The target's name.
  ///   - without: Names of the source's columns that are left behind.
  /// - Throws: `noSuchColumn` for a name that the source does not have.
  init(
    from source: Schema, to target: Schema, named table: String, without: [String]
  ) throws(TableFault) {
    var left: Set<Int> = []
    for name in without {
      guard let index = source.index(named: Array(name.utf8).span) else {
        throw TableFault(.noSuchColumn, column: name, expected: "a column to leave behind")
      }
      left.insert(index)
    }
    routes = source.byID.map { index in
      let column = source.columns[index]
      var route = Route(name: column.name, source: column.id, target: nil, way: .left)
      if left.contains(index) { return route }
      guard let found = target.index(named: Array(column.name.utf8).span) else {
        route.way = .refused(
          .noSuchColumn, value: nil, expected: "a column of that name in \(table)")
        return route
      }
      let wanted = target.columns[found]
      route.target = wanted.id
      route.isRequired = wanted.isRequired
      route.way = CellRoutes.way(from: column, to: wanted)
      return route
    }
  }

  private static func way(from column: Column, to wanted: Column) -> Way {
    guard column.kind == wanted.kind else {
      return .refused(.wrongKind, value: nil, expected: "\(wanted.kind)")
    }
    guard column.kind == .decimal else { return .same }
    if let currency = column.currency, let other = wanted.currency, currency != other {
      return .refused(.wrongKind, value: currency, expected: other)
    }
    let power = (0..<abs(Int(column.scale) - Int(wanted.scale))).reduce(Int64(1)) { power, _ in
      power * 10
    }
    if power == 1 { return .same }
    return column.scale < wanted.scale ? .times(power) : .over(power)
  }
}

extension CellRoutes.Route {
  /// Why a value can't be carried, where its column as a whole can't be.
  ///
  /// - Parameter value: The value.
  /// - Returns: The fault, or `nil`.
  func fault(_ value: @autoclosure () -> CellValue) -> TableFault? {
    guard case .refused(let code, let known, let expected) = way else { return nil }
    return TableFault(code, column: name, value: known ?? value().described, expected: expected)
  }

  /// Carries a number of a column that can be carried.
  ///
  /// - Parameter number: The number in the source.
  /// - Returns: The number in the target.
  /// - Throws: `badValue`, `overflow`.
  func carry(_ number: Int64) throws(TableFault) -> Int64 {
    switch way {
    case .same, .left, .refused: return number
    case .times(let factor):
      let (product, overflows) = number.multipliedReportingOverflow(by: factor)
      guard !overflows else {
        throw TableFault(
          .overflow, column: name, value: "\(number)", expected: "an amount of 64 bits")
      }
      return product
    case .over(let divisor):
      let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
      guard rest == 0 else {
        throw TableFault(
          .badValue, column: name, value: "\(number)",
          expected: "a multiple of \(divisor), for the target has fewer decimal places")
      }
      return quotient
    }
  }
}

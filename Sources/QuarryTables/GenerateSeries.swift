public import Quarry

/// The table-valued function `generate_series` of SQLite's command line: integers from a start to a
/// stop.
///
/// ```swift
/// try db.register(table: "generate_series", GenerateSeries())
///
/// // 5, 10, 15
/// let values = try Int.fetchAll(db, sql: "SELECT value FROM generate_series(5, 15, 5)")
/// ```
///
/// The stop is 4294967295 if it is missing, and the step is 1. A negative step counts down; a step
/// of 0 is one of 1. There is no row if the stop is on the other side of the start, or if an
/// argument is NULL. The series ends where the next integer would not fit in 64 bits.
///
/// Conditions on the value, and `ORDER BY value`, are computed, not searched for.
///
/// The rowid is the value. SQLite may lose rows where an `OR` has other arguments on each side: see
/// `Database.register(table:parameters:rows:columns:)`.
///
/// See <https://www.sqlite.org/series.html>.
public struct GenerateSeries: VirtualTable {
  /// `value`, and the parameters `start`, `stop` and `step`.
  public let columns: [VirtualTableColumn] = [
    VirtualTableColumn("value"), .parameter("start"), .parameter("stop", isOptional: true),
    .parameter("step", isOptional: true),
  ]

  /// The table does no harm.
  public var trust: SchemaTrust { .innocuous }

  /// Creates the table.
  public init() {}

  /// Takes care of conditions on the value, and of the order.
  public func plan(_ query: inout VirtualTableQuery) {
    query.estimatedRowCount = 1000
    for constraint in query.constraints where constraint.column == 0 || constraint.column == nil {
      switch constraint.operator {
      case .equal, .lessThan, .lessThanOrEqual, .greaterThan,
        .greaterThanOrEqual:
        query.use(constraint)
        if constraint.operator == .equal { query.estimatedRowCount = 1 }
      default: break
      }
    }
    // No two integers are equal: further terms of the order don't matter.
    query.isOrdered = query.orderings.first.map { [0, nil].contains($0.column) } ?? false
    query.handlesLimit = true
  }

  /// Returns a cursor over the integers.
  public func makeCursor(_ db: Database, for scan: VirtualTableScan) -> Cursor {
    let arguments = scan.arguments.map { $0.map(\.castToInteger) }
    var series = Series(
      start: arguments[0] ?? 0, stop: arguments[1] ?? 0xFFFF_FFFF, step: arguments[2] ?? 1)
    for condition in scan.conditions { series.restrict(condition) }
    if scan.orderings.first.map({ $0.isDescending == series.isAscending }) == true {
      series.reverse()
    }
    series.skip(scan.offset)
    return Cursor(
      series: series, stop: arguments[1] ?? 0xFFFF_FFFF, step: arguments[2] ?? 1)
  }

  /// Reads the integers.
  public struct Cursor: VirtualTableCursor {
    fileprivate var series: Series
    fileprivate let stop: Int64
    fileprivate let step: Int64
    private var current: Int64 = 0

    fileprivate init(series: Series, stop: Int64, step: Int64) {
      self.series = series
      self.stop = stop
      self.step = step
    }

    /// Moves to the next integer.
    public mutating func next() -> Bool {
      guard let value = series.next() else { return false }
      current = value
      return true
    }

    /// The integer, or an argument that is missing.
    public func value(at column: Int) -> (any DatabaseValueConvertible)? {
      switch column {
      case 0: current
      case 2: stop
      default: step
      }
    }

    /// The integer: it is unique in its series.
    public var rowID: Int64 { current }
  }
}

/// The integers of an arithmetic series, whose limits may be those of 64 bits.
struct Series: IteratorProtocol {
  private(set) var isAscending: Bool
  /// Never 0.
  private let magnitude: UInt64
  private var first: Int64
  /// The number of the integers after the first one. Nil if there is none at all.
  private var count: UInt64?

  init(start: Int64, stop: Int64, step: Int64) {
    isAscending = step >= 0
    magnitude = max(1, step.magnitude)
    first = start
    guard isAscending ? start <= stop : start >= stop else { return }
    count = Self.distance(start, stop) / magnitude
  }

  private static func distance(_ one: Int64, _ other: Int64) -> UInt64 {
    UInt64(bitPattern: max(one, other)) &- UInt64(bitPattern: min(one, other))
  }

  /// The integer after as many steps, at most ``count``.
  private func value(_ index: UInt64) -> Int64 {
    let distance = Int64(bitPattern: index &* magnitude)
    return isAscending ? first &+ distance : first &- distance
  }

  mutating func next() -> Int64? {
    guard let rest = count else { return nil }
    defer {
      if rest > 0 { first = value(1) }
      count = rest > 0 ? rest - 1 : nil
    }
    return first
  }

  mutating func skip(_ number: Int64) {
    guard number > 0, let rest = count else { return }
    let number = UInt64(number)
    if number <= rest { first = value(number) }
    count = number <= rest ? rest - number : nil
  }

  mutating func reverse() {
    guard let count else { return }
    first = value(count)
    isAscending.toggle()
  }

  /// Leaves out integers that don't fulfil a condition. It may leave some in: SQLite looks at them
  /// again.
  mutating func restrict(_ condition: VirtualTableScan.Condition) {
    guard let bound = condition.value.bound else { return }
    switch condition.operator {
    case .equal:
      restrict(from: bound.lower)
      restrict(to: bound.upper)
    case .lessThan, .lessThanOrEqual: restrict(to: bound.upper)
    case .greaterThan, .greaterThanOrEqual: restrict(from: bound.lower)
    default: break
    }
  }

  private mutating func restrict(from lower: Int64) {
    if isAscending { moveStart(to: lower) } else { moveStop(to: lower) }
  }

  private mutating func restrict(to upper: Int64) {
    if isAscending { moveStop(to: upper) } else { moveStart(to: upper) }
  }

  private func isBefore(_ one: Int64, _ other: Int64) -> Bool {
    isAscending ? one < other : one > other
  }

  /// Leaves out the integers before a bound.
  private mutating func moveStart(to bound: Int64) {
    guard let rest = count, isBefore(first, bound) else { return }
    let distance = Self.distance(first, bound)
    let steps = distance / magnitude + (distance % magnitude == 0 ? 0 : 1)
    if steps <= rest { first = value(steps) }
    count = steps <= rest ? rest - steps : nil
  }

  /// Leaves out the integers after a bound.
  private mutating func moveStop(to bound: Int64) {
    guard let rest = count else { return }
    guard !isBefore(bound, first) else { return count = nil }
    count = min(rest, Self.distance(first, bound) / magnitude)
  }
}

extension DatabaseValue {
  /// The greatest integer that is not above a number, and the least one that is not below. Nil if
  /// it is no number.
  fileprivate var bound: (lower: Int64, upper: Int64)? {
    switch storage {
    case .int64(let integer): return (integer, integer)
    case .double(let double):
      guard double > -0x1p63, double < 0x1p63 else { return nil }
      let (floor, ceiling) = (double.rounded(.down), double.rounded(.up))
      guard let upper = Int64(exactly: floor), let lower = Int64(exactly: ceiling) else {
        return nil
      }
      return (lower, upper)
    default: return nil
    }
  }

  /// The integer that SQLite makes of the value. See
  /// <https://www.sqlite.org/c3ref/value_blob.html>.
  fileprivate var castToInteger: Int64 {
    switch storage {
    case .null: return 0
    case .int64(let integer): return integer
    case .double(let double):
      if double.isNaN { return 0 }
      return double <= -0x1p63 ? .min : double >= 0x1p63 ? .max : Int64(double)
    case .string(let text): return Self.integerPrefix(text.utf8)
    case .blob(let data): return Self.integerPrefix(data)
    }
  }

  /// The integer at the beginning of a text, as of `CAST(text AS INTEGER)`.
  private static func integerPrefix(_ bytes: some Sequence<UInt8>) -> Int64 {
    let rest = bytes.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    var digits = ""
    for byte in rest {
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || digits.isEmpty && isSign else { break }
      digits.unicodeScalars.append(Unicode.Scalar(byte))
    }
    if let integer = Int64(digits) { return integer }
    guard digits.utf8.count > 1 else { return 0 }
    return digits.hasPrefix("-") ? .min : .max
  }
}

import Quarry

/// A question of SQLite's query planner to a ``VirtualTable``: which of these constraints can the
/// table take care of, and at what cost? The answer is written into it, too.
///
/// ```swift
/// func plan(_ query: inout VirtualTableQuery) {
///   if let constraint = query.constraints.first(where: { $0.column == 0 && $0.operator == .equal }) {
///     query.use(constraint)
///     query.estimatedRowCount = 1
///   }
/// }
/// ```
///
/// A cursor may return more rows than a constraint allows: SQLite looks at them again. It must not
/// miss a row. That is less easy than it seems: the types of the two sides, the affinity of the
/// column, and the collation have a say in what is equal.
/// ``VirtualTableScan/Condition/mayHold(for:)`` knows.
///
/// See <https://www.sqlite.org/vtab.html#the_xbestindex_method>.
public struct VirtualTableQuery: Sendable {
  /// A condition that the rows have to fulfil, such as `price < ?`.
  public struct Constraint: Sendable {
    /// The position of the column in ``VirtualTable/columns``. Nil for the rowid.
    public let column: Int?

    /// The operator of the condition.
    public let `operator`: VirtualTableOperator

    /// The collation of the comparison, in upper case where it is one of SQLite: `BINARY`,
    /// `NOCASE`, `RTRIM`.
    public let collation: String

    /// Whether the condition is `column IN (...)`, with values that a scan can get all at once. See
    /// ``VirtualTableQuery/use(_:wholeList:isExact:)``.
    ///
    /// Always false before SQLite 3.38.
    public let isList: Bool

    let index: Int
  }

  /// A term of the order that the statement asks for.
  public struct Ordering: Hashable, Sendable {
    /// The position of the column in ``VirtualTable/columns``. Nil for the rowid.
    public let column: Int?

    /// Whether the greatest value comes first.
    public let isDescending: Bool
  }

  /// The conditions that the table can use. Arguments of parameters don't need to be chosen: they
  /// are always used.
  public let constraints: [Constraint]

  /// Whether a constraint says that it is a list: from SQLite 3.38.
  package static var knowsLists: Bool { SQLiteVersion.linked >= SQLiteVersion(3, 38) }

  /// The order that the statement asks for, by the collations of the columns, with NULL as the
  /// smallest value.
  public let orderings: [Ordering]

  /// Whether the cursors will return the rows in the order of ``orderings``. False by default:
  /// SQLite sorts the rows.
  public var isOrdered = false

  /// Whether the cursors will skip ``VirtualTableScan/offset`` rows, and may stop after
  /// ``VirtualTableScan/limit`` rows. False by default.
  ///
  /// It has an effect only if all constraints are used exactly, and the order as well, and not
  /// before SQLite 3.44.
  public var handlesLimit = false

  /// Whether a scan finds one row at most. False by default.
  public var isUnique = false

  /// The approximate number of rows that a scan will find.
  public var estimatedRowCount: Int64?

  /// The cost of a scan, about: the number of rows that an ordinary table would visit. By default,
  /// the number of rows.
  public var estimatedCost: Double?

  /// A number that the scans receive: see ``VirtualTableScan/strategy``.
  public var strategy: Int32 = 0

  /// A bit for each column. The last bit is that of all further columns.
  let columnMask: UInt64

  private(set) var uses: [Use] = []
  /// True if the table has used a constraint of another query.
  private(set) var hasUnknownConstraint = false

  struct Use: Sendable {
    let constraint: Constraint
    let takesList: Bool
    let isExact: Bool
  }

  init(constraints: [Constraint], orderings: [Ordering], columnMask: UInt64) {
    self.constraints = constraints
    self.orderings = orderings
    self.columnMask = columnMask
  }

  /// Takes care of a constraint: the scans receive it, with its value.
  ///
  /// - parameter constraint: One of ``constraints``.
  /// - parameter wholeList: Whether a scan receives all values of a list at once. Otherwise, there
  ///   is a scan for each value, and SQLite compares the column with these values by the affinity
  ///   of the column alone: `column IN (SELECT …)` may have other rows than in an ordinary table.
  /// - parameter isExact: Whether the cursors return only rows that fulfil the constraint, so that
  ///   SQLite need not look again. It is always so for ``VirtualTableOperator/match``: SQLite has
  ///   no such function.
  public mutating func use(
    _ constraint: Constraint, wholeList: Bool = false, isExact: Bool = false
  ) {
    let isKnown = constraints.contains {
      $0.index == constraint.index && $0.column == constraint.column
        && $0.operator == constraint.operator
    }
    if !isKnown { hasUnknownConstraint = true }
    guard isKnown, !uses.contains(where: { $0.constraint.index == constraint.index }) else {
      return
    }
    uses.append(
      Use(
        constraint: constraint, takesList: wholeList && constraint.isList,
        isExact: isExact || constraint.operator == .match))
  }

  /// Whether the statement needs the values of a column.
  public func needsColumn(_ column: Int) -> Bool { columnMask.hasColumn(column) }
}

extension VirtualTableQuery {
  /// Whether a constraint is an equality of bytes that has the rows of an ordinary table when it is
  /// used.
  ///
  /// One that may be that with the values of a list, one after the other, has not: SQLite compares
  /// each value by the affinity of the column alone. Before SQLite 3.38, any equality may be one.
  /// After that, only lists of row values are not known as lists: they make several equalities,
  /// unless they have one column of the table, as `(a, 1) IN (SELECT …)`, which looks like a join.
  /// Columns with the affinity of numbers compare in the same way in both cases.
  func isOrdinaryEquality(_ constraint: Constraint, _ columns: [VirtualTableColumn]) -> Bool {
    guard Self.knowsLists, constraint.operator == .equal, constraint.collation == "BINARY",
      let column = constraint.column
    else { return false }
    let isAlone = constraints.count(where: { $0.operator == .equal && !$0.isList }) == 1
    return constraint.isList || isAlone || columns[column].affinity.isOfNumbers
  }
}

extension UInt64 {
  func hasColumn(_ column: Int) -> Bool { self & (1 << UInt64(Swift.min(column, 63))) != 0 }
}

/// The operator of a condition on a column of a ``VirtualTable``.
///
/// See <https://www.sqlite.org/c3ref/c_index_constraint_eq.html>.
public enum VirtualTableOperator: UInt8, Hashable, Sendable, CaseIterable {
  /// `column = value`
  case equal = 2
  /// `column > value`
  case greaterThan = 4
  /// `column <= value`
  case lessThanOrEqual = 8
  /// `column < value`
  case lessThan = 16
  /// `column >= value`
  case greaterThanOrEqual = 32
  /// `column MATCH value`
  case match = 64
  /// `column LIKE value`
  case like = 65
  /// `column GLOB value`
  case glob = 66
  /// `column REGEXP value`
  case regexp = 67
  /// `column <> value`
  case notEqual = 68
  /// `column IS NOT value`
  case isNot = 69
  /// `column IS NOT NULL`
  case isNotNull = 70
  /// `column IS NULL`
  case isNull = 71
  /// `column IS value`
  case `is` = 72

  /// The operator in SQL.
  var symbol: String {
    switch self {
    case .equal: "="
    case .greaterThan: ">"
    case .lessThanOrEqual: "<="
    case .lessThan: "<"
    case .greaterThanOrEqual: ">="
    case .match: " MATCH"
    case .like: " LIKE"
    case .glob: " GLOB"
    case .regexp: " REGEXP"
    case .notEqual: "<>"
    case .isNot: " IS NOT"
    case .isNotNull: " NOTNULL"
    case .isNull: " ISNULL"
    case .is: " IS"
    }
  }
}

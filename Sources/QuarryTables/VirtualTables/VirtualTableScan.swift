public import Quarry

/// The conditions of one scan of a ``VirtualTable``.
///
/// A statement scans a table once, or many times: for each row of the tables that it is joined
/// with, for each value of a list.
public struct VirtualTableScan: Sendable {
  /// A condition that `plan(_:)` has chosen, with its value.
  public struct Condition: Sendable {
    /// The position of the column in ``VirtualTable/columns``. Nil for the rowid.
    public let column: Int?

    /// The operator of the condition.
    public let `operator`: VirtualTableOperator

    /// The values: one, or those of a list in no special order. One that means nothing for `IS
    /// NULL` and `IS NOT NULL`.
    public let values: [DatabaseValue]

    /// Whether numbers are compared as texts.
    let hasTextAffinity: Bool

    /// The value, or the first one of a list.
    public var value: DatabaseValue { values.first ?? .null }
  }

  /// The conditions, in the order in which ``VirtualTableQuery/use(_:wholeList:isExact:)`` was
  /// called.
  public let conditions: [Condition]

  /// The arguments of the parameters, in the order of ``VirtualTable/columns``. Nil for an optional
  /// one that is missing.
  public let arguments: [DatabaseValue?]

  /// The order in which the rows have to be returned: empty unless ``VirtualTableQuery/isOrdered``
  /// was set.
  public let orderings: [VirtualTableQuery.Ordering]

  /// The number of rows that are needed, after those that are skipped. Nil for all, and unless
  /// ``VirtualTableQuery/handlesLimit`` was set and had an effect.
  public let limit: Int64?

  /// The number of rows that the cursor has to skip.
  public let offset: Int64

  /// The number that `plan(_:)` has set.
  public let strategy: Int32

  let columnMask: UInt64

  /// Whether the statement needs the values of a column.
  public func needsColumn(_ column: Int) -> Bool { columnMask.hasColumn(column) }
}

extension VirtualTableScan {
  init(plan: ScanPlan, strategy: Int32, values: [[DatabaseValue]], columns: [VirtualTableColumn]) {
    let firstParameter = columns.firstIndex(where: \.isParameter) ?? columns.count
    var conditions: [Condition] = []
    var arguments = [DatabaseValue?](repeating: nil, count: columns.count - firstParameter)
    for (use, values) in zip(plan.uses, values) {
      if let column = use.column, use.isArgument {
        arguments[column - firstParameter] = values.first ?? .null
      } else {
        conditions.append(
          Condition(
            column: use.column, operator: use.operator, values: values,
            hasTextAffinity: use.column.map { columns[$0].affinity == .text } ?? false))
      }
    }
    let rest = values.dropFirst(plan.uses.count).map { $0.first?.countOfRows ?? 0 }
    let limit = plan.hasLimit ? rest.first ?? -1 : -1
    self.init(
      conditions: conditions, arguments: arguments, orderings: plan.orderings,
      limit: limit < 0 ? nil : limit, offset: plan.hasOffset ? max(0, rest.last ?? 0) : 0,
      strategy: strategy, columnMask: plan.columnMask)
  }
}

extension DatabaseValue {
  /// The number of a LIMIT or OFFSET clause, which SQLite has accepted before.
  fileprivate var countOfRows: Int64 {
    switch storage {
    case .int64(let count): count
    case .double(let count): Int64(exactly: count) ?? -1
    case .string(let text): Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) } ?? -1
    default: -1
    }
  }
}

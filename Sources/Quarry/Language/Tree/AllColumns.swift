/// All columns of the table of a request: `*`.
///
/// ```swift
/// // SELECT *, "rowid" FROM "player"
/// Player.select(.allColumns, .rowID)
/// ```
public struct AllColumns: SQLSelectable, Sendable {
  /// Creates the selection of all columns.
  public init() {}

  /// The selection.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumns) }

  /// The default selection of record types: never changed, and its element is `Sendable`.
  nonisolated(unsafe) static let selection: [any SQLSelectable] = [AllColumns()]
}

/// All columns of the table of a request, but some.
///
/// ```swift
/// // SELECT "id", "name" FROM "player"
/// Player.select(.allColumns(excluding: ["score"]))
/// ```
public struct AllColumnsExcluding: SQLSelectable, Sendable {
  private let excludedColumns: Set<BinaryText>

  /// Creates the selection of all columns but some; case is ignored.
  public init(_ excludedColumns: some Collection<String>) {
    self.excludedColumns = Set(excludedColumns.map(\.identifierKey))
  }

  /// The selection.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumnsExcluding(excludedColumns)) }
}

extension SQLSelectable where Self == AllColumns {
  /// All columns of the table of the request: `*`.
  public static var allColumns: AllColumns { AllColumns() }
}

extension SQLSelectable where Self == AllColumnsExcluding {
  /// All columns of the table of the request, but some; case is ignored.
  ///
  /// ```swift
  /// // SELECT "id", "name" FROM "player"
  /// Player.select(.allColumns(excluding: ["score"]))
  /// ```
  public static func allColumns(excluding excludedColumns: some Collection<String>) -> Self {
    AllColumnsExcluding(excludedColumns)
  }

  /// See ``allColumns(excluding:)-(Collection<String>)``.
  public static func allColumns(
    excluding excludedColumns: some Collection<any ColumnExpression>
  ) -> Self { AllColumnsExcluding(excludedColumns.map { $0.name }) }
}

// The rows that a request names by their keys.
//
// | condition | rows |
// | --- | --- |
// | `id == 1`, `1 == id`, `id === 1` | 1 |
// | `[1, 2].contains(id)` | 1, 2 |
// | `id == nil`, `false`, `[].contains(x)` | none |
// | `a && b` | those of both, or of the one that names rows |
// | `a \|\| b` | those of both, if both name rows |
// | anything else | does not name rows |
//
// The column is the one of the rowid, by its name, or as `rowid`. Only integers, doubles that are
// integers, and nulls name rows: SQLite compares other values in ways of its own.
//
// The rows are those of the table that the conditions are about. A subquery may read others of the
// same table, even of a request without rows: an aggregate has one row all the same. Right and full
// joins add rows of nulls, which are no rows of the table, and which a condition that names no row
// may select.

/// The table that a request reads its rows from, if the filters of the request may limit its region
/// to some rows.
///
/// The same for all requests with one structure, as long as the schema is the same.
struct PinnableSource {
  private let table: String
  private let key: PrimaryKeyInfo?
  private let columns: [String]
  /// False where the statement may read the table a second time, whose rows are others, and where a
  /// join adds rows of nulls.
  private let isReadOnce: Bool

  /// Nil if the source is no table.
  init?(_ relation: Relation, _ statement: Statement, in db: Database) throws {
    guard case .table(let name) = relation.source, let table = try db.schema.tableID(name),
      try !db.schema.isView(name)
    else { return nil }
    self.table = table.name
    key = try db.schema.primaryKeyIfKnown(of: name)
    columns = try db.schema.columnNames(of: name)
    isReadOnce =
      try statement.sql.hasNoSubquery && relation.readsSourceOnce(table.name, in: db.schema)
  }

  /// The region of the statement, limited to the rows of the source that a request names by their
  /// keys.
  func limit(
    _ region: DatabaseRegion, to relation: Relation, in db: Database
  ) throws -> DatabaseRegion {
    guard isReadOnce else { return region }
    // What a closure of the application returns may name other rows later.
    let lasting = relation.filters.array.filter(\.isLasting)
    let filters = try PlanningContext(db).resolve(lasting, of: relation.source)
    let pinning = RowPinning(key: key, columns: columns, aliases: relation.aliases)
    guard let rows = pinning.rows(filters) else { return region }
    return region.limited(toRows: rows, ofTable: table)
  }
}

extension Relation {
  /// False if a joined source may have the rows of a table, or adds rows of nulls.
  fileprivate func readsSourceOnce(_ table: String, in schema: some SchemaReader) throws -> Bool {
    guard tableExpressions.isEmpty else { return false }
    return try joins.allSatisfy { join in
      guard !join.kind.keepsRows,
        case .table(let name) = join.relation.source, try !schema.isView(name),
        try schema.tableID(name)?.name.isSameIdentifier(as: table) == false
      else { return false }
      return try join.relation.readsSourceOnce(table, in: schema)
    }
  }
}

extension String {
  /// False for SQL that may read a table in a subquery, or as `x IN table`.
  ///
  /// SQLite does not report all of them: neither those that it looks up in an index of their table,
  /// nor those that it turns into joins.
  fileprivate var hasNoSubquery: Bool {
    let items = SQLTokens.items(self)
    return items.count { $0.isKeyword("SELECT") } == 1
      && !zip(items, items.dropFirst()).contains { $0.isKeyword("IN") && $1 != .open }
  }
}

extension FilterClause {
  /// Whether the condition is the same as long as the schema is.
  fileprivate var isLasting: Bool {
    if case .deferred(let predicate) = self { predicate.isOfSchema } else { true }
  }
}

/// Finds the rows that conditions name.
struct RowPinning {
  /// The key of the source, nil if it is not known.
  let key: PrimaryKeyInfo?
  let columns: [String]
  let aliases: [TableAliasBase]

  /// Nil if the conditions don't name rows.
  func rows(_ filters: [FilterClause]) -> Set<Int64>? { intersection(filters.map(rows)) }

  private func rows(_ filter: FilterClause) -> Set<Int64>? {
    switch filter {
    case .expression(let expression): rows(expression)
    case .keys(let keys): keys.isEmpty ? [] : hasRowIDKey ? rowIDs(keys) : nil
    case .deferred, .uniqueKeys, .scope: nil
    }
  }

  private func rows(_ expression: SQLExpression) -> Set<Int64>? {
    guard expression.fitsStack else { return nil }
    switch expression.node {
    case .value(let value): return value.isFalse ? [] : nil
    case .comparison(.equal, let left, let right), .comparison(.identical, let left, let right):
      return isRowID(left) ? rowIDs(right) : isRowID(right) ? rowIDs(left) : nil
    case .membership(let operand, in: .list(let list), isNegated: false) where isRowID(operand):
      return union(list.map(rowIDs))
    case .associative(.and, let operands): return intersection(operands.array.map(rows))
    case .associative(.or, let operands): return union(operands.array.map(rows))
    case .collate(let inner, _): return rows(inner)
    default: return nil
    }
  }

  /// False for a table without key where `rowid` and its other names are columns.
  private var hasRowIDKey: Bool { key.map { $0.isRowID && $0.isNamed } ?? false }

  /// True for the column of the rowid of the source.
  private func isRowID(_ expression: SQLExpression) -> Bool {
    switch expression.node {
    case .column(let name):
      if key?.rowIDColumn?.isSameIdentifier(as: name) == true { return true }
      return key?.rowIDName != nil && name.isSameIdentifier(as: "rowid")
        && !columns.contains { $0.isSameIdentifier(as: name) }
    case .collate(let operand, _): return isRowID(operand)
    case .qualified(let inner, let alias): return aliases.contains(alias) && isRowID(inner)
    default: return false
    }
  }

  /// The rows of a value of the rowid. Nil for what is no value, and for values that SQLite would
  /// convert.
  private func rowIDs(_ expression: SQLExpression) -> Set<Int64>? {
    guard case .value(let value) = expression.node else { return nil }
    return rowIDs([value])
  }

  private func rowIDs(_ values: [DatabaseValue]) -> Set<Int64>? {
    var rowIDs: Set<Int64> = []
    for value in values {
      switch value.storage {
      case .null: break
      case .int64(let rowID): rowIDs.insert(rowID)
      case .double(let double):
        guard let rowID = Int64(exactly: double) else { return nil }
        rowIDs.insert(rowID)
      case .string, .blob: return nil
      }
    }
    return rowIDs
  }

  private func union(_ sets: [Set<Int64>?]) -> Set<Int64>? {
    var union: Set<Int64> = []
    for set in sets {
      guard let set else { return nil }
      union.formUnion(set)
    }
    return union
  }

  private func intersection(_ sets: [Set<Int64>?]) -> Set<Int64>? {
    sets.reduce(nil) { result, set in
      guard let result, let set else { return result ?? set }
      return result.intersection(set)
    }
  }
}

extension DatabaseValue {
  fileprivate var isFalse: Bool {
    switch storage {
    case .null, .int64(0), .double(0): true
    default: false
    }
  }
}

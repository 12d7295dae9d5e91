package import Quarry

/// A request whose rows, their values and their places depend on nothing but the row itself, so
/// that some rows can be fetched without the others: the seam of `QuarryChanges`.
///
/// The rows have the values of the order, which no two rows share, and the rowid.
package struct PlacedRows<RowDecoder>: Sendable {
  /// A term of the order, whose values compare by `BINARY`.
  package struct Term: Sendable {
    package let isDescending: Bool
    /// Whether nulls follow the other values.
    package let nullsFollow: Bool
  }

  package let terms: [Term]
  /// The name of the table, as it is declared.
  package let table: String
  /// The column that is an alias of the rowid.
  package let rowIDColumn: String?
  private let relation: Relation
  private let rowID: SQLExpression

  /// Nil where this can't be proven.
  package init?(_ request: QueryInterfaceRequest<RowDecoder>, _ db: Database) {
    let source = request.relation.source
    guard case .table(let name) = source, request.relation.hasRowsOfTable,
      let table = try? db.schema.tableID(name), table.schemaID == .main,
      let key = try? RowIDKey(of: name, in: db.schema)
    else { return nil }
    let context = PlanningContext(db)
    var ordered = request.relation
    guard let order = try? PageOrder(&ordered, in: context, db), !order.addsKey else { return nil }
    var isProven = true
    var functions: Set<String> = []
    func check(_ expression: SQLExpression) {
      if !expression.isOfRow(&functions) { isProven = false }
    }
    guard (try? request.relation.forEachExpression(in: context, check)) == true else { return nil }
    for term in order.terms {
      check(term.expression)
      if term.isNamed || !db.comparesBytes(of: term.expression, in: table) { isProven = false }
    }
    guard isProven, (try? db.isUTF8) == true,
      functions.isEmpty || (try? db.hasOnlyPureFunctions(named: functions)) == true
    else { return nil }
    terms = order.terms.map(Term.init)
    self.table = table.name
    rowIDColumn = key.column
    rowID = SQLExpression(.column(key.name))
    var relation = request.relation
    relation.selection.append(
      .items(order.selection + [SQLSelection(.aliased(rowID, PageAdapter.rowIDName))]))
    self.relation = relation
  }

  /// All rows, in their order.
  package func rows(_ db: Database) throws -> [Row] { try rows(of: relation, db) }

  /// The rows with some rowids, as far as they belong to the request, in any order.
  package func rows(_ db: Database, withRowIDs rowIDs: Set<Int64>) throws -> [Row] {
    var selected = relation
    selected.ordering = OrderingClause([])
    let rowIDs = rowIDs.sorted()
    return try stride(from: 0, to: rowIDs.count, by: 256).flatMap { start -> [Row] in
      var chunk = Array(rowIDs[start..<min(start + 256, rowIDs.count)])
      // Few numbers of arguments: statements are compiled once for each.
      while chunk.count & (chunk.count - 1) != 0 { chunk.append(chunk[0]) }
      var relation = selected
      relation.filters.append(
        .expression(.membership(rowID, in: chunk.map { SQLExpression($0.databaseValue) })))
      return try rows(of: relation, db)
    }
  }

  private func rows(of relation: Relation, _ db: Database) throws -> [Row] {
    var prepared = try QueryInterfaceRequest<RowDecoder>(relation: relation)
      .makePreparedRequest(db)
    prepared.adapter = PageAdapter(base: prepared.adapter)
    return try prepared.fetchRows(db)
  }

  /// The rowid of a row, and its values of the terms.
  package func place(of row: Row) -> (rowID: Int64, values: [DatabaseValue]) {
    let row = row.unadapted
    let first = row.count - terms.count - 1
    return (row[row.count - 1], terms.indices.map { row[first + $0] })
  }
}

extension PlacedRows.Term {
  fileprivate init(_ term: PageOrder.Term) {
    switch term.direction {
    case .unspecified, .ascending: self.init(isDescending: false, nullsFollow: false)
    case .ascendingNullsLast: self.init(isDescending: false, nullsFollow: true)
    case .descending: self.init(isDescending: true, nullsFollow: true)
    case .descendingNullsFirst: self.init(isDescending: true, nullsFollow: false)
    }
  }
}

/// The rowid of a table whose primary key is never null.
private struct RowIDKey {
  let name: String
  let column: String?

  init?(of table: String, in schema: some SchemaReader) throws {
    guard try !schema.isView(table), try !schema.isVirtual(table), try schema.hasRowID(table),
      let key = try schema.primaryKeyIfKnown(of: table), let rowIDName = key.rowIDName,
      try schema.orderingKey(of: .table(table)) == key.columns
    else { return nil }
    let columns = try schema.columns(of: table).map(\.name)
    if columns.contains(where: { $0.hasPrefix("page key ") }) { return nil }
    name = key.rowIDColumn ?? rowIDName
    column = key.rowIDColumn
  }
}

extension Relation {
  /// Whether the clauses only select, filter and order rows of one source.
  fileprivate var hasRowsOfTable: Bool {
    joins.isEmpty && !isDistinct && limit == nil && rareClauses == nil && !isCorrelated
  }

  /// Calls `body` with the expressions of selection and filters. Returns false where there is
  /// anything else in them.
  fileprivate func forEachExpression(
    in context: PlanningContext, _ body: (SQLExpression) -> Void
  ) throws -> Bool {
    for case .deferred(let clause) in filters where !clause.isOfSchema { return false }
    for case .deferred(let clause) in ordering.terms where !clause.isOfSchema { return false }
    for case .deferred(let clause) in selection where !clause.isOfSchema { return false }
    for case .expression(let condition) in try context.resolve(filters, of: source) {
      body(condition)
    }
    return try context.resolve(selection).allSatisfy { $0.forEachExpression(body) }
  }
}

extension SQLSelection {
  fileprivate func forEachExpression(_ body: (SQLExpression) -> Void) -> Bool {
    switch node {
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns: break
    case .expression(let expression), .aliased(let expression, _): body(expression)
    case .qualified(let inner, _): return inner.forEachExpression(body)
    case .literal, .invalid: return false
    }
    return true
  }
}

extension SQLExpression {
  /// Whether the value depends on the row alone, provided that some functions are pure.
  fileprivate func isOfRow(_ functions: inout Set<String>) -> Bool {
    guard fitsStack else { return false }
    switch node {
    case .column, .value, .rowIdentity: return true
    case .row, .cast, .conditional, .comparison, .associative, .between, .not, .prefix, .collate,
      .qualified:
      break
    case .binary(let op, _, _):
      if op == .match { return false }
      if op == .jsonExtract || op == .jsonExtractSQL { functions.formUnion(["->", "->>"]) }
    case .pattern(let op, _, _, _, _):
      functions.insert(op == .like ? "like" : op == .glob ? "glob" : "regexp")
    case .membership(_, let list, _): guard case .list = list else { return false }
    case .function(let call):
      guard call.isPure, !call.isAggregate, call.filter == nil else { return false }
      functions.insert(call.name.lowercased())
    case .subquery, .literal, .window, .json, .jsonElement, .exists, .isZero, .aliasExists,
      .associated, .fullText, .invalid:
      return false
    }
    return !containsChild { !$0.isOfRow(&functions) }
  }
}

extension Database {
  /// Whether values of an expression compare by their bytes, as texts.
  fileprivate func comparesBytes(of expression: SQLExpression, in table: DatabaseObjectID) -> Bool {
    switch expression.node {
    case .collate(_, let collation): return collation.isSameIdentifier(as: "BINARY")
    case .column(let name):
      let collation = try? self.collation(ofColumn: name, in: table)
      return collation?.isSameIdentifier(as: "BINARY") == true
    default: return !expression.containsChild { !comparesBytes(of: $0, in: table) }
    }
  }

  /// Whether texts are stored as UTF-8: `BINARY` compares their bytes.
  fileprivate var isUTF8: Bool {
    get throws { try String.fetchOne(self, sql: "PRAGMA encoding") == "UTF-8" }
  }

  /// False where the application has replaced a function by one that may return anything.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_function_list>.
  fileprivate func hasOnlyPureFunctions(named names: Set<String>) throws -> Bool {
    let impure = try String.fetchAll(
      self, sql: "SELECT name FROM pragma_function_list WHERE NOT builtin AND NOT flags & 0x800")
    return names.isDisjoint(with: impure.map { $0.lowercased() })
  }
}

/// A request as a value: what it selects, from which source, filtered, grouped, ordered, joined
/// how.
///
/// Columns in the clauses of a relation belong to the relation's own source. So joining a relation
/// to another one never rewrites its clauses: the planner numbers the sources, and the writer
/// qualifies.
package struct Relation: Sendable {
  package var source: Source
  /// Identities that designate the source of this relation.
  package var aliases: [TableAliasBase] = []
  package var selection: ClauseList<SelectionClause>
  package var isDistinct = false
  package var filters: ClauseList<FilterClause> = []
  package var ordering = OrderingClause()
  package var limit: Limit?
  /// Joined sources, by association key, in the order of the `JOIN` clauses.
  package var joins: [JoinNode] = []
  /// Each aggregate of an association is computed in a subquery of its own.
  var isolatesAggregates = false
  /// The request was given an order, and then another one.
  var replacesOrder = false
  /// A subquery of the library's own: it may have aliases of the enclosing query, and its sources
  /// never take the name of one that it refers to.
  package var isCorrelated = false
  /// The clauses that few requests have: changed rarely, copied often. Nil when there are none.
  var sharedRareClauses: Shared<RareClauses>?

  /// Whether SQL has a name of the application's for the source.
  package var hasNamedAlias: Bool { aliases.contains { $0.name != nil } }

  package var rareClauses: RareClauses? {
    get { sharedRareClauses?.value }
    set { sharedRareClauses = newValue.flatMap { $0.isEmpty ? nil : Shared($0) } }
  }
}

/// The origin of the rows of a relation.
package enum Source: Sendable {
  case table(String)
  /// A common table expression, by name; the definition is in a `WITH` clause.
  indirect case tableExpression(TableExpression)
  /// `(SELECT …) "name"`
  indirect case subquery(SQLSubquery, name: String)
  /// `"name"(…)`. Columns in the arguments belong to the source that it is joined to.
  indirect case function(String, [SQLExpression])

  package var name: String {
    switch self {
    case .table(let name), .function(let name, _): name
    case .tableExpression(let expression): expression.name
    case .subquery(_, let name): name
    }
  }
}

/// The definition of a common table expression.
package struct TableExpression: Sendable {
  var name: String
  var columns: [String]?
  /// Nil in its own body: there, the table expression is referred to by name.
  var body: SQLSubquery?
  var isRecursive: Bool
  /// Whether SQLite computes the rows once, or whenever they are used. Nil lets it choose.
  var isMaterialized: Bool?

  var key: BinaryText { name.identifierKey }
}

package enum SelectionClause: Sendable {
  case items([SQLSelection])
  /// Aggregates of associations. Later selections keep them.
  case aggregates([SQLSelection], isKept: Bool = false)
  /// The selection of a record type, which is asked for it when the request is planned. It belongs
  /// to the source of the alias, if there is one.
  case record(any _RecordSelection.Type, alias: TableAliasBase?)
  case deferred(Deferred<[SQLSelection]>)
}

/// A condition; the conditions of a relation are joined with `AND`.
package enum FilterClause: Sendable {
  case expression(SQLExpression)
  case deferred(Deferred<SQLExpression>)
  /// The single-column primary key is one of the values; `none` for no value.
  case keys([DatabaseValue])
  /// A unique key has the given values, for one of the dictionaries. Order of columns is the
  /// caller's.
  case uniqueKeys([[(column: String, value: DatabaseValue)]])
  /// The rows that are marked as deleted are left out.
  indirect case scope(DeletionScope)

  var expression: SQLExpression? {
    if case .expression(let expression) = self { expression } else { nil }
  }
}

package enum GroupingClause: Sendable {
  case expressions([SQLExpression])
  case deferred(Deferred<[SQLExpression]>)
  case primaryKey
}

/// The ordering of a relation: its own terms, before those of its joined relations.
package struct OrderingClause: Sendable {
  package var terms: [Term] = []
  /// All that the relation renders is reversed, its joined relations included.
  package var isReversed = false
  /// The primary key is appended, here and in joined relations.
  package var isStable = false
  /// The order is that of an association: a request for its records may have another one.
  var isDefault = false

  package enum Term: Sendable {
    case ordering(SQLOrdering)
    case deferred(Deferred<[SQLOrdering]>)
  }
}

extension OrderingClause {
  package init(_ terms: [Term]) { self.init(terms: terms) }
}

package struct Limit: Sendable {
  var count: Int
  var offset: Int?

  package init(count: Int, offset: Int? = nil) {
    self.count = count
    self.offset = offset
  }
}

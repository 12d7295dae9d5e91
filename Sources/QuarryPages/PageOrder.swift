import Quarry

/// The order of the rows of a request, as a list of terms in which no two rows are equal: those of
/// the request, then the primary key.
struct PageOrder {
  private(set) var terms: [Term] = []
  /// Whether the request has an order that is not total by itself.
  private(set) var addsKey = false
  private let context: PlanningContext
  private let db: Database
  /// Whether a row may be one of nulls, on both sides of a join.
  private let hasOuterRows: Bool
  private let names: SelectedNames
  private let rootAliases: [TableAliasBase]
  private let isGrouped: Bool
  /// Joined sources that may have several rows for a row of the root, or rows without one.
  private var repeated: Set<TableAliasBase> = []

  struct Term {
    var expression: SQLExpression
    /// Whether `ORDER BY` refers to the selected value, since SQLite may find another value under
    /// the name that the expression is: https://www.sqlite.org/lang_select.html#orderby
    var isNamed = false
    var direction: SQLOrdering.Direction
    /// The column that the expression is, and the alias of its source.
    var column: (name: String, alias: TableAliasBase?)?
    var isNeverNull = false
    /// Whether a comparison may convert values by the affinity of a column.
    var isConverted = false
  }

  /// Takes the order of a relation out of its joined relations.
  ///
  /// - Throws: `InvalidRequest` for an order that is not total, or can't be compared with values.
  init(_ relation: inout Relation, in context: PlanningContext, _ db: Database) throws {
    self.context = context
    self.db = db
    hasOuterRows = relation.joins.hasOuterRows
    names = try relation.orderByNamedValues(in: context)
    rootAliases = relation.aliases
    isGrouped = relation.grouping != nil
    var keys: [(source: Source, alias: TableAliasBase?)] = [(relation.source, nil)]
    try take(&relation, alias: nil, isReversed: false, isStable: false) { keys.append(($0, $1)) }
    let direction: SQLOrdering.Direction =
      terms.last?.isDescending == true ? .descending : .unspecified
    let count = terms.count
    for key in keys { try appendKey(of: key.source, key.alias, direction) }
    addsKey = terms.count > count
    if try relation.hasUnconvertedValues(in: context.schema) { removeAffinities() }
  }

  /// Removes the affinities of all terms but the columns of their own sources: an expression may be
  /// a column of another one, or a subquery, which has the affinity of what it selects.
  mutating func removeAffinities() {
    for index in terms.indices where terms[index].column == nil { terms[index].isConverted = true }
  }

  /// Whether all terms are columns that have one value for each row of the root.
  var isOfRoot: Bool {
    terms.allSatisfy { term in
      guard let column = term.column else { return false }
      return !isRepeated(column.alias)
    }
  }

  private func isRepeated(_ alias: TableAliasBase?) -> Bool {
    alias.map { repeated.contains($0) } ?? false
  }

  var selection: [SQLSelection] {
    terms.enumerated().map { index, term in
      SQLSelection(.aliased(term.expression, PageAdapter.columnName(index + 1)))
    }
  }

  /// - parameter isSelected: whether the values of the terms are selected, and have names.
  func orderings(isReversed: Bool, isSelected: Bool = true) -> [OrderingClause.Term] {
    terms.enumerated().map { index, term in
      let direction = isReversed ? term.direction.reversed : term.direction
      let name = Column(PageAdapter.columnName(index + 1)).detached
      let expression = isSelected && term.isNamed ? name : term.expression
      return .ordering(SQLOrdering(.expression(expression, direction)))
    }
  }

  func position(_ cursor: PageCursor, _ fingerprint: UInt64) throws -> PagePosition {
    let position = try PagePosition(cursor.text)
    guard position.order == fingerprint, position.values.count == terms.count else {
      throw PageCursorError(
        reason: .otherOrder,
        message: "The cursor belongs to another order, or to another table: use it with the order "
          + "of the page that it comes from, or begin with the first page", cursor: cursor.text)
    }
    return position
  }
}

// Collecting the terms.
extension PageOrder {
  private mutating func take(
    _ relation: inout Relation, alias: TableAliasBase?, isReversed: Bool, isStable: Bool,
    key: (Source, TableAliasBase) -> Void
  ) throws {
    try context.checkStack()
    let ordering = try context.resolve(relation.ordering)
    let isReversed = ordering.isReversed != isReversed
    let isStable = ordering.isStable || isStable
    relation.ordering = OrderingClause([])
    for case .ordering(let ordering) in ordering.terms {
      try append(ordering, of: relation.source, alias, isReversed: isReversed)
    }
    if isStable, case .table(let table) = relation.source,
      try context.schema.primaryKeyIfKnown(of: table) != nil
    {
      try appendKey(of: relation.source, alias, isReversed ? .descending : .unspecified)
    }
    for index in relation.joins.indices {
      let joined = TableAliasBase(name: nil)
      let node = relation.joins[index]
      let isToMany =
        try node.kind == .right || node.kind == .full
        || !context.isToOne(node.condition, from: relation.source, to: node.relation.source)
      if isToMany, !isGrouped { key(node.relation.source, joined) }
      if isToMany || isRepeated(alias) { repeated.insert(joined) }
      relation.joins[index].relation.aliases.append(joined)
      try take(
        &relation.joins[index].relation, alias: joined, isReversed: isReversed, isStable: isStable,
        key: key)
    }
  }

  private mutating func append(
    _ ordering: SQLOrdering, of source: Source, _ alias: TableAliasBase?, isReversed: Bool
  ) throws {
    let (expressions, direction): ([SQLExpression], SQLOrdering.Direction)
    switch ordering.node {
    case .expression(let expression, let order): (expressions, direction) = ([expression], order)
    case .columns(let columns, let order):
      (expressions, direction) = (columns.map { SQLExpression(.column($0)) }, order)
    case .primaryKey(let order):
      let columns = try context.schema.primaryKeyColumns(of: source)
      (expressions, direction) = (columns.map { SQLExpression(.column($0)) }, order)
    case .literal:
      throw InvalidRequest(
        "Pages can't have an order in SQL, whose terms and directions are unknown. To fix this "
          + "error, order by expressions. For example: "
          + "order(SQL(\"score + bonus\").sqlExpression.desc)")
    }
    for expression in expressions {
      try appendTerm(
        alias == nil ? columnOfRoot(expression) : expression, of: source, alias,
        isReversed ? direction.reversed : direction)
    }
  }

  private func columnOfRoot(_ expression: SQLExpression) -> SQLExpression {
    guard case .qualified(let column, let alias) = expression.node, rootAliases.contains(alias)
    else { return expression }
    return column
  }

  private mutating func appendTerm(
    _ expression: SQLExpression, of source: Source, _ alias: TableAliasBase?,
    _ direction: SQLOrdering.Direction
  ) throws {
    try expression.checkPages()
    var term = Term(expression: expression, direction: direction)
    let isNameOfOther = alias == nil && names.selectedExpression(of: expression) != nil
    term.isNamed = isNameOfOther || names.areUnknown
    if case .column(let name) = expression.node {
      term.column = (name, alias)
      term.isConverted = try context.schema.mayConvert(name, of: source)
      if alias == nil, !hasOuterRows, case .table(let table) = source {
        term.isNeverNull = try context.schema.isNeverNull(name, in: table)
      }
    }
    // Raw SQL may be an operator, or more than an expression.
    if case .literal = expression.node {
      term.isNamed = true
      term.expression = SQL("(\(expression))").sqlExpression
    }
    if let alias { term.expression = term.expression.qualified(by: alias) }
    terms.append(term)
  }

  private mutating func appendKey(
    of source: Source, _ alias: TableAliasBase?, _ direction: SQLOrdering.Direction
  ) throws {
    for column in try db.orderingKey(of: source)
    where !terms.contains(where: { $0.isColumn(column, of: alias) }) {
      try appendTerm(SQLExpression(.column(column)), of: source, alias, direction)
    }
  }
}

extension PageOrder.Term {
  fileprivate var isDescending: Bool {
    direction == .descending || direction == .descendingNullsFirst
  }

  fileprivate func isColumn(_ name: String, of alias: TableAliasBase?) -> Bool {
    guard let column else { return false }
    return column.name.isSameIdentifier(as: name) && column.alias === alias
  }
}

extension [JoinNode] {
  fileprivate var hasOuterRows: Bool {
    contains { $0.kind == .right || $0.kind == .full || $0.relation.joins.hasOuterRows }
  }
}

extension Relation {
  fileprivate func hasUnconvertedValues(in schema: some SchemaReader) throws -> Bool {
    try schema.hasUnconvertedValues(of: source)
      || joins.contains { try $0.relation.hasUnconvertedValues(in: schema) }
  }
}

extension SQLExpression {
  fileprivate func checkPages() throws {
    if hasWindow {
      throw InvalidRequest(
        "Pages can't be ordered by a window function, which sees the rows of its page only")
    }
    let isPartOfNumber = { (character: Character) in
      character.isNumber || character.isWhitespace || "()+-".contains(character)
    }
    if let text = rawText, text.allSatisfy(isPartOfNumber) {
      throw InvalidRequest(
        "Pages can't be ordered by the number of a column: \(text). To fix this error, order by "
          + "the column.")
    }
  }

  /// The text of SQL without any interpolation.
  private var rawText: String? {
    guard case .literal(let sql) = node, sql.elements.count == 1,
      case .raw(let text, _)? = sql.elements.first
    else { return nil }
    return text
  }
}

extension Database {
  /// Columns in which no two rows are equal, and none is null.
  fileprivate func orderingKey(of source: Source) throws -> [String] {
    let columns = try schema.orderingKey(of: source)
    guard case .table(let table) = source,
      let other = try columnComparedOtherwise(inKeyOf: table, columns)
    else { return columns }
    if let rowID = try schema.primaryKeyIfKnown(of: table)?.rowIDName { return [rowID] }
    throw InvalidRequest(
      "The order of the rows is not total: the primary key of \(source.description) compares "
        + "column \(other.column.quotedDatabaseIdentifier) by \(other.collation), and the column "
        + "has another collation. To fix this error, declare the collation with the column.")
  }

  /// A column whose values may be equal in two rows, since the index of the primary key has another
  /// collation.
  private func columnComparedOtherwise(
    inKeyOf table: String, _ columns: [String]
  ) throws -> (column: String, collation: String)? {
    let key = try schema.primaryKeyIfKnown(of: table)
    guard let collations = key?.keyCollations else { return nil }
    for column in columns {
      guard let collation = collations[column.identifierKey] else { continue }
      if try !schema.comparesBytes(of: column, in: table) { return (column, collation) }
    }
    return nil
  }
}

extension SchemaReader {
  /// Whether columns may have values that a comparison would convert by their affinity: those of
  /// ordinary tables are converted already.
  fileprivate func hasUnconvertedValues(of source: Source) throws -> Bool {
    guard case .table(let table) = source else { return true }
    return try isView(table) || isVirtual(table)
  }

  /// Whether a comparison may convert the values of a column.
  fileprivate func mayConvert(_ name: String, of source: Source) throws -> Bool {
    guard case .table(let table) = source, try isVirtual(table) else {
      return try hasUnconvertedValues(of: source)
    }
    // No affinity, or the rowid: the table may find the rows.
    guard let column = try columns(of: table).first(where: { $0.name.isSameIdentifier(as: name) })
    else { return try !isNeverNull(name, in: table) }
    return column.affinity != .none
  }

  /// Columns in which no two rows are equal, and none is null.
  func orderingKey(of source: Source) throws -> [String] {
    guard case .table(let table) = source, let key = try primaryKeyIfKnown(of: table), key.isNamed
    else {
      throw InvalidRequest(
        "The order of the rows is not total: \(source.description) has no primary key. To fix this "
          + "error, declare the key of a view in the schemaSource of the configuration, or page "
          + "the records of a table whose key is IN a subquery.")
    }
    // The columns of a primary key may be null, in any number of rows, and the rowid never is:
    // https://www.sqlite.org/lang_createtable.html#the_primary_key
    if let rowID = key.rowIDName, !key.isRowID,
      try !key.columns.allSatisfy({ try isNeverNull($0, in: table) })
    {
      return [rowID]
    }
    return key.columns
  }

  fileprivate func isNeverNull(_ column: String, in table: String) throws -> Bool {
    let key = try primaryKeyIfKnown(of: table)
    if let key, key.isRowID, key.columns.contains(where: { $0.isSameIdentifier(as: column) }) {
      return true
    }
    if try isView(table) { return false }
    guard let info = try columns(of: table).first(where: { $0.name.isSameIdentifier(as: column) })
    else { return key?.rowIDName?.isSameIdentifier(as: column) == true }
    return info.isNotNull || (info.primaryKeyIndex > 0 && key?.rowIDName == nil)
  }
}

import Foundation
import Quarry

/// The request of a page, and what its cursors are made of.
struct PagePlan {
  let relation: Relation
  private let order: PageOrder
  private let fingerprint: UInt64
  private let position: PagePosition?
  private let isBackward: Bool
  private let limit: Int

  /// - Throws: `InvalidRequest` for a request that has no pages; ``PageCursorError``.
  init(
    _ relation: Relation, cursor: PageCursor?, isBackward: Bool, limit: Int,
    _ db: Database
  ) throws {
    guard limit > 0 else {
      throw InvalidRequest("A page has at least one row: its limit can't be \(limit)")
    }
    let context = PlanningContext(db)
    try relation.checkPages(in: context)
    var ordered = relation
    var order = try PageOrder(&ordered, in: context, db)
    ordered.selection.append(.items(order.selection))
    ordered.ordering = OrderingClause(order.orderings(isReversed: false, isSelected: false))
    let text = try SQLWriter.write(orderOf: ordered, in: context)
    if text.sql.hasSubquery { order.removeAffinities() }
    let fingerprint = try ordered.fingerprint(ofOrder: text)
    let position = try cursor.map { try order.position($0, fingerprint) }
    ordered.ordering.terms = order.orderings(isReversed: isBackward)
    ordered.limit = Limit(count: limit == .max ? limit : limit + 1)
    if let position {
      let condition = FilterClause.expression(
        order.condition(beyond: position, isReversed: isBackward))
      // Aggregates are known to HAVING only, and WHERE would remove rows of groups.
      if relation.grouping != nil, !order.isOfRoot {
        ordered.havings.append(condition)
      } else {
        ordered.filters.append(condition)
      }
    }
    self.relation = ordered
    self.order = order
    self.fingerprint = fingerprint
    self.position = position
    self.isBackward = isBackward
    self.limit = limit
  }

  /// The page, and its cursors. A row that the page has no place for is only the sign of another
  /// page.
  func page<Record>(of rows: [Row], _ decode: (Row) throws -> Record) throws -> Page<Record> {
    if let row = rows.first?.unadapted { try checkNames(of: row) }
    let shown = rows.prefix(limit)
    let near = try cursor(shown.first)
    let far = try rows.count > limit ? cursor(shown.last) : nil
    // Where the page begins at a position, there are rows on its other side.
    let back = position.flatMap { shown.isEmpty ? cursor(beside: $0) : near }
    let records = try shown.map(decode)
    guard isBackward else { return Page(records: records, next: far, previous: back) }
    return Page(records: records.reversed(), next: back, previous: far)
  }

  /// - Throws: `InvalidRequest` for a selected value with the name of one of the order.
  private func checkNames(of row: Row) throws {
    let names = Array(row.columnNames).filter { $0.hasPrefix("page key ") }
    guard names.count > order.terms.count else { return }
    throw InvalidRequest(
      "The request selects a value whose name begins with \"page key \": pages select the values of "
        + "the order by such names. To fix this error, give it another name.")
  }

  private func cursor(_ row: Row?) throws -> PageCursor? {
    guard let row = row?.unadapted else { return nil }
    let values = try (1...order.terms.count).map { number in
      try row.exactValue(forColumn: PageAdapter.columnName(number))
    }
    return PageCursor(PagePosition(order: fingerprint, values: values))
  }

  /// The cursor of an empty page: the way back includes the row of the position itself, unless the
  /// page did so.
  private func cursor(beside position: PagePosition) -> PageCursor {
    var position = position
    position.isInclusive.toggle()
    return PageCursor(position)
  }
}

extension Relation {
  /// Refuses a request whose rows would be others on a page.
  fileprivate func checkPages(in context: PlanningContext) throws {
    if let fault { throw fault }
    if limit != nil {
      throw InvalidRequest(
        "The request has a limit: a page has one of its own. To fix this error, remove limit(…).")
    }
    if isDistinct {
      throw InvalidRequest(
        "The request is distinct, which its pages are not, since they select the values of the "
          + "order. To fix this error, page the rows whose key is IN a subquery.")
    }
    let grouping = grouping
    switch grouping {
    case nil, .primaryKey?: break
    case .expressions?, .deferred?:
      throw InvalidRequest(
        "The groups of a request have no primary key, which orders the rows of pages. "
          + "To fix this error, group in a subquery, and page the records that it annotates.")
    }
    let selection = try selections(in: context)
    var references = References(context)
    try references.visit(selection)
    if !windows.isEmpty || selection.contains(where: \.hasWindow) || references.mentions("over") {
      throw InvalidRequest(
        "A window function sees the rows of its page only. To fix this error, compute it in a "
          + "common table expression, and join that one.")
    }
    if grouping == nil, selection.contains(where: \.isAggregate) {
      throw InvalidRequest("A request that selects an aggregate has one row, and no pages")
    }
  }

  /// What the relation selects, and all joined ones.
  private func selections(in context: PlanningContext) throws -> [SQLSelection] {
    try context.checkStack()
    return try joins.reduce(into: context.resolve(selection)) { all, join in
      all += try join.relation.selections(in: context)
    }
  }

  /// Identifies the order of the request, in all processes: that of its SQL.
  ///
  /// - Throws: `InvalidRequest` for a random order.
  fileprivate func fingerprint(ofOrder text: SQLText) throws -> UInt64 {
    if text.sql.callsRandomFunction {
      throw InvalidRequest(
        "Pages can't have a random order, which is another one on each page. To fix this error, "
          + "store the random values in a column, and order by it.")
    }
    // The text has the number of the bytes of a blob only.
    let blobs = text.arguments.values.flatMap { value -> Data in
      if case .blob(let data) = value.storage { data } else { Data() }
    }
    return UInt64(
      fingerprintOf: Array("\(source.name)\(text.sql) \(text.arguments)".utf8) + blobs)
  }
}

extension String {
  fileprivate var hasSubquery: Bool { SQLTokens.items(self).contains { $0.isKeyword("SELECT") } }

  /// Whether SQL calls `random()` or `randomblob()`, wherever in an expression.
  fileprivate var callsRandomFunction: Bool {
    var tokens = SQLTokens(self)
    var isName = false
    while let token = tokens.next() {
      switch token {
      case .comment: break
      case .word(let range), .quoted(let range):
        isName = ["random", "randomblob"].contains(tokens.text(range).lowercased())
      case .symbol(let symbol, _):
        if isName, symbol == UInt8(ascii: "(") { return true }
        isName = false
      }
    }
    return false
  }
}

extension SQLSelection {
  fileprivate var isAggregate: Bool {
    switch node {
    case .expression(let expression), .aliased(let expression, _): expression.isAggregate
    case .qualified(let inner, _): inner.isAggregate
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns, .literal, .invalid: false
    }
  }
}

extension Row {
  /// The value of a column, byte for byte.
  fileprivate func exactValue(forColumn name: String) throws -> DatabaseValue {
    let value = try decode(DatabaseValue.self, forColumn: name)
    // Not a character: one has the marks that follow it, too.
    guard case .string(let text) = value.storage, text.unicodeScalars.contains("\u{fffd}") else {
      return value
    }
    let isExact = try withUnsafeData(named: name) { bytes in
      bytes?.elementsEqual(text.utf8) ?? false
    }
    guard isExact else {
      throw InvalidRequest(
        "The page ends at the text \(text.debugDescription), which is no valid UTF-8 in the "
          + "database: a cursor can't hold it. To fix this error, order by CAST(… AS BLOB).")
    }
    return value
  }
}

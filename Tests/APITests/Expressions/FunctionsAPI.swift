import Quarry

func functions() {
  let score = Column("score")
  let filter = Column("id") > 1
  let _: [SQLExpression] = [
    abs(score), average(score, filter: filter), average(score), cast(score, as: .real),
    coalesce([score, Column("id")]), coalesce([abs(score), score + 1]),
    coalesce([score, score + 1]), coalesce([score, 1.databaseValue]), count(score),
    count(distinct: score), length(Column("name")),
    max(score, 1), max(score, Column("id"), 3), max(score, filter: filter), max(score),
    min(score, 1), min(score, Column("id"), 3), min(score, filter: filter), min(score),
    sum(score, filter: filter), sum(score), total(score, filter: filter), total(score),
    julianDay(score), julianDay(score, .day(1), .utc), dateTime(score),
    dateTime(score, .startOfMonth, .month(1), .second(-1.5)),
    count(score + 1), sum(score * 2), length(Columns.name), abs(-score),
  ]
}

func dateModifiers(_ modifier: SQLDateModifier) {
  let modifiers: [SQLDateModifier] = [
    .second(0.5), .minute(1), .hour(1), .day(-1), .month(1), .year(1), .startOfDay, .startOfMonth,
    .startOfYear, .weekday(0), .unixEpoch, .localTime, .utc,
  ]
  let _: [SQLExpression] = modifiers.map(\.sqlExpression)
  switch modifier {
  case .second(let value): let _: Double = value
  case .minute(let value), .hour(let value), .day(let value), .month(let value),
    .year(let value), .weekday(let value):
    let _: Int = value
  case .startOfDay, .startOfMonth, .startOfYear, .unixEpoch, .localTime, .utc: break
  }
}

func columns() {
  var column = Column("score")
  column.name = "name"
  _ = Column(PlayerKeys.score)
  let _: Column = .rank
  let _: Column = .rowID
  let _: SQLExpression = column.sqlExpression
  let _: SQLExpression = column.detached
  let _: String = Columns.name.name
  let _: SQLExpression = Columns.name.sqlExpression
  let _: SQLExpression = Columns.name.detached
  let _: any SQLExpressible = .rowID
  let _: any SQLSelectable = .rowID
  let _: any ColumnExpression = .rowID
}

enum PlayerKeys: String, CodingKey, ColumnExpression {
  case id, name, score
}

func assignments() {
  let score = Column("score")
  let _: [ColumnAssignment] = [
    score.set(to: 1), score.set(to: nil), score.set(to: score + 1), score.noOverwrite,
    score += 1, score -= 1, score *= 2, score /= 2, score &= 1, score |= 1, score <<= 1,
    score >>= 1, score += Column("bonus"), Columns.score += 1, Columns.score.set(to: "a"),
    PlayerKeys.score.set(to: 1),
  ]
}

func expressionOperators() {
  let _: [SQLExpression.AssociativeBinaryOperator] = [
    .add, .multiply, .and, .or, .concat, .bitwiseAnd, .bitwiseOr,
  ]
  let expressions = [Column("a"), Column("b")]
  let _: SQLExpression = expressions.joined(operator: .add)
  let _: SQLExpression = [Column("a"), Column("b") + 1].joined(operator: .concat)
  let mixed: [any SQLSpecificExpressible] = [Column("a"), Column("b") + 1]
  let _: SQLExpression = mixed.joined(operator: .concat)
  let _: Set<SQLExpression.AssociativeBinaryOperator> = [.add]
}

func selections() {
  let _: AllColumns = AllColumns()
  let _: SQLSelection = AllColumns().sqlSelection
  let _: AllColumnsExcluding = AllColumnsExcluding(["id"])
  let _: SQLSelection = AllColumnsExcluding(["id"]).sqlSelection
  let _: [any SQLSelectable] = [
    .allColumns, .allColumns(excluding: ["id"]), .allColumns(excluding: [Column("id")]),
    .allColumns(excluding: Set(["id"])), .rowID, Column("id"),
    Column("id").forKey("identifier"), AllColumns(),
  ]
}

/// An expression of an application.
struct Doubled: SQLSpecificExpressible {
  var base: Column

  var sqlExpression: SQLExpression { base * 2 }
}

/// A raw value is an expression, an ordering, a selection.
enum Sorting: String, SQLExpressible, SQLOrderingTerm, SQLSelectable {
  case name

  var sqlOrdering: SQLOrdering { Column(rawValue).sqlOrdering }
  var sqlSelection: SQLSelection { Column(rawValue).sqlSelection }
}

func rawRepresentableExpressions() {
  let _: SQLExpression = Sorting.name.sqlExpression
  let _: SQLOrdering = Sorting.name.sqlOrdering
  let _: SQLSelection = Sorting.name.sqlSelection
  let _: SQLSelection = ColumnName(rawValue: Column("id")).sqlSelection
  let _: SQLOrdering = ColumnName(rawValue: Column("id")).sqlOrdering
  let _: SQLExpression = Doubled(base: Column("id")) == 4
}

/// Forwards to its raw value.
struct ColumnName: RawRepresentable, SQLExpressible, SQLSelectable, SQLOrderingTerm {
  var rawValue: Column
}

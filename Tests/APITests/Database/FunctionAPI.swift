import Quarry

func databaseFunctions(_ db: Database) throws {
  let reverse = DatabaseFunction("reverse", argumentCount: 1, pure: true) { dbValues in
    String.fromDatabaseValue(dbValues[0]).map { String($0.reversed()) }
  }
  let count = DatabaseFunction("counted") { dbValues in dbValues.count }
  let failing = DatabaseFunction("failing", argumentCount: 0) { _ in
    throw DatabaseError(message: "failed")
  }
  _ = DatabaseFunction("nothing", argumentCount: nil, pure: false, function: { _ in nil })
  db.add(function: reverse)
  db.add(function: count)
  db.remove(function: failing)
  let _: String = reverse.name
  let _: DatabaseFunction.ID = reverse.id
  let _: Set<DatabaseFunction.ID> = [reverse.id, count.id]
  let _: SQLExpression = reverse(Column("name"))
  let _: SQLExpression = count(Column("name"), 1, "text", Player.Columns.score)
  _ = try Player.select(reverse(Column("name")), as: String.self).fetchAll(db)
  _ = try Player.filter(reverse(Column("name")) == "ecilA").fetchAll(db)
}

func predefinedFunctions() {
  let functions: [DatabaseFunction] = [
    .capitalize, .lowercase, .uppercase, .localizedCapitalize, .localizedLowercase,
    .localizedUppercase,
  ]
  let _: [SQLExpression] = functions.map { $0(Column("name")) }
}

struct LastValue: DatabaseAggregate {
  var value = DatabaseValue.null

  mutating func step(_ dbValues: [DatabaseValue]) throws { value = dbValues[0] }

  func finalize() throws -> (any DatabaseValueConvertible)? { value }
}

func databaseAggregates(_ db: Database) throws {
  let last = DatabaseFunction("last", argumentCount: 1, aggregate: LastValue.self)
  _ = DatabaseFunction("last", aggregate: LastValue.self)
  _ = DatabaseFunction("last", argumentCount: nil, pure: true, aggregate: LastValue.self)
  db.add(function: last)
  _ = try Player.select(last(Column("name")), as: String.self).fetchOne(db)
}

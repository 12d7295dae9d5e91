import QuarryTestSupport

@testable import Quarry

/// The number of notifications of a region, for each step.
func notifications(
  _ region: some DatabaseRegionConvertible, in db: Database,
  of steps: [(Database) throws -> Void]
) throws -> [Int] {
  let log = Log<Int>()
  let observer = try RegionObserver(region.databaseRegion(db).observed(in: db)) { _ in
    log.append(1)
  }
  db.add(observer)
  defer { observer.cancel() }
  return try steps.map { step in
    log.removeAll()
    try step(db)
    return log.elements.count
  }
}

/// The number of notifications of a region, for each text of SQL.
func notifications(
  _ region: some DatabaseRegionConvertible, in db: Database, _ statements: [String]
) throws -> [Int] {
  try notifications(
    region, in: db, of: statements.map { sql in { db in try db.execute(sql: sql) } })
}

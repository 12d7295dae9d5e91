// A library on a cluster. Without a cluster, the functions are not called.

import Foundation
import Quarry
import QuarryCluster

struct Loan: Codable, FetchableRecord, PersistableRecord {
  var id: UUID
  var reader: String
}

func open() throws -> DatabaseCluster {
  // snippet.open
  let cluster = try DatabaseCluster(
    nodes: ["10.0.0.1:9001", "10.0.0.2:9001", "10.0.0.3:9001"], name: "library")
  var migrator = DatabaseMigrator()
  migrator.registerMigration("loans") { db in
    try db.create(table: "loan") { t in
      t.primaryKey("id", .text)
      t.column("reader", .text).notNull()
    }
  }
  try migrator.migrate(cluster)
  try cluster.write { db in
    try Loan(id: UUID(), reader: "Anna").insert(db)
  }
  let count = try cluster.read { db in try Loan.fetchCount(db) }
  // snippet.end
  print(count)
  return cluster
}

// snippet.outcome
/// Lends a book, once, whatever happens to the connection.
func lend(_ loan: Loan, on cluster: DatabaseCluster) throws {
  do {
    try cluster.write { db in try loan.insert(db) }
  } catch let error as ClusterError where error.code == .commitOutcomeUnknown {
    // The key was made here: the row is there if the transaction was committed.
    let isStored = try cluster.read { db in try Loan.exists(db, key: loan.id) }
    if !isStored { try lend(loan, on: cluster) }
  }
}
// snippet.end

func listen(_ cluster: DatabaseCluster) {
  // snippet.capabilities
  if !cluster.capabilities.contains(.rowEvents) {
    // Changes of single rows are not reported: observe regions.
  }
  // snippet.end
}

if CommandLine.arguments.contains("--run") {
  let cluster = try open()
  try lend(Loan(id: UUID(), reader: "Ben"), on: cluster)
  listen(cluster)
}

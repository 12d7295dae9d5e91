import ArgumentParser
import Foundation
import Quarry

/// Compares two databases.
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares the schemas of two databases, and the rows of their tables by key.",
    discussion: """
      Lines begin with - for what the first database has alone, + for the second one, ~ for what has changed. The exit \
      code is 1 if the databases differ. Tables without primary key are compared as sets of rows; those of virtual \
      tables are not compared.

      Example: quarry diff shop.sqlite shop-before.sqlite
      """)

  @Argument(help: "The first database file.", completion: .file())
  var first: String

  @Argument(help: "The second database file.", completion: .file())
  var second: String

  @Option(help: "How many rows of a table are shown; all of them are counted. 0 for none.")
  var limit = 20

  @Flag(help: "Compare the schemas alone.")
  var schema = false

  @Option(help: "How many seconds to wait for a locked file.")
  var timeout: Double = 5

  func run() throws {
    let other = DatabaseFile(path: second, timeout: timeout)
    let otherCatalog = try other.read { try Catalog($0) }
    let otherSchema = try other.read { try SchemaTexts($0) }
    let database = DatabaseFile(path: first, timeout: timeout)
    let count = try database.open(readonly: true) { queue in
      try queue.inDatabase { db in
        try db.execute(sql: "ATTACH ? AS quarry_other", arguments: [DatabaseFile.plain(second)])
      }
      return try queue.read { db in
        let catalog = try Catalog(db)
        var count = try SchemaDiff(
          old: catalog, new: otherCatalog, oldTexts: SchemaTexts(db), newTexts: otherSchema
        ).show()
        if !schema { count += try compareRows(catalog, otherCatalog, db) }
        return count
      }
    }
    if count > 0 { throw ExitCode(1) }
  }

  private func compareRows(
    _ catalog: Catalog, _ other: Catalog, _ db: Database
  ) throws -> Int {
    var count = 0
    for table in catalog.tables where table.kind == .table && table.problem == nil {
      guard let twin = other.tables.first(where: { $0.name.isSameName(as: table.name) }),
        twin.kind == .table
      else { continue }
      count += try RowDiff(table: table, other: twin, limit: limit).show(db)
    }
    return count
  }
}

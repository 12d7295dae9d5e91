import Quarry

/// A file, and how far it is imported.
struct ImportedFile: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var path: String
  /// The size in bytes, which must stay the same.
  var size: Int64
  /// Where the next line begins, in bytes.
  var offset: Int64
  /// The number of the next line, from 1.
  var line: Int
  var importedCount = 0
  var rejectedCount = 0

  static let rejectedLines = hasMany(RejectedLine.self)

  var isComplete: Bool { offset == size }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A sale of some copies of a book. Its receipt is the primary key.
struct Sale: Codable, FetchableRecord, PersistableRecord {
  var receipt: String
  var isbn: String
  var copies: Int
  var cents: Int
  var importedFileId: Int64?
}

/// A line that is no sale.
struct RejectedLine: Codable, FetchableRecord, PersistableRecord {
  var importedFileId: Int64?
  var line: Int
  var reason: String
}

extension DatabaseMigrator {
  static var shop: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("sales and their files") { db in
      try db.create(table: "importedFile") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("path", .text).notNull().unique()
        t.column("size", .integer).notNull()
        t.column("offset", .integer).notNull()
        t.column("line", .integer).notNull()
        t.column("importedCount", .integer).notNull()
        t.column("rejectedCount", .integer).notNull()
      }
      try db.create(table: "sale") { t in
        t.primaryKey("receipt", .text)
        t.column("isbn", .text).notNull()
        t.column("copies", .integer).notNull()
        t.column("cents", .integer).notNull()
        t.belongsTo("importedFile", onDelete: .cascade).notNull()
      }
      try db.create(table: "rejectedLine") { t in
        t.primaryKey {
          t.belongsTo("importedFile", onDelete: .cascade)
          t.column("line", .integer)
        }
        t.column("reason", .text).notNull()
      }
    }
    return migrator
  }
}

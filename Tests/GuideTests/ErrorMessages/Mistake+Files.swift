import Foundation
import Quarry
import QuarryTestSupport

extension Mistake {
  static let files = [
    Mistake.inFolder("a file that is no database") { folder in
      let path = folder + "/notes.txt"
      try String(repeating: "These are notes. ", count: 100)
        .write(toFile: path, atomically: true, encoding: .utf8)
      _ = try DatabaseQueue(path: path)
    },
    Mistake.inFolder("a folder that does not exist") { folder in
      _ = try DatabaseQueue(path: folder + "/missing/books.sqlite")
    },
    Mistake.inFolder("a `readonly` connection to a file that does not exist") { folder in
      var configuration = Configuration()
      configuration.readonly = true
      _ = try DatabaseQueue(path: folder + "/books.sqlite", configuration: configuration)
    },
    Mistake.inFolder("the path of a folder") { folder in _ = try DatabaseQueue(path: folder) },
    Mistake("`DatabasePool(path: \":memory:\")`") { _ in _ = try DatabasePool(path: ":memory:") },
    Mistake.inFolder("a pool that is opened while another process writes") { folder in
      let path = folder + "/books.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE book (id)")
        _ = try DatabasePool(path: path)
      }
    },
    Mistake("an error in a migration") {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("Countries") { db in
        try db.execute(sql: "INSERT INTO country VALUES ('FR', NULL)")
      }
      try migrator.migrate($0)
    },
    Mistake("a migration that was renamed") {
      for name in ["v1", "version 1"] {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(name) { db in
          try db.create(table: "person") { t in t.autoIncrementedPrimaryKey("id") }
        }
        try migrator.migrate($0)
      }
    },
    Mistake("`migrator.migrate(database, upTo: \"Contries\")`") {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("Countries") { _ in }
      migrator.registerMigration("Books") { _ in }
      try migrator.migrate($0, upTo: "Contries")
    },
    .inFolder("a file of strangers whose view calls a function of the application") { folder in
      let path = folder + "/recipes.sqlite"
      try DatabaseQueue(path: path).write { db in
        db.add(function: DatabaseFunction("upload", argumentCount: 1) { $0[0] })
        try db.execute(sql: "CREATE VIEW recipe AS SELECT upload('kitchen') AS title")
      }
      var configuration = Configuration.untrusted
      configuration.prepareDatabase { db in
        db.add(function: DatabaseFunction("upload", argumentCount: 1) { $0[0] })
      }
      let database = try DatabaseQueue(path: path, configuration: configuration)
      _ = try database.read { db in try Row.fetchAll(db, sql: "SELECT * FROM recipe") }
    },
  ]
}

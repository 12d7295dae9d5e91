import Foundation
import Quarry

private struct Undo: Error {}

extension Flow {
  static let writes = Flow(
    name: "writes",
    run: { course in
      course.step("insertions") { try course.commit(1) }
      course.step("savepoint") {
        try course.commit(2) { db in
          try db.inSavepoint {
            try db.execute(sql: "UPDATE author SET name = 'undone'")
            try db.execute(sql: "DELETE FROM entry WHERE number = 0")
            return .rollback
          }
        }
      }
      course.step("savepoint that fails") {
        try course.commit(5) { db in
          var fault: DatabaseError?
          do {
            try db.inSavepoint {
              try db.execute(sql: "UPDATE author SET name = 'undone'")
              try db.execute(sql: "UPDATE entry SET number = 77, text = 'undone'")
              throw Undo()
            }
          } catch {
            fault = error as? DatabaseError
          }
          do {
            try db.execute(sql: "UPDATE author SET name = name || '' WHERE id = 1")
          } catch DatabaseError.SQLITE_ABORT {
            // The fault has ended the transaction.
            if let fault { throw fault }
            throw HiddenByBlock()
          }
        }
      }
      course.step("rollback") {
        course.ledger.begin(3, entryCount: 5)
        course.ledger.undo(3)
        do {
          try course.database.write { db in
            for var entry in Ledger.entries(3, count: 5) { try entry.insert(db) }
            throw Undo()
          }
        } catch is Undo {}
      }
      course.step("no transaction") {
        try course.database.writeWithoutTransaction { db throws -> Void in
          try db.execute(sql: "UPDATE author SET name = 'Bob' WHERE id = 2")
        }
      }
      course.step("last write") { try course.commit(4) }
    },
    check: { db in
      let names = try String.fetchAll(db, sql: "SELECT name FROM author ORDER BY id")
      return [["Ada", "Bo", "Cy"], ["Ada", "Bob", "Cy"]].contains(names)
        ? [] : ["the authors are \(names)"]
    })

  static let batch = Flow(
    name: "batch",
    run: { course in
      for number in 1...2 {
        course.step("batch \(number)") {
          course.ledger.begin(number, entryCount: 300)
          try course.database.write { db in
            var entries = Ledger.entries(number, count: 300)
            try Entry.insert(db, contentsOf: &entries)
            let ids = entries.compactMap(\.id)
            course.expect(ids == ids.sorted() && ids.count == 300, "the keys are \(ids)")
          }
          course.ledger.acknowledge(number)
        }
      }
    })

  /// The methods of records, on a table of their own.
  static let changes = Flow(
    name: "changes",
    prepare: { db in
      for name in ["Dee", "Ed", "Fay", "Gus"] {
        var author = Author(name: name)
        try author.insert(db)
      }
    },
    run: { course in
      func change(_ number: Int, _ name: String, _ body: (Database) throws -> Void) {
        course.step(name) { try course.commit(number, entryCount: 1, body) }
      }
      change(1, "update") { db in
        var author = try Author.find(db, key: 4)
        try author.updateChanges(db) { $0.name = "Di" }
      }
      change(2, "save") { db in
        var author = Author(id: 20, name: "Hal")
        try author.save(db)
      }
      change(3, "upsert") { db in
        var author = Author(id: 5, name: "Eddie")
        try author.upsert(db)
      }
      change(4, "delete") { db in
        let wasDeleted = try Author.deleteOne(db, key: 6)
        course.expect(wasDeleted, "the author was not deleted")
      }
      change(5, "update all") { db in
        try Author.filter(key: 7).updateAll(db, Column("name").set(to: "Gustav"))
      }
      course.step("constraint") {
        do {
          try course.database.write { db in
            try db.execute(
              sql: "INSERT INTO entry (number, text, authorId) VALUES (9, '', 1000)")
          }
          course.expect(false, "the foreign key was not checked")
        } catch DatabaseError.SQLITE_CONSTRAINT {}
      }
    },
    check: { db in
      let names: [Int: String] = [4: "Di", 20: "Hal", 5: "Eddie", 7: "Gustav"]
      let numbers = [4: 1, 20: 2, 5: 3, 7: 5]
      let done = try Int.fetchSet(db, sql: "SELECT number FROM entry")
      var problems: [String] = []
      for (id, name) in names {
        let isChanged = try Author.fetchOne(db, key: id)?.name == name
        if isChanged != numbers[id].map(done.contains) { problems.append("author \(id)") }
      }
      if try Author.exists(db, key: 6) == done.contains(4) { problems.append("author 6") }
      return problems
    })

  static let asynchronous = Flow(
    name: "asynchronous",
    run: { course in
      course.step("asyncWrite") { try course.asynchronousWrite(1) }
      course.step("task") { try course.taskWrite(2) }
      course.step("asyncRead") {
        let count = try course.waitForResult {
          (end: @escaping @Sendable (Result<Int, any Error>) -> Void) in
          try course.database.asyncRead { db in
            end(Result { try Author.fetchCount(db.get()) })
          }
        }
        course.expectSame("authors", count)
      }
    })
}

extension Course {
  fileprivate func asynchronousWrite(_ number: Int) throws {
    ledger.begin(number, entryCount: 4)
    try waitForResult { (end: @escaping @Sendable (Result<Void, any Error>) -> Void) in
      try database.asyncWrite { db in
        for var entry in Ledger.entries(number, count: 4) { try entry.insert(db) }
      } completion: { _, result in
        end(result)
      }
    }
    ledger.acknowledge(number)
  }

  fileprivate func taskWrite(_ number: Int) throws {
    ledger.begin(number, entryCount: 4)
    let database = try database
    try waitForTask {
      try await database.write { db in
        for var entry in Ledger.entries(number, count: 4) { try entry.insert(db) }
      }
    }
    ledger.acknowledge(number)
  }
}

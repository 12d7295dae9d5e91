import Foundation
import Quarry
import QuarryBlobs

extension Flow {
  static let backup = Flow(
    name: "backup",
    run: { course in
      let copy = course.step("open") { try course.open("copy") }
      guard let copy else { return }
      func contents() -> [String]? {
        course.step("look") {
          try copy.read { db in
            try db.tableExists("entry") ? course.ledger.wrongTransactions(db) : ["empty"]
          }
        }
      }
      for (number, pages) in [(1, CInt(3)), (2, -1)] {
        course.step("write") { try course.commit(number) }
        let isCopied = course.step("backup") {
          try course.database.backup(to: copy, pagesPerStep: pages)
          return true
        }
        let found = contents()
        if isCopied != nil, let found {
          course.expect(found.isEmpty, "the copy has other rows: \(found)")
        }
      }
      course.step("close") { try copy.close() }
    })

  static let blobs = Flow(
    name: "blobs",
    prepare: { db in
      try db.create(table: "file") { t in
        t.primaryKey("id", .integer)
        t.column("content", .blob)
      }
      try db.execute(
        sql: "INSERT INTO file VALUES (1, ?), (2, zeroblob(40000))",
        arguments: [Data(repeating: 7, count: 40_000)])
    },
    run: { course in
      course.step("read") {
        let sum = try course.database.read { db in
          try db.withBlob(table: "file", column: "content", rowID: 1) { blob in
            let chunks = blob.chunks(size: 5000)
            var sum = 0
            while let chunk = try chunks.next() { sum += chunk.reduce(0) { $0 + Int($1) } }
            return sum
          }
        }
        course.expectSame("sum", sum)
      }
      for number in 1...2 {
        course.step("write \(number)") {
          try course.commit(number, entryCount: 1) { db in
            try db.withBlob(table: "file", column: "content", rowID: 2, access: .readWrite) {
              blob in
              for offset in stride(from: 0, to: 40_000, by: 8000) {
                try blob.write(Data(repeating: UInt8(number), count: 8000), at: offset)
              }
            }
          }
        }
      }
    },
    check: { db in
      let last = try Int.fetchOne(db, sql: "SELECT max(number) FROM entry WHERE number < 10") ?? 0
      let content = try Data.fetchOne(db, sql: "SELECT content FROM file WHERE id = 2")
      return content == Data(repeating: UInt8(last), count: 40_000)
        ? [] : ["the blob is not the one of transaction \(last)"]
    })

  static let vacuum = Flow(
    name: "vacuum",
    prepare: { db in
      try db.execute(
        sql: """
          CREATE TABLE waste (text TEXT);
          INSERT INTO waste SELECT text FROM entry;
          DROP TABLE waste;
          """)
    },
    run: { course in
      course.step("vacuum") { try course.database.vacuum() }
      course.step("vacuum into") {
        do {
          try course.database.vacuum(into: course.path("vacuumed"))
        } catch let error as DatabaseError where error.message == "output file already exists" {
          // SQLite says so, too, when it can't find out the size of the file.
        }
      }
      course.step("write") { try course.commit(1) }
      course.step("erase") {
        try course.database.writeWithoutTransaction { db throws -> Void in
          try db.inTransaction(.immediate) {
            try db.execute(sql: "DELETE FROM entry")
            return .rollback
          }
        }
      }
    })
}

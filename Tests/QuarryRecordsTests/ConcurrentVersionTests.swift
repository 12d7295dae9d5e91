import Foundation
import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Volume: Codable, FetchableRecord, VersionedRecord {
  var id: Int64
  var title: String
  var price: Int
  var version = 1
}

struct ConcurrentVersionTests {
  /// Each increment that succeeds counts once: none is lost.
  @Test func `connections that increment a counter lose no increment`() throws {
    try withTemporaryDirectory { directory throws in
      let path = "\(directory)/volumes.sqlite"
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      let databases = try (0..<2).map { _ in
        try DatabaseQueue(path: path, configuration: configuration)
      }
      try databases[0].write { db in
        try db.execute(
          sql: """
            CREATE TABLE volume (
              id INTEGER PRIMARY KEY, title TEXT, price INTEGER, version INTEGER)
            """)
        _ = try Volume(id: 1, title: "Emma", price: 0).inserted(db)
      }
      let conflicts = Log<Int>()
      DispatchQueue.concurrentPerform(iterations: 8) { worker in
        let database = databases[worker % 2]
        for _ in 0..<25 {
          while true {
            do {
              // Read and written in two transactions: another worker may write between them.
              var volume = try database.read { try Volume.find($0, key: 1) }
              volume.price += 1
              try database.write { [volume] in
                var volume = volume
                try volume.update($0)
              }
              break
            } catch is StaleRecordError {
              conflicts.append(worker)
            } catch {
              Issue.record(error)
              break
            }
          }
        }
      }
      let volume = try databases[1].read { try Volume.find($0, key: 1) }
      #expect(volume.price == 200)
      #expect(volume.version == 201)
    }
  }
}

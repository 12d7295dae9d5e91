import Dispatch
import Foundation
import QuarryMigrations
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Target queues")
struct TargetQueueTests {
  private static let message = """
    SQLite error 21: An access can't begin inside an access to another database \
    with the same serial target queue.
    """

  private let target = DispatchQueue(label: "library")

  /// Which property of the configuration has the target.
  enum Property: CaseIterable {
    case targetQueue, writeTargetQueue
  }

  private func configuration(
    _ property: Property = .targetQueue, _ target: DispatchQueue? = nil
  ) -> Configuration {
    var configuration = Configuration()
    switch property {
    case .targetQueue: configuration.targetQueue = target ?? self.target
    case .writeTargetQueue: configuration.writeTargetQueue = target ?? self.target
    }
    return configuration
  }

  private func makeLibrary(
    _ configuration: Configuration, path: String = ":memory:"
  ) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try libraryMigrator().migrate(queue)
    try queue.write { db in try db.execute(sql: "INSERT INTO author VALUES (1, 'Le Guin')") }
    return queue
  }

  private func authors(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in try String.fetchAll(db, sql: "SELECT name FROM author ORDER BY id") }
  }

  @Test(arguments: Property.allCases)
  func `a temporary database of the library is used inside an access`(property: Property) throws {
    let queue = try makeLibrary(configuration(property))
    var migrator = libraryMigrator()
    #expect(try !queue.read(migrator.hasSchemaChanges))
    migrator.eraseDatabaseOnSchemaChange = true
    try migrator.migrate(queue)
    #expect(try authors(queue) == ["Le Guin"])
    try queue.write { db in try db.execute(sql: "CREATE TABLE loan (id)") }
    #expect(try queue.read(migrator.hasSchemaChanges))
    try migrator.migrate(queue)
    #expect(try authors(queue) == [])
  }

  @Test(arguments: Property.allCases)
  func `migrations are rehearsed on a copy`(property: Property) throws {
    let queue = try makeLibrary(configuration(property))
    var migrator = libraryMigrator()
    migrator.registerMigration("loans") { db in try db.execute(sql: "CREATE TABLE loan (id)") }
    #expect(try migrator.dryRun(queue) == "-- loans\nCREATE TABLE loan (id);")
    #expect(try migrator.rehearse(queue).isSuccessful)
  }

  @Test(arguments: Property.allCases, [false, true])
  func `files are copied, also inside an access`(property: Property, readonly: Bool) throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/library.sqlite"
      let queue = try makeLibrary(configuration(property), path: path)
      var configuration = configuration(property)
      configuration.readonly = readonly
      let copies = try [
        DatabaseQueue.inMemoryCopy(fromPath: path, configuration: configuration),
        queue.inDatabase { _ throws in
          try DatabaseQueue.temporaryCopy(fromPath: path, configuration: configuration)
        },
      ]
      for copy in copies {
        #expect(try authors(copy) == ["Le Guin"])
        let error = databaseError {
          try copy.write { db in try db.execute(sql: "DELETE FROM author") }
        }
        #expect(error?.resultCode == (readonly ? .SQLITE_READONLY : nil))
      }
    }
  }

  @Test func `a database is erased`() throws {
    let queue = try makeLibrary(configuration())
    try queue.erase()
    #expect(try queue.read { db in try !db.tableExists("author") })
  }

  @Test(arguments: Property.allCases)
  func `an access inside the access of another database throws`(property: Property) throws {
    let library = try makeLibrary(configuration())
    let archive = try makeLibrary(configuration(property))
    try library.write { _ throws in
      #expect(errorText { try authors(archive) } == Self.message)
    }
    #expect(try authors(archive) == ["Le Guin"])
    #expect(try authors(library) == ["Le Guin"])
  }

  @Test func `an access inside an asynchronous access throws`() async throws {
    let library = try makeLibrary(configuration())
    let archive = try makeLibrary(configuration())
    let text = try await library.write { _ in errorText { try authors(archive) } }
    #expect(text == Self.message)
    let count = try await archive.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
    #expect(count == 1)
  }

  @Test func `an access through a third database throws`() throws {
    let library = try makeLibrary(configuration())
    let archive = try makeLibrary(configuration())
    let other = try makeLibrary(Configuration())
    try library.read { _ throws in
      try other.read { _ throws in
        #expect(errorText { try authors(archive) } == Self.message)
      }
    }
  }

  @Test func `a read of a pool inside its write throws, with a deadline too`() throws {
    let pool = try DatabasePool.temporary(configuration: configuration())
    let texts = try pool.write { _ throws in
      [
        errorText { try pool.read { _ in } },
        errorText { try pool.read(deadline: after(20)) { _ in } },
      ]
    }
    #expect(texts == [Self.message, Self.message])
  }

  @Test func `a read throws while the only reader waits for the target`() throws {
    var configuration = configuration()
    configuration.maximumReaderCount = 1
    let pool = try DatabasePool.temporary(configuration: configuration)
    let end = DispatchSemaphore(value: 0)
    let text = try pool.write { _ throws in
      startThread {
        #expect(errorText { try pool.read { _ in } } == nil)
        end.signal()
      }
      while pool.readers.isUnused { Thread.sleep(forTimeInterval: 0.001) }
      return errorText { try pool.read { _ in } }
    }
    #expect(text == Self.message)
    end.wait()
  }

  @Test func `a database is not closed inside the access of another one`() throws {
    let library = try DatabaseQueue(configuration: configuration())
    let archive = try DatabaseQueue(configuration: configuration())
    #expect(library.inDatabase { _ in errorText { try archive.close() } } == Self.message)
    try archive.close()
  }

  @Test func `an access in a block of the target throws, and in one of a queue above it`() throws {
    let between = DispatchQueue(label: "between", target: target)
    let library = try makeLibrary(configuration(.targetQueue, between))
    let archive = try makeLibrary(configuration())
    #expect(between.sync { errorText { try authors(archive) } } == Self.message)
    #expect(library.inDatabase { _ in errorText { try authors(archive) } } == Self.message)
    #expect(try authors(library) == ["Le Guin"])
  }

  @Test func `a backup between queues on one target throws, and changes nothing`() throws {
    let library = try makeLibrary(configuration())
    let archive = try DatabaseQueue(configuration: configuration())
    #expect(errorText { try library.backup(to: archive) } == Self.message)
    #expect(try archive.read { db in try !db.tableExists("author") })
    try library.backup(to: DatabaseQueue())
  }

  @Test func `a concurrent target lets accesses run inside others, and backups`() throws {
    let target = DispatchQueue(label: "library", attributes: .concurrent)
    let library = try makeLibrary(configuration(.targetQueue, target))
    let archive = try makeLibrary(configuration(.targetQueue, target))
    try library.write { _ throws in
      #expect(try authors(archive) == ["Le Guin"])
      #expect(archive.inDatabase { _ in 1 } == 1)
    }
    try archive.write { db in try db.execute(sql: "DELETE FROM author") }
    try archive.backup(to: library)
    #expect(try authors(library) == [])
  }

  @Test func `a global queue is a target`() throws {
    let library = try makeLibrary(configuration(.targetQueue, .global()))
    let archive = try makeLibrary(configuration(.targetQueue, .global()))
    try library.backup(to: archive)
    #expect(try library.read { _ throws in try authors(archive) } == ["Le Guin"])
  }

  @Test func `an access that can't throw stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var configuration = Configuration()
      configuration.targetQueue = DispatchQueue(label: "library")
      let library = try DatabaseQueue(configuration: configuration)
      let archive = try DatabaseQueue(configuration: configuration)
      library.inDatabase { _ in archive.releaseMemory() }
    }
    // Messages of preconditions are not printed in release.
    #if DEBUG
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("with the same serial target queue"))
    #else
      _ = result
    #endif
  }

  @Test func `a read-only queue has the target and the quality of service of reads`() throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/library.sqlite"
      _ = try makeLibrary(Configuration(), path: path)
      let key = DispatchSpecificKey<String>()
      let reads = DispatchQueue(label: "reads", qos: .utility)
      reads.setSpecific(key: key, value: "reads")
      let writes = DispatchQueue(label: "writes", qos: .background)
      writes.setSpecific(key: key, value: "writes")
      var configuration = Configuration()
      configuration.targetQueue = reads
      configuration.writeTargetQueue = writes
      for readonly in [false, true] {
        configuration.readonly = readonly
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        #expect(
          queue.inDatabase { _ in DispatchQueue.getSpecific(key: key) }
            == (readonly ? "reads" : "writes"))
        let connection = try SerialConnection(
          path: path, label: "library", configuration: configuration)
        #expect(connection.queue.qos == (readonly ? .utility : .background))
      }
      configuration.targetQueue = nil
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      #expect(queue.inDatabase { _ in DispatchQueue.getSpecific(key: key) } == nil)
    }
  }
}

import Dispatch
import Foundation
import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryDirectory

@Suite("Opening of databases")
struct OpeningTests {
  @Test func `databases are opened on demand, once, and migrated`() throws {
    try withTemporaryDirectory { folder in
      let opened = Log<String>()
      let directory = try makeDirectory(folder, .limit(4), opened: opened)
      #expect(opened.elements == [])
      try directory.write("a", addBook("Emma"))
      try directory.write("b", addBook("Persuasion"))
      #expect(try directory.read("a", titles) == ["Emma"])
      #expect(try directory.read("b", titles) == ["Persuasion"])
      #expect(opened.elements == ["a", "b"])
      #expect(directory.openKeys == ["a", "b"])
      #expect(directory.keysInUse == [])
    }
  }

  @Test func `pools, and any other writers, are databases of a directory`() async throws {
    try await withTemporaryDirectory { folder in
      let pools = try DatabaseDirectory(path: folder, options: .limit(2), migrator: bookMigrator) {
        try DatabasePool(path: $1)
      }
      try await pools.write("a", addBook("Emma"))
      #expect(try await pools.read("a", titles) == ["Emma"])
      try await pools.close()
      let erased = try DatabaseDirectory(path: folder) {
        try AnyDatabaseWriter(DatabaseQueue(path: $1))
      }
      #expect(try await erased.read("a", titles) == ["Emma"])
    }
  }

  @Test func `a missing database is created when it is asked for, or allowed`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(2, creates: false))
      let error = try #require(throws: DirectoryError.self) {
        try directory.write("a", addBook("Emma"))
      }
      #expect(error.code == .missing)
      #expect(error.key == "a")
      #expect(error.message.contains(#"create("a")"#))
      #expect(try directory.keys() == [])
      await #expect(throws: DirectoryError.self) { try await directory.read("a", titles) }
      try await directory.create("a")
      try await directory.create("b")
      try await directory.write("a", addBook("Emma"))
      #expect(try await directory.read("a", titles) == ["Emma"])
      #expect(try await directory.read("b", titles) == [])
      for key in ["a", "b"] {
        let error = try #require(throws: DirectoryError.self) { try directory.create(key) }
        #expect(error.code == .exists)
      }
      await #expect(throws: DirectoryError.self) { try await directory.create("a") }
      let allowing = try makeDirectory(folder, .limit(2))
      #expect(try await allowing.read("c", titles) == [])
      #expect(try await allowing.read("d", titles) == [])
      #expect(try directory.keys() == ["a", "b", "c", "d"])
    }
  }

  @Test func `concurrent first accesses open a database once`() async throws {
    try await withTemporaryDirectory { folder in
      let opened = Log<String>()
      let directory = try makeDirectory(folder, .limit(4), opened: opened)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            if number % 2 == 0 {
              try await directory.write("a", addBook("book \(number)"))
            } else {
              try await onOwnThread { try directory.write("a", addBook("book \(number)")) }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(opened.elements == ["a"])
      let found = try await directory.read("a", titles)
      #expect(Set(found) == Set((0..<40).map { "book \($0)" }) && found.count == 40)
    }
  }

  @Test func `an opening that fails is reported to all who wait, and tried again`() async throws {
    try await withTemporaryDirectory { folder in
      let (entered, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let count = Log<Int>()
      let directory = try DatabaseDirectory(path: folder, options: .limit(1)) { _, path in
        count.append(1)
        if count.elements.count == 1 {
          entered.signal()
          ended.wait()
          throw Fault(name: "first")
        }
        return try DatabaseQueue(path: path)
      }
      let first = Task { try await onOwnThread { try directory.withDatabase("a") { _ in } } }
      await waitOnThread(for: entered)
      // They wait: the database is being opened until `ended` is signaled.
      let second = Task { try await onOwnThread { try directory.withDatabase("a") { _ in } } }
      let third = Task { try await directory.withDatabase("a") { _ in } }
      let state = directory.state
      #expect(try await eventually { state.withLock { $0.waiterCount(of: "a") == 2 } })
      ended.signal()
      for task in [first, second, third] {
        let result = await task.result
        let error = try #require(throws: DirectoryError.self) { try result.get() }
        #expect(error.code == .cannotOpen)
        #expect(error.key == "a")
        #expect(error.underlyingError as? Fault == Fault(name: "first"))
      }
      #expect(count.elements.count == 1)
      #expect(directory.openKeys == [])
      try await directory.withDatabase("a") { _ in }
      #expect(count.elements.count == 2)
    }
  }

  @Test func `a migration that fails when a database is opened closes it`() throws {
    try withTemporaryDirectory { folder in
      let fails = Log<Int>()
      var migrator = DatabaseMigrator()
      migrator.registerMigration("book") { db in
        if fails.elements.isEmpty { throw Fault(name: "migration") }
        try db.execute(sql: "CREATE TABLE book (title TEXT NOT NULL)")
      }
      let queues = Log<DatabaseQueue>()
      let directory = try DatabaseDirectory(path: folder, options: .limit(1), migrator: migrator) {
        let queue = try DatabaseQueue(path: $1)
        queues.append(queue)
        return queue
      }
      let error = try #require(throws: DirectoryError.self) { try directory.create("a") }
      #expect(error.code == .cannotOpen)
      #expect(error.underlyingError as? Fault == Fault(name: "migration"))
      #expect(throws: DatabaseError.self) { try queues.elements[0].read { _ in } }
      fails.append(0)
      #expect(try directory.read("a", titles) == [])
    }
  }

  @Test func `a file that is no database is an error with its key`() throws {
    try withTemporaryDirectory { folder in
      try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: folder + "/a.sqlite"))
      try FileManager.default.createDirectory(
        atPath: folder + "/b.sqlite", withIntermediateDirectories: false)
      let directory = try makeDirectory(folder, .limit(1))
      for (key, code) in [("a", ResultCode.SQLITE_NOTADB), ("b", .SQLITE_CANTOPEN)] {
        let error = try #require(throws: DirectoryError.self) { try directory.read(key, titles) }
        #expect(error.code == .cannotOpen)
        #expect(error.key == key)
        #expect((error.underlyingError as? DatabaseError)?.resultCode == code)
      }
      // The slot is free again.
      try directory.write("c", addBook("Emma"))
    }
  }

  @Test func `a database can't be used while it is opened`() throws {
    try withTemporaryDirectory { folder in
      let box = Log<DatabaseDirectory<DatabaseQueue>>()
      let errors = Log<DirectoryError.Code?>()
      let directory = try DatabaseDirectory(path: folder, options: .limit(2)) { key, path in
        if key == "a" {
          do { try box.elements[0].withDatabase("a") { _ in } } catch {
            errors.append((error as? DirectoryError)?.code)
          }
          try box.elements[0].withDatabase("b") { _ in }
        }
        return try DatabaseQueue(path: path)
      }
      box.append(directory)
      defer { box.removeAll() }
      try directory.withDatabase("a") { _ in }
      #expect(errors.elements == [.inUse])
      #expect(directory.openKeys == ["a", "b"])
    }
  }

  @Test func `a task that an opening starts uses the database afterwards`() async throws {
    try await withTemporaryDirectory { folder in
      let box = Log<DatabaseDirectory<DatabaseQueue>>()
      let tasks = Log<Task<Int?, any Error>>()
      let (started, opened) = AsyncStream.makeStream(of: Void.self)
      let directory = try DatabaseDirectory(path: folder, options: .limit(1)) { _, path in
        let task = Task {
          for await _ in started { break }
          return try await box.elements[0].read("a") { db in try Int.fetchOne(db, sql: "SELECT 7") }
        }
        tasks.append(task)
        return try DatabaseQueue(path: path)
      }
      box.append(directory)
      defer { box.removeAll() }
      try await directory.withDatabase("a") { _ in }
      opened.yield()
      let value = try await tasks.elements[0].value
      #expect(value == 7)
    }
  }

  @Test func `errors of accesses are thrown as they are`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1))
      #expect(throws: Fault()) { try directory.write("a") { _ in throw Fault() } }
      await #expect(throws: Fault()) {
        try await directory.withDatabase("a") { _ in throw Fault() }
      }
      let error = try #require(throws: DatabaseError.self) {
        try directory.write("a") { db in try db.execute(sql: "INSERT INTO nothing VALUES (1)") }
      }
      #expect(error.resultCode == .SQLITE_ERROR)
      #expect(directory.keysInUse == [])
    }
  }

  @Test func `options that can't be are refused`() throws {
    try withTemporaryDirectory { folder in
      for change in [
        { $0.limit = 0 }, { $0.limit = -1 }, { $0.idleDuration = .seconds(-1) },
        { $0.waitDuration = .nanoseconds(-1) },
      ] as [(inout DirectoryOptions) -> Void] {
        var options = DirectoryOptions()
        change(&options)
        let error = try #require(throws: DirectoryError.self) {
          _ = try makeDirectory(folder, options)
        }
        #expect(error.code == .invalidOption)
      }
    }
  }
}

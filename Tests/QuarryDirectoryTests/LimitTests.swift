import Dispatch
import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryDirectory

@Suite("Limits of open databases")
struct LimitTests {
  @Test func `the database that was used least recently is closed for another one`() throws {
    try withTemporaryDirectory { folder in
      let opened = Log<String>()
      let directory = try makeDirectory(folder, .limit(2), opened: opened)
      for key in ["a", "b", "a", "c", "a", "b"] { _ = try directory.read(key, titles) }
      #expect(opened.elements == ["a", "b", "c", "b"])
      #expect(directory.openKeys == ["a", "b"])
    }
  }

  @Test func `a database in use is never closed`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(2))
      let lease = try directory.lease("a")
      #expect(lease.key == "a")
      for key in ["b", "c", "d"] { try directory.write(key, addBook("Emma")) }
      #expect(directory.openKeys == ["a", "d"])
      #expect(directory.keysInUse == ["a"])
      try lease.database.write(addBook("Emma"))
      lease.release()
      lease.release()
      #expect(directory.keysInUse == [])
      for key in ["b", "c"] { _ = try directory.read(key, titles) }
      #expect(directory.openKeys == ["b", "c"])
      // It is closed.
      #expect(throws: DatabaseError.self) { try lease.database.read { _ in } }
      #expect(try directory.read("a", titles) == ["Emma"])
    }
  }

  @Test func `a lease ends with its object`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1))
      do {
        let lease = try directory.lease("a")
        let second = try directory.lease("a")
        #expect(directory.keysInUse == ["a"])
        withExtendedLifetime((lease, second)) {}
      }
      #expect(directory.keysInUse == [])
    }
  }

  @Test func `an access waits for a database that is in use, in turn`() async throws {
    try await withTemporaryDirectory { folder in
      let opened = Log<String>()
      let directory = try makeDirectory(folder, .limit(1), opened: opened)
      for key in ["b", "c", "a"] { try await directory.create(key) }
      opened.removeAll()
      let lease = try await directory.lease("a")
      async let b: Void = directory.write("b", addBook("Emma"))
      #expect(try await eventually { directory.state.withLock { $0.waiterCount(of: "b") == 1 } })
      async let c: Void = onOwnThread { try directory.write("c", addBook("Emma")) }
      #expect(try await eventually { directory.state.withLock { $0.waiterCount(of: "c") == 1 } })
      #expect(directory.openKeys == ["a"])
      lease.release()
      try await b
      try await c
      #expect(opened.elements == ["b", "c"])
      #expect(directory.openKeys == ["c"])
    }
  }

  @Test func `no database is closed for one that is missing`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1, creates: false))
      try directory.create("a")
      let error = try #require(throws: DirectoryError.self) { try directory.read("b", titles) }
      #expect(error.code == .missing)
      #expect(directory.openKeys == ["a"])
      let lease = try directory.lease("a")
      let second = try #require(throws: DirectoryError.self) { try directory.read("b", titles) }
      #expect(second.code == .missing)
      lease.release()
    }
  }

  @Test func `an access gives up when all databases stay in use`() async throws {
    try await withTemporaryDirectory { folder in
      var options = DirectoryOptions.limit(1)
      options.waitDuration = .milliseconds(20)
      let directory = try makeDirectory(folder, options)
      let nested = try #require(throws: DirectoryError.self) {
        try directory.withDatabase("a") { _ in try directory.write("b", addBook("Emma")) }
      }
      #expect(nested.code == .limitReached)
      #expect(nested.key == "b")
      #expect(nested.message.contains("`limit`"))
      let lease = try await directory.lease("a")
      let error = await #expect(throws: DirectoryError.self) {
        try await directory.write("b", addBook("Emma"))
      }
      #expect(error?.code == .limitReached)
      lease.release()
      try await directory.write("b", addBook("Emma"))
      #expect(directory.openKeys == ["b"])
    }
  }

  @Test func `an access that waits for a long opening does not give up`() async throws {
    try await withTemporaryDirectory { folder in
      var options = DirectoryOptions.limit(1)
      options.waitDuration = .zero
      let (entered, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let directory = try DatabaseDirectory(path: folder, options: options) { _, path in
        entered.signal()
        ended.wait()
        return try DatabaseQueue(path: path)
      }
      async let first: Void = directory.withDatabase("a") { _ in }
      await waitOnThread(for: entered)
      async let second: Void = directory.withDatabase("a") { _ in }
      async let third: Void = onOwnThread { try directory.withDatabase("a") { _ in } }
      // Longer than several waits.
      try await Task.sleep(for: .milliseconds(300))
      ended.signal()
      try await first
      try await second
      try await third
    }
  }

  @Test func `a task that is canceled does not wait`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1))
      let lease = try await directory.lease("a")
      let task = Task { try await directory.write("b", addBook("Emma")) }
      #expect(try await eventually { directory.state.withLock { $0.waiterCount(of: "b") == 1 } })
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      lease.release()
      // Nobody was left for the slot.
      #expect(directory.openKeys == ["a"])
      try await directory.write("c", addBook("Emma"))
      #expect(directory.openKeys == ["c"])
      let canceled = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await directory.write("c", addBook("Emma"))
      }
      await #expect(throws: CancellationError.self) { try await canceled.value }
      #expect(try await directory.read("c", titles) == ["Emma"])
    }
  }

  @Test func `databases that are idle are closed after their time, those in use are not`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      var options = DirectoryOptions.limit(9)
      options.idleDuration = .milliseconds(30)
      let directory = try makeDirectory(folder, options)
      let lease = try await directory.lease("a")
      for key in ["b", "c"] { try await directory.write(key, addBook("Emma")) }
      #expect(try await eventually { directory.openKeys == ["a"] })
      try await lease.database.write(addBook("Emma"))
      lease.release()
      #expect(try await eventually { directory.openKeys == [] })
      // It is none of them while it is being closed.
      #expect(try await eventually { (try? lease.database.read { _ in }) == nil })
      #expect(try await directory.read("a", titles) == ["Emma"])
      #expect(try await eventually { directory.openKeys == [] })
    }
  }

  @Test func `a directory without references closes its databases, and no timer keeps it`() throws {
    try withTemporaryDirectory { folder in
      var options = DirectoryOptions.limit(9)
      options.idleDuration = .seconds(100_000_000_000)
      weak var weakDirectory: DatabaseDirectory<DatabaseQueue>?
      do {
        let directory = try makeDirectory(folder, options)
        try directory.write("a", addBook("Emma"))
        weakDirectory = directory
      }
      #expect(weakDirectory == nil)
    }
  }
}

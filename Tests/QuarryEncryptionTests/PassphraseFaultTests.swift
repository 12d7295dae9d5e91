import FaultCampaign
import Foundation
import Quarry
import QuarryEncryption
import QuarryTestSupport
import Testing

/// Faults of the file system, one after the other, at each call that they can strike, while a
/// passphrase is changed and while a database is exported.
@Suite(.serialized, .needs(.encryption)) struct PassphraseFaultTests {
  // Keys, which need no derivation.
  private static let former = "x'\(String(repeating: "a1", count: 32))'"
  private static let new = "x'\(String(repeating: "b2", count: 32))'"
  private static let titles = (1...400).map { "Volume \($0) of the collected letters" }

  private typealias JournalMode = Configuration.JournalModeConfiguration

  private static func settings(_ passphrase: String, _ mode: JournalMode) -> Configuration {
    // Pages must be written while the transaction runs.
    var settings = configuration(passphrase, "PRAGMA cache_size = 10")
    settings.journalMode = mode
    return settings
  }

  /// Writes the books with the former passphrase.
  private static func makeFile(_ path: String, _ mode: JournalMode) throws {
    let queue = try DatabaseQueue(path: path, configuration: settings(former, mode))
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
      for title in titles {
        try db.execute(sql: "INSERT INTO book (title) VALUES (?)", arguments: [title])
      }
    }
    try queue.close()
  }

  /// Whether a file opens with a passphrase. It has all books then, and no mistake.
  private static func opens(_ path: String, _ passphrase: String?) throws -> Bool {
    do {
      let settings = passphrase.map { configuration($0) } ?? Configuration()
      let queue = try DatabaseQueue(path: path, configuration: settings)
      defer { try? queue.close() }
      return try queue.read { db throws in
        let found = try fetchTitles(db)
        let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
        let cipher = try String.fetchAll(
          db, sql: passphrase == nil ? "SELECT 1 WHERE 0" : "PRAGMA cipher_integrity_check")
        #expect(found == titles)
        #expect(integrity == ["ok"])
        #expect(cipher == [])
        return true
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      return false
    }
  }

  /// A directory with the file of books, a file system whose calls can fail, and a connection.
  private struct Scene {
    let system: FaultySystem
    let path: String
    let queue: DatabaseQueue

    init(_ source: String, in directory: String, _ mode: JournalMode) throws {
      system = FaultySystem()
      path = "\(directory)/\(UUID().uuidString).sqlite"
      try FileManager.default.copyItem(atPath: source, toPath: path)
      queue = try DatabaseQueue(path: system.uri(path), configuration: settings(former, mode))
    }

    func end() throws {
      system.arm(nil)
      try queue.close()
      #expect(system.openFileCount == 0)
    }
  }

  /// Runs an action again and again: without fault, and then with each that it can meet.
  private static func tryFaults(
    _ mode: JournalMode, _ action: (Database) throws -> Void,
    check: (Scene, DatabaseError?) throws -> Void
  ) throws -> (runs: Int, errors: Int) {
    let faults = Fault.once + Fault.lasting
    return try withTemporaryDirectory { directory in
      let source = directory + "/books.sqlite"
      try makeFile(source, mode)
      var counts: [Int] = []
      let scene = try Scene(source, in: directory, mode)
      scene.system.arm(nil)
      try scene.queue.writeWithoutTransaction(action)
      counts = faults.map(scene.system.callCount)
      try scene.end()
      try check(scene, nil)
      var (runs, errors) = (0, 0)
      for (fault, count) in zip(faults, counts) {
        for call in 1..<(count + 1) {
          let scene = try Scene(source, in: directory, mode)
          scene.system.arm(fault, at: call)
          let error = databaseError { try scene.queue.writeWithoutTransaction(action) }
          scene.system.arm(nil)
          if let error {
            // SQLCipher has no code of its own for some errors.
            let codes = fault.resultCodes.union([1])
            #expect(codes.contains(error.resultCode.rawValue), "\(fault.name): \(error)")
          }
          try scene.end()
          let place: Comment = "\(fault.name) at call \(call): \(error.map { "\($0)" } ?? "")"
          #expect(throws: Never.self, place) { try check(scene, error) }
          runs += 1
          errors += error == nil ? 0 : 1
          try FileManager.default.removeItem(atPath: scene.path)
        }
      }
      return (runs, errors)
    }
  }

  @Test(arguments: [Configuration.JournalModeConfiguration.default, .wal])
  func `a change that fails leaves the former passphrase or the new one, and all rows`(
    mode: Configuration.JournalModeConfiguration
  ) throws {
    var changedCount = 0
    let count = try Self.tryFaults(
      mode, { db in try db.changePassphrase(Self.new) },
      check: { scene, error in
        let isChanged = try Self.opens(scene.path, Self.new)
        let isFormer = try Self.opens(scene.path, Self.former)
        #expect(isChanged != isFormer)
        if error == nil { #expect(isChanged) } else if isChanged { changedCount += 1 }
      })
    print(
      "changes of a passphrase, \(mode): \(count.runs) faults, \(count.errors) with an error, "
        + "\(changedCount) of which after the change")
    #expect(count.errors > 30)
  }

  @Test(arguments: [Configuration.JournalModeConfiguration.default, .wal])
  func `a change whose task is canceled has taken place, or throws`(
    mode: Configuration.JournalModeConfiguration
  ) async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let source = directory.path + "/books.sqlite"
    try Self.makeFile(source, mode)
    var outcomes: [Bool: Int] = [:]
    for round in 0..<60 {
      let path = "\(directory.path)/\(round).sqlite"
      try FileManager.default.copyItem(atPath: source, toPath: path)
      let queue = try DatabaseQueue(path: path, configuration: Self.settings(Self.former, mode))
      let isChanged = Locked(false)
      let task = Task {
        try await queue.writeWithoutTransaction { db in
          try db.changePassphrase(Self.new)
          isChanged.withLock { $0 = true }
        }
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0...1500)))
      task.cancel()
      _ = await task.result
      try queue.close()
      let hasReturned = isChanged.withLock { $0 }
      let isNew = try Self.opens(path, Self.new)
      let isFormer = try Self.opens(path, Self.former)
      #expect(isNew == hasReturned)
      #expect(isFormer != hasReturned)
      outcomes[hasReturned, default: 0] += 1
    }
    print("canceled changes of a passphrase, \(mode): \(outcomes)")
  }

  @Test(arguments: [Configuration.JournalModeConfiguration.default, .wal])
  func `an export that fails leaves the database, and no file`(
    mode: Configuration.JournalModeConfiguration
  ) throws {
    let count = try Self.tryFaults(
      mode, { db in try db.exportDatabase(to: Self.copy(db), passphrase: Self.new) },
      check: { scene, error in
        let isThere = try Self.opens(scene.path, Self.former)
        #expect(isThere)
        let copy = scene.path + "-copy"
        let exists = FileManager.default.fileExists(atPath: copy)
        #expect(exists == (error == nil))
        if error == nil {
          let isRight = try Self.opens(copy, Self.new)
          #expect(isRight)
          try FileManager.default.removeItem(atPath: copy)
        }
      })
    print("exports, \(mode): \(count.runs) faults, \(count.errors) with an error")
    #expect(count.errors > 30)
  }

  /// The path of a copy beside the database. The file system of a connection is also that of the
  /// databases that it attaches.
  private static func copy(_ db: Database) throws -> String {
    try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")!
      + "-copy"
  }
}

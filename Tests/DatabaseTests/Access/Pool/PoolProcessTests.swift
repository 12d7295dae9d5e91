import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// A pool in this process, and other processes on the same file.
///
/// `QUARRY_SOAK_SECONDS` lets readers, writers, and processes that are killed run for so long.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct PoolProcessTests {
  private func withAccounts(
    _ configuration: Configuration = Configuration(),
    _ body: (DatabasePool) async throws -> Void
  ) async throws {
    var configuration = configuration
    configuration.busyMode = .timeout(60)
    try await withTemporaryDirectory { directory in
      let pool = try DatabasePool(
        path: directory + "/library.sqlite", configuration: configuration)
      try await pool.write { db in
        try db.execute(
          sql: """
            CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER);
            CREATE TABLE transfer (process TEXT, number INTEGER, PRIMARY KEY (process, number));
            INSERT INTO account VALUES (1, 1000000), (2, 0);
            """)
      }
      try await body(pool)
    }
  }

  /// What each transaction keeps: the sum of the accounts, and the number of the transfers is the balance of the second.
  @Sendable private static func isWhole(_ db: Database) throws -> Bool {
    let first = try Int.fetchOne(db, sql: "SELECT balance FROM account WHERE id = 1") ?? 0
    let second = try Int.fetchOne(db, sql: "SELECT balance FROM account WHERE id = 2") ?? 0
    let transfers = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM transfer") ?? 0
    return first + second == 1_000_000 && second == transfers
  }

  @Sendable private static func transfer(_ db: Database, _ process: String, _ number: Int) throws {
    try db.execute(sql: "UPDATE account SET balance = balance - 1 WHERE id = 1")
    try db.execute(sql: "UPDATE account SET balance = balance + 1 WHERE id = 2")
    try db.execute(sql: "INSERT INTO transfer VALUES (?, ?)", arguments: [process, number])
  }

  private func makePeer(_ pool: DatabasePool, _ arguments: String...) throws -> PeerProcess {
    try PeerProcess(arguments: ["peer", pool.path] + arguments)
  }

  @Test func `two processes write while this one reads, and no read sees half a transaction`()
    async throws
  {
    try await withAccounts { pool async throws in
      let peers = try ["a", "b"].map { name in try makePeer(pool, "transfers", name, "100") }
      for number in 1...100 {
        try await pool.write { db in try Self.transfer(db, "own", number) }
        #expect(try await pool.read(Self.isWhole))
      }
      for peer in peers {
        #expect(peer.remainingLines().last == "done")
        #expect(peer.waitForExit() == 0)
      }
      #expect(try await pool.read(Self.isWhole))
      let count = try await pool.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM transfer")
      }
      #expect(count == 300)
    }
  }

  @Test func `a read goes on while another process writes and checkpoints`() async throws {
    try await withAccounts { pool async throws in
      let peer = try makePeer(pool, "transfers", "a", "10")
      let read = SteppedRead { pause in
        try pool.read { db throws in
          pause()
          #expect(try Self.isWhole(db))
        }
      }
      #expect(peer.remainingLines().last == "done")
      #expect(peer.waitForExit() == 0)
      #expect(read.finish() == nil)
      #expect(try await pool.read(Self.isWhole))
    }
  }

  @Test func `a lock of another process is waited for, or an error`() async throws {
    try await withAccounts { pool async throws in
      let peer = try makePeer(pool, "lock")
      #expect(peer.nextLine() == "locked")
      let impatient = try DatabasePool(path: pool.path)
      #expect(
        Self.writeError(impatient) == """
          SQLite error 5: database is locked - while executing `BEGIN IMMEDIATE TRANSACTION`
          """)
      #expect(try await impatient.read(Self.isWhole))
      let write = Task { try await pool.write { db in try Self.transfer(db, "own", 1) } }
      peer.send("go on")
      try await write.value
      #expect(peer.waitForExit() == 0)
      #expect(try await pool.read(Self.isWhole))
    }
  }

  private static func writeError(_ pool: DatabasePool) -> String? {
    errorText { try pool.write { _ throws in } }
  }

  @Test func `a table that another process creates is known to the next accesses`() async throws {
    try await withAccounts { pool async throws in
      let before = try await pool.read { db in try db.tableExists("loan") }
      #expect(!before)
      let peer = try makePeer(pool, "execute", "CREATE TABLE loan (id)")
      #expect(peer.remainingLines().last == "done")
      #expect(peer.waitForExit() == 0)
      let inRead = try await pool.read { db in try db.tableExists("loan") }
      let inWrite = try await pool.write { db in try db.tableExists("loan") }
      #expect(inRead && inWrite)
    }
  }

  @Test func `a process that is killed loses nothing that it has acknowledged`() async throws {
    let seconds = ProcessInfo.processInfo.environment["QUARRY_SOAK_SECONDS"].flatMap(Double.init)
    try await withAccounts { pool async throws in
      let end = Date() + (seconds ?? 0)
      var acknowledged: [(String, Int)] = []
      var round = 0
      repeat {
        round += 1
        let process = "p\(round)"
        let peer = try makePeer(pool, "transfers", process, "1000000")
        for number in 1...(seconds == nil ? 20 : 300) {
          async let own: Void = pool.write { db in
            try Self.transfer(db, "own\(process)", number)
          }
          let cancelled = Task { try await pool.read(Self.isWhole) }
          async let reads = withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 1...4 { group.addTask { try await pool.read(Self.isWhole) } }
            return try await group.allSatisfy { $0 }
          }
          cancelled.cancel()
          _ = try? await cancelled.value
          try await own
          #expect(try await reads)
          acknowledged.append(("own\(process)", number))
        }
        peer.kill()
        for line in peer.remainingLines() where line.hasPrefix("t ") {
          if let number = Int(line.dropFirst(2)) { acknowledged.append((process, number)) }
        }
      } while Date() < end
      #expect(try await pool.read(Self.isWhole))
      let stored = try await pool.read { db in
        try Set(String.fetchAll(db, sql: "SELECT process || ' ' || number FROM transfer"))
      }
      let lost = acknowledged.filter { !stored.contains("\($0.0) \($0.1)") }
      #expect(lost.isEmpty)
      let integrity = try await pool.read { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
      }
      #expect(integrity == ["ok"])
    }
  }
}

/// Another process that uses the same file: the program of Tests/KillTarget, whose lines this one reads.
final class PeerProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer = Data()

  init(arguments: [String]) throws {
    process.executableURL = try KillTarget.executableURL()
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    if process.isRunning { kill() }
  }

  /// The next line, nil at the end of the output.
  func nextLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      buffer.append(data)
    }
  }

  /// The lines until the end of the output.
  func remainingLines() -> [String] {
    Array(sequence(state: ()) { _ in self.nextLine() })
  }

  func send(_ line: String) {
    input.fileHandleForWriting.write(Data("\(line)\n".utf8))
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func waitForExit() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

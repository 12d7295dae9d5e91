import Foundation
import Quarry

// How far a copy that litestream keeps is behind its database. Scripts/followers runs it:
//
//     Followers FOLDER SECONDS READERS
//
// It makes FOLDER/leader.sqlite, waits for FOLDER/follower.sqlite, writes the first, and reads
// both.

@main
struct Followers {
  static func main() throws {
    guard CommandLine.arguments.count == 4, let duration = Double(CommandLine.arguments[2]),
      let readerCount = Int(CommandLine.arguments[3])
    else { fatalError("usage: Followers FOLDER SECONDS READERS") }
    let folder = CommandLine.arguments[1]
    let leader = try Leader(folder + "/leader.sqlite")
    let path = folder + "/follower.sqlite"
    let writing = Worker { try leader.write() }
    try waitForFirstTransaction(path)
    let end = ContinuousClock.now + .seconds(duration)
    let busy = (0..<readerCount).map { _ in
      Worker { try Follower(path, leader).readContinuously(until: end) }
    }
    let follower = try Follower(path, leader)
    let lags = try follower.measure(until: end)
    leader.stop()
    for worker in [writing] + busy { try worker.wait() }
    report(lags, leader, follower)
  }

  /// A copy that has just been restored is in WAL mode, until the first transaction is applied. A
  /// connection that is opened before would lock it for good. Byte 18 of the file has the mode: see
  /// <https://www.sqlite.org/fileformat.html#the_database_header>.
  static func waitForFirstTransaction(_ path: String) throws {
    for _ in 0..<1200 {
      let header = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 19)
      if let header, header.count == 19, header[18] == 1 { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    fatalError("\(path): no transaction was applied within a minute")
  }

  static func report(_ lags: [Duration], _ leader: Leader, _ follower: Follower) {
    let lags = lags.sorted()
    guard let last = lags.last else {
      print("\(leader.count) commits, and the follower has seen none of them")
      exit(1)
    }
    func text(_ duration: Duration) -> String {
      String(format: "%.0f ms", duration / .milliseconds(1))
    }
    print(
      """
      \(leader.count) commits, \(lags.count) seen by the follower, in \(follower.readCount) reads
      lag: p50 \(text(lags[lags.count / 2])), p99 \(text(lags[lags.count * 99 / 100])), \
      max \(text(last)); reads that were refused: \(follower.refusedCount)
      """)
    guard lags[lags.count / 2] <= .seconds(1) else { exit(1) }
  }
}

/// Each transaction adds a row, and counts the rows.
final class Leader: @unchecked Sendable {
  private let pool: DatabasePool
  private let lock = NSLock()
  private var times: [ContinuousClock.Instant] = []
  private var isStopped = false

  init(_ path: String) throws {
    pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT);
          CREATE TABLE total (count INTEGER); INSERT INTO total VALUES (0)
          """)
    }
  }

  var count: Int { lock.withLock { times.count } }

  /// 50 transactions a second.
  func write() throws {
    while !(lock.withLock { isStopped }) {
      try pool.write { db in
        try db.execute(
          sql: "INSERT INTO entry (text) VALUES (?)",
          arguments: [String(repeating: "x", count: 300)])
        try db.execute(sql: "UPDATE total SET count = count + 1")
      }
      lock.withLock { times.append(.now) }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  func stop() { lock.withLock { isStopped = true } }

  /// The time since the commit of a row. Nil just before the leader has noted it.
  func lag(of id: Int) -> Duration? {
    lock.withLock { id <= times.count ? times[id - 1].duration(to: .now) : nil }
  }
}

/// The copy, read-only.
final class Follower {
  private let queue: DatabaseQueue
  private let leader: Leader
  private(set) var readCount = 0
  private(set) var refusedCount = 0

  init(_ path: String, _ leader: Leader) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    queue = try DatabaseQueue(path: path, configuration: configuration)
    self.leader = leader
  }

  func measure(until end: ContinuousClock.Instant) throws -> [Duration] {
    // What was there before is no lag.
    var (lags, seen) = ([Duration](), try read() ?? 0)
    while .now < end {
      let last = try read() ?? seen
      while seen < last {
        seen += 1
        if let lag = leader.lag(of: seen) { lags.append(lag) }
      }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return lags
  }

  func readContinuously(until end: ContinuousClock.Instant) throws {
    while .now < end { _ = try read() }
  }

  /// The last row. All of one read belongs to one transaction of the leader, or else this stops.
  private func read() throws -> Int? {
    readCount += 1
    do {
      let row = try queue.read { db in
        try Row.fetchOne(
          db,
          sql:
            "SELECT (SELECT max(id) FROM entry), (SELECT count(*) FROM entry), (SELECT count FROM total)"
        )
      }
      guard let row else { return nil }
      let (last, rows, total): (Int?, Int, Int) = (row[0], row[1], row[2])
      guard last ?? 0 == rows, rows == total else {
        fatalError("a read of several transactions: \(row)")
      }
      return last
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      refusedCount += 1
      return nil
    }
  }
}

/// A thread with a result.
final class Worker: @unchecked Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private var result: Result<Void, any Error>?

  init(_ body: @escaping @Sendable () throws -> Void) {
    Thread.detachNewThread { [self] in
      result = Result { try body() }
      ended.signal()
    }
  }

  func wait() throws {
    ended.wait()
    try result?.get()
  }
}

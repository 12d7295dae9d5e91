import Foundation
import Quarry
import QuarryDirectory

// Many databases in one folder: their creation, opening and access, and what open ones take
// (Linux).
//
//     swift run -c release Tenants [COUNT]

@main
struct Tenants {
  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
    let folder = NSTemporaryDirectory() + "/quarry-tenants-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let keys = (0..<count).map { "tenant-\($0)" }
    print("\(count) databases, microseconds each unless a unit is named")
    try Lines(folder: folder, keys: keys).run()
  }
}

struct Lines {
  let folder: String
  let keys: [String]

  func run() throws {
    try create()
    try list()
    try open("queue, limit 64: opening, and closing another one", limit: 64, makeQueue)
    try open("pool, limit 64: opening, and closing another one", limit: 64, makePool)
    try keepOpen("queue", makeQueue)
    try keepOpen("pool", makePool)
    try migrate()
  }

  let makeQueue: @Sendable (String, String) throws -> DatabaseQueue = { _, path in
    var configuration = Configuration()
    configuration.journalMode = .wal
    return try DatabaseQueue(path: path, configuration: configuration)
  }
  let makePool: @Sendable (String, String) throws -> DatabasePool = { try DatabasePool(path: $1) }

  private func create() throws {
    let directory = try DatabaseDirectory(
      path: folder, migrator: Self.migrator(["book"]), open: makeQueue)
    let time = try seconds { for key in keys { try directory.create(key) } }
    report("creation, with a table of 100 rows", time * 1e6 / Double(keys.count))
    try directory.close()
  }

  private func list() throws {
    let directory = try DatabaseDirectory(path: folder, open: makeQueue)
    report("keys() of all, milliseconds", try seconds { _ = try directory.keys() } * 1e3)
  }

  private func open<Writer: DatabaseWriter>(
    _ name: String, limit: Int, _ open: @escaping @Sendable (String, String) throws -> Writer
  ) throws {
    var options = DirectoryOptions()
    options.limit = limit
    let directory = try DatabaseDirectory(path: folder, options: options, open: open)
    let time = try seconds { for key in keys { try read(directory, key) } }
    report(name, time * 1e6 / Double(keys.count))
    try directory.close()
  }

  /// As many as the limit on open files allows: a pool has three, and two of its reader.
  private func keepOpen<Writer: DatabaseWriter>(
    _ name: String, _ open: @escaping @Sendable (String, String) throws -> Writer
  ) throws {
    var options = DirectoryOptions()
    options.limit = min(keys.count, Process.raiseFileLimit() / 6)
    options.idleDuration = nil
    let directory = try DatabaseDirectory(path: folder, options: options, open: open)
    let kept = keys.prefix(options.limit)
    let (memory, files) = (Process.residentMemory, Process.openFiles)
    let opening = try seconds { for key in kept { try read(directory, key) } }
    let count = Double(kept.count)
    print("\(name): \(kept.count) open at once")
    report("  first access", opening * 1e6 / count)
    report(
      "  next access", try seconds { for key in kept { try read(directory, key) } } * 1e6 / count)
    report("  memory, KB", Double(Process.residentMemory - memory) / 1e3 / count)
    report("  open files", Double(Process.openFiles - files) / count)
    try compare(directory, kept[kept.startIndex])
    try directory.close()
    try keepOne(open, kept[kept.startIndex])
  }

  /// The same access again and again, with the directory and without.
  private func compare<Writer: DatabaseWriter>(
    _ directory: DatabaseDirectory<Writer>, _ key: String
  ) throws {
    let count = 100_000
    let time = try seconds { for _ in 0..<count { try read(directory, key) } }
    report("  one database, by its key", time * 1e6 / Double(count))
    let lease = try directory.lease(key)
    let direct = try seconds {
      for _ in 0..<count { _ = try lease.database.read(Self.read) }
    }
    report("  one database, by a lease", direct * 1e6 / Double(count))
  }

  /// The first access after a closing.
  private func keepOne<Writer: DatabaseWriter>(
    _ open: @escaping @Sendable (String, String) throws -> Writer, _ key: String
  ) throws {
    let directory = try DatabaseDirectory(path: folder, open: open)
    var times: [Double] = []
    for _ in 0..<1000 {
      times.append(try seconds { try read(directory, key) })
      try directory.closeIdleDatabases()
    }
    report("  reopening one, median", times.sorted()[500] * 1e6)
  }

  private func migrate() throws {
    let directory = try DatabaseDirectory(path: folder, open: makeQueue)
    let migrator = Self.migrator(["book", "author"])
    let time = try seconds { _ = try directory.migrate(with: migrator) }
    report("migration of all, a table more, seconds", time)
    let again = try seconds { _ = try directory.migrate(with: migrator) }
    report("migration of all, nothing to do, seconds", again)
  }
}

extension Lines {
  static func migrator(_ tables: [String]) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for table in tables {
      migrator.registerMigration(table) { db in
        try db.execute(sql: "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, name TEXT)")
        for id in 1...100 {
          try db.execute(
            sql: "INSERT INTO \(table) VALUES (?, ?)", arguments: [id, "Number \(id)"])
        }
      }
    }
    return migrator
  }

  static let read: @Sendable (Database) throws -> Int? = { db in
    try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book WHERE id < 50")
  }

  func read<Writer: DatabaseWriter>(_ directory: DatabaseDirectory<Writer>, _ key: String) throws {
    guard try directory.read(key, Self.read) == 49 else { fatalError("\(key): a wrong count") }
  }

  func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  func report(_ name: String, _ value: Double) {
    print("\(name): \(String(format: value < 100 ? "%.2f" : "%.0f", value))")
  }
}

/// What the process takes of the machine.
enum Process {
  static var residentMemory: Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (pages.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  static var openFiles: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
  }

  /// The limit on open files, as high as the system lets this process have it.
  static func raiseFileLimit() -> Int {
    var limit = rlimit()
    #if os(Linux)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    getrlimit(resource, &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    return Int(clamping: limit.rlim_cur)
  }
}

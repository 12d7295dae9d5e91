import Foundation
import Quarry
import TemporaryDirectories

/// A use of the library, which is run again and again, each time with another fault.
public struct Flow: Sendable, CustomStringConvertible {
  let name: String
  var connections = Connection.allCases
  /// Whether the flow opens the database itself.
  var opensDatabase = false
  /// Whether the flow only reads: so it can also meet a file that ends early.
  var onlyReads = false
  /// Whether a lock that is met once fails no step, since all accesses are repeated.
  var toleratesLocks = false
  /// Whether the database may be closed at the end.
  var closesDatabase = false
  /// What the database has before the flow begins, besides the tables of the ledger.
  var prepare: @Sendable (Database) throws -> Void = { _ in }
  /// Replaces the preparation of the files.
  var prepareFiles: (@Sendable (Connection, _ path: String, Ledger) throws -> Void)?
  let run: @Sendable (Course) -> Void
  /// The contradictions at the end, when faults are over.
  var check: @Sendable (Database) throws -> [String] = { _ in [] }

  public var description: String { name }

  /// All flows.
  public static let all: [Flow] = [
    .creation, .opening, .recovery, .migration, .writes, .batch, .changes, .reads, .checkpoint,
    .backup, .dump, .blobs, .observation, .rebuild, .vacuum, .attachment, .fullText, .snapshots,
    .asynchronous, .retries, .deadlines, .closing,
  ]

  /// Whether the kind of connection has what the flow uses.
  public func runs(on connection: Connection) -> Bool { connections.contains(connection) }

  /// The files that a run begins with.
  func makeFiles(_ connection: Connection, _ ledger: Ledger) throws -> [String: Data] {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let files = FileManager.default
    let path = "\(directory.path)/library.sqlite"
    if let prepareFiles {
      try prepareFiles(connection, path, ledger)
    } else {
      let writer = try connection.open(path, Course.configuration)
      try Self.fill(writer, ledger, prepare)
      try writer.close()
    }
    var contents: [String: Data] = [:]
    for name in try files.contentsOfDirectory(atPath: directory.path) where !name.hasSuffix("-shm")
    {
      contents[name] = files.contents(atPath: "\(directory.path)/\(name)")
    }
    return contents
  }

  /// Writes the first transactions.
  static func fill(
    _ writer: any DatabaseWriter, _ ledger: Ledger,
    _ prepare: (Database) throws -> Void = { _ in }
  ) throws {
    ledger.begin(0, entryCount: 60)
    try writer.write { db in
      try Ledger.createTables(db)
      for var entry in Ledger.entries(0, count: 60) { try entry.insert(db) }
      try prepare(db)
    }
    ledger.acknowledge(0)
  }
}

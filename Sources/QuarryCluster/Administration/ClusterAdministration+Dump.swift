import Foundation
import Quarry

extension ClusterAdministration {
  /// Writes a copy of a database to a file, which SQLite and `DatabaseQueue` open as any other.
  ///
  /// ```swift
  /// try administration.dump("library", to: "/backups/library.sqlite")
  /// let dbQueue = try DatabaseQueue(path: "/backups/library.sqlite")
  /// ```
  ///
  /// The copy has all transactions that the node had when it was asked. Its file is complete, and
  /// checked by `PRAGMA quick_check`, before it gets its name.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_quick_check>.
  ///
  /// - Parameters:
  ///   - database: The name of the database in the cluster.
  ///   - path: The path of the file, which must not exist.
  ///   - node: A node that has the data: one that doesn't lead has the last transactions a bit
  ///     later. By default the leader.
  /// - throws: ``ClusterError`` for an empty name, or one with a NUL, if there is no such database,
  ///   or a file at the path, and if the node or the file system fails. `DatabaseError` for a copy
  ///   that is corrupt.
  public func dump(_ database: String, to path: String, from node: NodeAddress? = nil) throws {
    guard !database.isEmpty, !database.utf8.contains(0) else {
      throw ClusterError(
        .refused, "\(database.debugDescription) is no name of a database: it is empty, or has a NUL"
      )
    }
    guard !FileManager.default.fileExists(atPath: path) else {
      throw ClusterError(
        .file, "there is a file at \(path) already: remove it, or take another path")
    }
    let file = DumpedFile(path)
    defer { file.remove() }
    let session = try node.map { (node) throws(ClusterError) in
      try NodeSession(to: node, timeout: timeout)
    }
    try perform("the database \(database) can't be dumped", on: session) { session in
      try file.receive(database, session)
    }
    try file.finish()
  }
}

/// A database that is written under another name first.
private struct DumpedFile {
  private let path: String
  private let temporaryPath: String

  init(_ path: String) {
    self.path = path
    temporaryPath = "\(path)-\(UUID().uuidString)"
  }

  /// Receives the database, and its write-ahead log.
  func receive(_ database: String, _ session: NodeSession) throws {
    var file: (name: String, handle: FileHandle)?
    defer { try? file?.handle.close() }
    try session.dump(database) { name, bytes in
      if file?.name != name {
        try file?.handle.close()
        file = (name, try create(temporaryPath + suffix(of: name, database, session)))
      }
      try file?.handle.write(contentsOf: bytes)
    }
    guard file != nil else {
      throw ClusterError(
        .refused, "there is no database \"\(database)\"", node: session.address)
    }
  }

  /// A node sends two files, and no other name is a part of a path here.
  private func suffix(
    of name: String, _ database: String, _ session: NodeSession
  ) throws(ClusterError) -> String {
    guard let suffix = ["", "-wal"].first(where: { database + $0 == name }) else {
      throw ClusterError(
        .malformedAnswer, "a dump of \(database) has the unknown file \(name.debugDescription)",
        node: session.address)
    }
    return suffix
  }

  private func create(_ path: String) throws -> FileHandle {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw ClusterError(.file, "the file \(path) can't be created: does its folder exist?")
    }
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// Moves the transactions of the write-ahead log to the database, checks it, and names it.
  func finish() throws {
    let dbQueue = try DatabaseQueue(path: temporaryPath)
    try dbQueue.inDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      let problems = try String.fetchAll(db, sql: "PRAGMA quick_check")
      guard problems == ["ok"] else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT,
          message: "the dump is corrupt: \(problems.joined(separator: "; "))",
          sql: "PRAGMA quick_check")
      }
    }
    try dbQueue.close()
    do {
      try FileManager.default.moveItem(atPath: temporaryPath, toPath: path)
    } catch {
      throw ClusterError(.file, "the dump can't be moved to \(path): \(error)")
    }
  }

  func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: temporaryPath + suffix)
    }
  }
}

public import Foundation
public import Quarry

extension Database {
  /// Writes a copy of the database, with another passphrase or without any, to a new file.
  ///
  /// ```swift
  /// // A clear file is encrypted.
  /// try clear.writeWithoutTransaction { db in
  ///   try db.exportDatabase(to: encryptedPath, passphrase: "seven seas")
  /// }
  /// // An encrypted one is opened to everybody.
  /// try encrypted.writeWithoutTransaction { db in
  ///   try db.exportDatabase(to: clearPath, passphrase: nil)
  /// }
  /// ```
  ///
  /// The copy has all tables, indexes, triggers and views, the `user_version` and the
  /// `application_id`. It is that of one moment, also while other connections write.
  ///
  /// - parameter path: The path of a file that does not exist, or is empty.
  /// - parameter passphrase: The passphrase of the copy. Nil for one that is not encrypted.
  ///   Bytes are possible, too.
  /// - throws: A `DatabaseError` for an empty passphrase, where the file has content, in a
  ///   transaction, in a function that only reads, where SQLite has no encryption, and when SQLite
  ///   fails. The file is removed then, if it was not there before.
  ///
  /// See <https://www.zetetic.net/sqlcipher/sqlcipher-api/#sqlcipher_export>.
  public func exportDatabase(to path: String, passphrase: String?) throws {
    try export(to: path) { db in
      try unsafe passphrase?.withKey { key in try unsafe db.setKey(key, of: Self.copyName) }
    }
  }

  /// Writes a copy of the database, with another passphrase in bytes, to a new file: see
  /// ``exportDatabase(to:passphrase:)-(_,String?)``.
  public func exportDatabase(to path: String, passphrase: Data) throws {
    try export(to: path) { db in
      try unsafe passphrase.withUnsafeBytes { key in try unsafe db.setKey(key, of: Self.copyName) }
    }
  }
}

extension Database {
  private static let copyName = "quarry_export"

  private func export(to path: String, setKey: (Database) throws -> Void) throws {
    _ = try unsafe cipherConnection("exportDatabase")
    try checkMayWrite()
    try checkDestination(path)
    let existed = FileManager.default.fileExists(atPath: path)
    do {
      // The passphrase is in no statement: errors and traces would show it.
      try execute(sql: "ATTACH DATABASE ? AS \(Self.copyName) KEY ''", arguments: [path])
      try detaching {
        try setKey(self)
        try copyToAttachedDatabase()
      }
    } catch {
      if !existed { removeFiles(of: path) }
      throw error
    }
  }

  private func checkDestination(_ path: String) throws {
    guard !isInsideTransaction else {
      throw misuse("`exportDatabase` is a transaction of its own", Self.withoutTransaction)
    }
    if path.isEmpty { throw misuse("the path of the copy is empty") }
    try FilePath.check(path)
    guard path != ":memory:", !path.hasPrefix("file:") else {
      throw misuse("the copy needs the path of a file, neither a URI nor `:memory:`: \(path)")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.size] as? Int ?? 0 == 0 else {
      throw misuse("the file of the copy has content: \(path)")
    }
  }

  private func detaching(_ body: () throws -> Void) throws {
    let detachment = "DETACH DATABASE \(Self.copyName)"
    do {
      try body()
    } catch {
      try? execute(sql: detachment)
      throw error
    }
    try execute(sql: detachment)
  }

  private func copyToAttachedDatabase() throws {
    try inTransaction {
      for pragma in ["user_version", "application_id"] {
        let value = try Int.fetchOne(self, sql: "PRAGMA main.\(pragma)") ?? 0
        try execute(sql: "PRAGMA \(Self.copyName).\(pragma) = \(value)")
      }
      try execute(sql: "SELECT sqlcipher_export('\(Self.copyName)')")
      return .commit
    }
  }

  private func removeFiles(of path: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}

/// The content of the databases that functions of `prepareDatabase` attach to a temporary database.
/// They are temporary, too: nothing is written to the files that the functions name.
package enum AttachedContent {
  /// None, where only the main schema counts.
  case empty
  /// That of the files. Migrations may read and change it.
  case copied
}

extension Database {
  /// Calls `body` with an empty temporary database, with the configuration of this one, and in a
  /// file if this one is in a file: the functions that prepare its connection may need one.
  package func withTemporaryDatabase<T>(
    attached: AttachedContent = .empty, _ body: (DatabaseQueue) throws -> T
  ) throws -> T { try configuration.withTemporaryDatabase(isFile: isFile, attached, body) }

  /// Whether the database is in a file.
  package var isFile: Bool { filePath?.isEmpty == false }

  /// Attaches temporary files in the place of the attached databases, in the same order.
  fileprivate func replaceAttached(_ content: AttachedContent) throws -> [TemporaryDatabaseFile] {
    try readSchemaIDs().filter { $0 != .main && $0 != .temp }.map { schema in
      do {
        return try replaceAttached(schema, content)
      } catch var error as DatabaseError {
        error.addDetails(
          "no temporary database can take the place of \(schema.name), which is attached")
        throw error
      }
    }
  }

  private func replaceAttached(
    _ schema: DatabaseSchemaID, _ content: AttachedContent
  ) throws -> TemporaryDatabaseFile {
    let file = TemporaryDatabaseFile()
    if content == .copied {
      let copy = try DatabaseQueue(path: file.path)
      defer { try? copy.close() }
      try copy.inDatabase { copy in try backup(schema, to: copy) }
    }
    let name = schema.name.quotedDatabaseIdentifier
    try execute(sql: "DETACH DATABASE \(name)")
    try execute(sql: "ATTACH DATABASE ? AS \(name)", arguments: [file.path])
    return file
  }
}

extension Configuration {
  /// Calls `body` with an empty temporary database: in a file, or in one that SQLite deletes by
  /// itself. See <https://www.sqlite.org/inmemorydb.html#temp_db>.
  package func withTemporaryDatabase<T>(
    isFile: Bool, _ content: AttachedContent, _ body: (DatabaseQueue) throws -> T
  ) throws -> T {
    let file = isFile ? TemporaryDatabaseFile() : nil
    return try withExtendedLifetime(file) {
      let queue = try DatabaseQueue(path: file?.path ?? "", configuration: forTemporaryDatabase)
      var attached: [TemporaryDatabaseFile] = []
      defer {
        try? queue.close()
        // Files are deleted when their connection is closed.
        attached.removeAll()
      }
      attached = try queue.inDatabase { db in try db.replaceAttached(content) }
      return try body(queue)
    }
  }
}

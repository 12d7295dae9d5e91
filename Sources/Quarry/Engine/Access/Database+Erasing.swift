extension Database {
  /// Replaces the content of the database with nothing: the content of another database, which is
  /// empty.
  func erase() throws {
    if let engine { return try engine.erase(self) }
    let empty = try DatabaseQueue()
    try empty.inDatabase { source in
      do {
        try source.backup(to: self)
      } catch DatabaseError.SQLITE_READONLY where !configuration.readonly {
        // In memory, and in WAL mode, databases can't change the size of their pages.
        let pageSize = try Int.fetchOne(self, sql: "PRAGMA page_size") ?? 4096
        try source.execute(sql: "PRAGMA page_size = \(pageSize)")
        try source.backup(to: self)
      }
    }
  }
}

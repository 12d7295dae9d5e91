// Written by Scripts/generate, from Database+Dump.swift: change that file.

extension DatabaseReader {
  /// Writes the rows of SQL statements. See ``Database/dumpSQL(_:format:to:)``.
  public func dumpSQL(
    _ sql: SQL, format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    try unsafeReentrantRead { db in try db.dumpSQL(sql, format: format, to: stream) }
  }

  /// Writes the rows of a request. See ``Database/dumpRequest(_:format:to:)``.
  public func dumpRequest(
    _ request: some FetchRequest, format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try unsafeReentrantRead { db in try db.dumpRequest(request, format: format, to: stream) }
  }

  /// Writes the rows of tables and views. See
  /// ``Database/dumpTables(_:format:tableHeader:stableOrder:to:)``.
  public func dumpTables(
    _ tables: [String], format: some DumpFormat = .debug(),
    tableHeader: DumpTableHeaderOptions = .automatic, stableOrder: Bool = false,
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try unsafeReentrantRead { db in
      try db.dumpTables(
        tables, format: format, tableHeader: tableHeader, stableOrder: stableOrder, to: stream)
    }
  }

  /// Writes the SQL of the schema, and the rows of all tables. See
  /// ``Database/dumpContent(format:to:)``.
  public func dumpContent(
    format: some DumpFormat = .debug(), to stream: (any TextOutputStream)? = nil
  ) throws {
    try unsafeReentrantRead { db in try db.dumpContent(format: format, to: stream) }
  }

  /// Writes the SQL of the schema. See ``Database/dumpSchema(to:)``.
  public func dumpSchema(to stream: (any TextOutputStream)? = nil) throws {
    try unsafeReentrantRead { db in try db.dumpSchema(to: stream) }
  }
}

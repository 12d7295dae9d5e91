import Quarry

// snippet.own
/// A writer of an application, which forwards to another one.
final class OwnWriter: DatabaseWriter {
  let base: any DatabaseWriter

  init(_ base: any DatabaseWriter) { self.base = base }
}

/// The requirements that GRDB does not have.
extension OwnWriter {
  var _readingSource: _ReadingSource { base._readingSource }
  var _writer: _WriterConnection { base._writer }

  func writeWithoutTransaction<T>(_ updates: (Database) -> T) -> T {
    base.writeWithoutTransaction(updates)
  }

  func unsafeReentrantWrite<T>(_ updates: (Database) -> T) -> T {
    base.unsafeReentrantWrite(updates)
  }
}
// snippet.end

/// The others.
extension OwnWriter {
  var configuration: Configuration { base.configuration }
  var path: String { base.path }

  func close() throws { try base.close() }

  func interrupt() { base.interrupt() }

  func read<T>(_ value: (Database) throws -> T) throws -> T {
    try base.read(value)
  }

  func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await base.read(value)
  }

  func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    base.asyncRead(value)
  }

  func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T {
    try base.unsafeRead(value)
  }

  func unsafeRead<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await base.unsafeRead(value)
  }

  func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    base.asyncUnsafeRead(value)
  }

  func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
    try base.unsafeReentrantRead(value)
  }

  func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try base.writeWithoutTransaction(updates)
  }

  func writeWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await base.writeWithoutTransaction(updates)
  }

  func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try base.barrierWriteWithoutTransaction(updates)
  }

  func barrierWriteWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await base.barrierWriteWithoutTransaction(updates)
  }

  func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    base.asyncBarrierWriteWithoutTransaction(updates)
  }

  func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
    base.asyncWriteWithoutTransaction(updates)
  }

  func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) throws -> T {
    try base.unsafeReentrantWrite(updates)
  }

  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    base.spawnConcurrentRead(value)
  }
}

func ownWriter(_ writer: OwnWriter) async throws {
  let _: Int = try await writer.read { db in try Player.fetchCount(db) }
  let _: Int = try await writer.write { db in try Player.deleteAll(db) }
  try await asyncWriter(writer)
  try await asyncGenericWriter(writer)
  for try await _ in ValueObservation.tracking(Player.fetchAll).values(in: writer) { break }
}

func ownWriterWithoutTasks(_ writer: OwnWriter) throws {
  let _: Int = try writer.read { db in try Player.fetchCount(db) }
  let _: Int = writer.writeWithoutTransaction { db in db.changesCount }
  try writer.unsafeReentrantWrite { db in try db.execute(sql: "VACUUM") }
  try databaseWriter(writer)
  try databaseReader(writer, writer)
}

import Quarry

/// The ways to use a connection of a queue or a pool, waiting for the end.
enum SyncAccess: CaseIterable {
  case read, unsafeRead, unsafeReentrantRead
  case write, writeWithoutTransaction, barrierWriteWithoutTransaction, unsafeReentrantWrite
  case inDatabase

  /// Those that refuse to be used inside an access to the same queue.
  static let notReentrant: [SyncAccess] = [
    .read, .unsafeRead, .write, .writeWithoutTransaction, .barrierWriteWithoutTransaction,
    .inDatabase,
  ]

  func run<T>(on queue: any DatabaseWriter, _ body: (Database) throws -> T) throws -> T {
    switch self {
    case .read: try queue.read(body)
    case .unsafeRead: try queue.unsafeRead(body)
    case .unsafeReentrantRead: try queue.unsafeReentrantRead(body)
    case .write: try queue.write(body)
    case .writeWithoutTransaction: try queue.writeWithoutTransaction(body)
    case .barrierWriteWithoutTransaction: try queue.barrierWriteWithoutTransaction(body)
    case .unsafeReentrantWrite: try queue.unsafeReentrantWrite(body)
    case .inDatabase: try Self.inDatabase(queue, body)
    }
  }

  private static func inDatabase<T>(
    _ writer: any DatabaseWriter, _ body: (Database) throws -> T
  ) throws -> T {
    guard let queue = writer as? DatabaseQueue else {
      return try writer.writeWithoutTransaction(body)
    }
    return try queue.inDatabase(body)
  }

  /// Whether the access uses a reader of a pool.
  var isRead: Bool { [.read, .unsafeRead, .unsafeReentrantRead].contains(self) }

  /// The statements around the closure.
  var statements: (before: [String], after: [String], afterError: [String]) {
    switch self {
    case .read:
      (["BEGIN DEFERRED TRANSACTION"], ["COMMIT TRANSACTION"], ["ROLLBACK TRANSACTION"])
    case .write:
      (["BEGIN IMMEDIATE TRANSACTION"], ["COMMIT TRANSACTION"], ["ROLLBACK TRANSACTION"])
    default:
      ([], [], [])
    }
  }
}

/// The ways to use a connection of a queue or a pool from a task.
enum AsyncAccess: CaseIterable {
  case read, unsafeRead, write, writeWithoutTransaction, barrierWriteWithoutTransaction

  func run<T: Sendable>(
    on queue: any DatabaseWriter, _ body: @Sendable (Database) throws -> T
  ) async throws -> T {
    switch self {
    case .read: try await queue.read(body)
    case .unsafeRead: try await queue.unsafeRead(body)
    case .write: try await queue.write(body)
    case .writeWithoutTransaction: try await queue.writeWithoutTransaction(body)
    case .barrierWriteWithoutTransaction: try await queue.barrierWriteWithoutTransaction(body)
    }
  }

  /// Whether the access uses a reader of a pool.
  var isRead: Bool { sync.isRead }

  /// The synchronous access of the same name.
  var sync: SyncAccess {
    switch self {
    case .read: .read
    case .unsafeRead: .unsafeRead
    case .write: .write
    case .writeWithoutTransaction: .writeWithoutTransaction
    case .barrierWriteWithoutTransaction: .barrierWriteWithoutTransaction
    }
  }
}

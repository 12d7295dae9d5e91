import CFaults
import CSQLite

/// A call of SQLite to its file system that fails.
public struct Fault: Sendable {
  /// A method of the file system.
  public enum Operation: UInt32, CaseIterable, Sendable {
    case open, delete, access, fullPath, read, write, truncate, sync, fileSize, lock, unlock,
      checkLock, sharedMap, sharedLock
    /// Of memory, by SQLite: not a method of the file system.
    case allocation

    var code: quarry_operation { quarry_operation(rawValue) }
  }

  let operation: Operation
  /// The result code of the call.
  let code: CInt
  /// What fails, as it is named in reports.
  package let name: String
  /// Whether the later calls fail as well.
  var isLasting = false
  /// Whether half of the bytes are written or read.
  var isHalf = false
  /// The types of the files, 0 for all.
  var fileTypes: CInt = 0

  /// The faults that strike one call each.
  public static let once: [Fault] = [
    Fault(operation: .open, code: SQLITE_CANTOPEN, name: "can't open"),
    Fault(operation: .delete, code: ioError(10), name: "delete error"),
    Fault(operation: .access, code: ioError(13), name: "access error"),
    Fault(operation: .fullPath, code: SQLITE_CANTOPEN | 2 << 8, name: "no full path"),
    Fault(operation: .read, code: ioError(1), name: "read error"),
    Fault(operation: .write, code: ioError(3), name: "write error"),
    Fault(operation: .write, code: SQLITE_FULL, name: "disk full", isHalf: true),
    Fault(operation: .truncate, code: ioError(6), name: "truncate error"),
    Fault(operation: .sync, code: ioError(4), name: "sync error"),
    Fault(operation: .fileSize, code: ioError(7), name: "file size error"),
    Fault(operation: .lock, code: ioError(15), name: "lock error"),
    Fault(operation: .lock, code: SQLITE_BUSY, name: "busy lock"),
    Fault(operation: .unlock, code: ioError(8), name: "unlock error"),
    Fault(operation: .checkLock, code: ioError(14), name: "lock check error"),
    Fault(operation: .sharedMap, code: ioError(21), name: "shared memory map error"),
    Fault(operation: .sharedLock, code: ioError(20), name: "shared memory lock error"),
    Fault(operation: .sharedLock, code: SQLITE_BUSY, name: "busy shared memory lock"),
  ]

  /// The faults that last until the end of the flow.
  public static let lasting: [Fault] = [
    Fault(
      operation: .write, code: SQLITE_FULL, name: "disk full from then on", isLasting: true,
      isHalf: true),
    Fault(operation: .read, code: ioError(1), name: "read errors from then on", isLasting: true),
    Fault(operation: .sync, code: ioError(4), name: "sync errors from then on", isLasting: true),
  ]

  /// A database file that ends early, for reads only: no check of SQLite sees a journal that is
  /// shorter than it was, and a transaction that reads zeros writes zeros.
  public static let shortRead = Fault(
    operation: .read, code: SQLITE_IOERR | 2 << 8, name: "short read", isHalf: true,
    fileTypes: SQLITE_OPEN_MAIN_DB)

  /// The failures of SQLite's allocator, where ``installAllocator()`` has been called.
  public static let memory: [Fault] = [
    Fault(operation: .allocation, code: SQLITE_NOMEM, name: "out of memory"),
    Fault(
      operation: .allocation, code: SQLITE_NOMEM, name: "out of memory from then on",
      isLasting: true),
  ]

  /// Makes SQLite allocate by an allocator that can fail. It must be called before SQLite is used.
  public static func installAllocator() {
    guard quarry_memory_install() == SQLITE_OK else { fatalError("SQLite is used already") }
  }

  /// Whether SQLite keeps what it has read in its cache, until the database is opened again.
  var isCached: Bool { operation == .read && isHalf }

  /// Whether it is the lock of somebody else.
  var isLock: Bool { code & 0xFF == SQLITE_BUSY }

  private static func ioError(_ number: CInt) -> CInt { SQLITE_IOERR | number << 8 }

  /// The primary result codes that an error may have which the fault causes.
  package var resultCodes: Set<CInt> {
    switch code & 0xFF {
    case SQLITE_IOERR where isHalf: [SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB]
    // A file that can't be opened for lack of memory; `SQLITE_IOERR_NOMEM`.
    case SQLITE_NOMEM: [SQLITE_NOMEM, SQLITE_IOERR, SQLITE_CANTOPEN]
    default: [code & 0xFF]
    }
  }
}

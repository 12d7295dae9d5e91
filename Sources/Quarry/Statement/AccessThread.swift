import CSQLite

/// The thread that runs an access to a connection. Any thread may ask whether it is that one.
///
/// A statement may be used by a thread that runs no access, by mistake, while another thread releases the connection. So
/// the answer needs neither the connection, which may be going, nor a lock, which is slow for each execution: a thread
/// that reads its own identity runs the access, which keeps the connection.
final class AccessThread: @unchecked Sendable {
  private let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)

  init() {
    word.initialize(to: 0)
  }

  deinit {
    word.deallocate()
  }

  /// True inside an access of the current thread.
  var isCurrent: Bool { quarry_atomic_load(word) == ThreadIdentity.current.bits }

  /// Lets the current thread use the connection while `body` runs. It must own the connection.
  func run<T>(_ body: () throws -> T) rethrows -> T {
    if isCurrent { return try body() }
    quarry_atomic_store(word, ThreadIdentity.current.bits)
    defer { quarry_atomic_store(word, 0) }
    return try body()
  }
}

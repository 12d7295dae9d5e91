import Foundation

/// A value that is read and changed by one thread at a time.
///
/// No function: wrap it in a structure. The compiler converts a function between its own form and
/// that of generic code, and each access to a bare one would leave a conversion of a conversion
/// behind: calls that become slower, and at last overflow the stack.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs `body` with the value, alone. `body` must not come back to this lock.
  package func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

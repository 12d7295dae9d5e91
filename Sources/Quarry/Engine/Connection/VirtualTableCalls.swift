/// The calls of virtual tables by SQLite, one inside the other: during a call, no module can be
/// replaced.
package final class VirtualTableCalls {
  @usableFromInline var depth = 0

  package var isRunning: Bool { depth > 0 }

  @inlinable @inline(__always) package func count<T>(_ call: () throws -> T) rethrows -> T {
    depth += 1
    defer { depth -= 1 }
    return try call()
  }
}

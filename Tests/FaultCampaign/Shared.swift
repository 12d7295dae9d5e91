import Foundation

/// A value that several threads read and write.
final class Shared<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var storage: Value

  /// Shares a value.
  init(_ value: Value) { storage = value }

  /// The value.
  var value: Value { lock.withLock { storage } }

  /// Reads or changes the value.
  func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    try lock.withLock { try body(&storage) }
  }
}

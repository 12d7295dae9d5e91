import Foundation

/// Runs `body` on a thread of its own: it waits for other threads, and those of Swift's pool are
/// few.
public func onOwnThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

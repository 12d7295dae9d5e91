import Foundation

/// The queues that copies of queues replace the content of, or wait for.
///
/// A copy takes its destination, then its source. Copies in opposite directions, or in a circle,
/// would each have a destination, and wait for that of another one. So a copy whose source is the
/// destination of another one waits for the end of that before it takes anything. It needs this
/// queue anyway: whatever stops the other copy also stops this one.
final class BackupDestinations: @unchecked Sendable {
  static let shared = BackupDestinations()

  private let condition = NSCondition()
  private var destinations: [ObjectIdentifier] = []

  /// Runs a copy between two queues.
  func copy(
    from source: SerialConnection, to destination: SerialConnection, _ body: () throws -> Void
  ) throws {
    try source.checkCanWait()
    try destination.checkCanWait()
    let id = ObjectIdentifier(destination)
    begin(from: ObjectIdentifier(source), to: id)
    defer { end(id) }
    try body()
  }

  private func begin(from source: ObjectIdentifier, to destination: ObjectIdentifier) {
    condition.withLock {
      while destinations.contains(source) { condition.wait() }
      destinations.append(destination)
    }
  }

  private func end(_ destination: ObjectIdentifier) {
    condition.withLock {
      if let index = destinations.firstIndex(of: destination) { destinations.remove(at: index) }
      condition.broadcast()
    }
  }
}

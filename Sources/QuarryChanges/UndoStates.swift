import Foundation
import Quarry

/// The state of an ``UndoStack``, and those who wait for the next one.
final class UndoStates: Sendable {
  private struct Content {
    var state: UndoState
    var continuations: [UUID: AsyncStream<UndoState>.Continuation] = [:]
  }

  private let content: Locked<Content>

  init(_ state: UndoState) { content = Locked(Content(state: state)) }

  deinit {
    let continuations = content.withLock { $0.continuations.values }
    for continuation in continuations { continuation.finish() }
  }

  var current: UndoState { content.withLock { $0.state } }

  func set(_ state: UndoState) {
    content.withLock { content in
      guard content.state != state else { return }
      content.state = state
      // Inside of the lock, so that each one gets the states in their order.
      for continuation in content.continuations.values { continuation.yield(state) }
    }
  }

  /// Only the last state matters to those who come late.
  func stream() -> AsyncStream<UndoState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = UUID()
      content.withLock { content in
        content.continuations[id] = continuation
        continuation.yield(content.state)
      }
      continuation.onTermination = { [weak self] _ in
        self?.content.withLock { $0.continuations[id] = nil }
      }
    }
  }
}

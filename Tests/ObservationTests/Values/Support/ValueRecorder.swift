import Foundation

/// What an observation reports, in order. Tests wait for as many elements as they expect.
final class ValueRecorder<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var storage: [Element] = []
  private var waiters: [UUID: (condition: ([Element]) -> Bool, end: (Bool) -> Void)] = [:]

  var elements: [Element] { lock.withLock { storage } }

  func append(_ element: Element) {
    let ended = lock.withLock {
      storage.append(element)
      let ended = waiters.filter { $0.value.condition(storage) }
      for id in ended.keys { waiters[id] = nil }
      return ended
    }
    for waiter in ended.values { waiter.end(true) }
  }

  /// Forgets what there is, and returns it.
  @discardableResult func takeAll() -> [Element] {
    lock.withLock {
      defer { storage = [] }
      return storage
    }
  }

  /// Waits until there are so many elements.
  @discardableResult func first(_ count: Int) async throws -> [Element] {
    try await wait { $0.count >= count }
    return Array(elements.prefix(count))
  }

  /// Waits until the elements satisfy a condition.
  func wait(until condition: @escaping @Sendable ([Element]) -> Bool) async throws {
    let isSatisfied = await withCheckedContinuation { continuation in
      let id = UUID()
      let isSatisfied = lock.withLock {
        if condition(storage) { return true }
        waiters[id] = (condition, { continuation.resume(returning: $0) })
        return false
      }
      if isSatisfied { return continuation.resume(returning: true) }
      // By the time of tasks, since it is tasks that report: while thousands of them wait for a
      // thread, on a busy machine, two minutes say nothing. Each sleep ends behind those that wait.
      Task { [weak self] in
        for _ in 1...12 { try await Task.sleep(for: .seconds(10)) }
        self?.giveUp(id)
      }
    }
    if !isSatisfied { throw TimeOut(elements: elements) }
  }

  private func giveUp(_ id: UUID) {
    let waiter = lock.withLock { waiters.removeValue(forKey: id) }
    waiter?.end(false)
  }

  struct TimeOut: Error {
    let elements: [Element]
  }
}

/// Lines of `print(_:to:)`, each one on a line of its own.
struct RecorderStream: TextOutputStream {
  let recorder: ValueRecorder<String>

  mutating func write(_ string: String) {
    recorder.append(string)
  }
}

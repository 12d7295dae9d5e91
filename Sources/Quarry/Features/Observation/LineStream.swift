import Foundation

/// A stream that several threads write lines to, one after the other.
final class LineStream: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var stream: (any TextOutputStream)?
  private var waiting: [String] = []
  private var isWriting = false

  /// - parameter stream: Nil for the standard output.
  init(_ stream: (any TextOutputStream)?) { self.stream = stream }

  /// Writes a line. One that the stream itself causes, such as by ending an observation, follows
  /// the line that it is writing.
  func write(_ line: String) {
    lock.withLock {
      waiting.append(line)
      if isWriting { return }
      isWriting = true
      defer { isWriting = false }
      while !waiting.isEmpty {
        let line = waiting.removeFirst()
        if stream == nil { print(line) } else { stream?.write(line) }
      }
    }
  }
}

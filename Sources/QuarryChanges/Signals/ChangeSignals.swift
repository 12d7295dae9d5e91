import Dispatch
import Quarry

/// Looks for commits of other connections when the files of the database have changed.
///
/// A process writes its frames to the write-ahead log, and makes them visible to others later, in
/// shared memory, of which there is no event: a look may come in between. It is repeated therefore,
/// in growing pauses.
final class ChangeSignals: @unchecked Sendable {
  private static let pauses: [Duration] = [4, 16, 64, 256, 1024].map { .milliseconds($0) }
  /// The shortest time between two looks, while events go on.
  private static let breath = Duration.milliseconds(1)

  // All variables are those of the queue.
  private let queue = DispatchQueue(label: "quarry.signals")
  /// Returns whether nothing is left to notify.
  private let notify: @Sendable (Database) throws -> Bool
  private let onEnd: @Sendable (Database) -> Void
  private let onError: @Sendable (any Error) -> Void
  private let interval: Duration?
  private weak var writer: (any DatabaseWriter)?
  private var events: FileEvents?
  private var pauses: ArraySlice<Duration> = []
  private var isLooking = false
  private var hasEvent = false
  /// Counts what is scheduled: only the last one takes place.
  private var schedule = 0

  init(
    writer: any DatabaseWriter, interval: Duration?,
    notify: @escaping @Sendable (Database) throws -> Bool,
    onEnd: @escaping @Sendable (Database) -> Void,
    onError: @escaping @Sendable (any Error) -> Void
  ) {
    self.writer = writer.innermostWriter
    (self.notify, self.onEnd) = (notify, onEnd)
    self.onError = onError
    #if os(Linux)
      self.interval = interval
    #else
      self.interval = interval ?? .seconds(1)
    #endif
  }

  func start(watching path: String) throws {
    let events = try FileEvents(
      database: path, queue: queue, onError: onError,
      onEvent: { [weak self] in self?.fileDidChange() })
    queue.sync {
      self.events = events
      look()
    }
  }

  func end() {
    queue.async { [self] in
      events?.end()
      writer?.asyncWriteWithoutTransaction { [onEnd] db in onEnd(db) }
      (events, writer) = (nil, nil)
    }
  }

  deinit { events?.end() }

  private func fileDidChange() {
    pauses = Self.pauses[...]
    if isLooking { hasEvent = true } else { look() }
  }

  private func look() {
    guard let writer, !isLooking else { return }
    (isLooking, hasEvent) = (true, false)
    schedule += 1
    events?.pause()
    writer.asyncWriteWithoutTransaction { [weak self, notify, onError, queue] db in
      if db.isClosed {
        self?.end()
        return
      }
      if db.isInsideTransaction {
        // One that was left open sees nothing new before its end.
        let lookAgain = { @Sendable [weak self] (_: Database) in
          queue.async { [weak self] in self?.fileDidChange() }
        }
        db.afterNextTransaction(onCommit: lookAgain, onRollback: lookAgain)
      }
      var isDone = true
      do { isDone = try notify(db) } catch { onError(error) }
      queue.async { [weak self, isDone] in self?.didLook(isDone) }
    }
  }

  private func didLook(_ isDone: Bool) {
    if !isDone, pauses.isEmpty { pauses = Self.pauses[...] }
    after(Self.breath) { signals in
      signals.isLooking = false
      signals.events?.resume()
      if signals.hasEvent { signals.look() } else { signals.lookLater() }
    }
  }

  private func lookLater() {
    guard let pause = pauses.popFirst() ?? interval else { return }
    schedule += 1
    let number = schedule
    after(pause) { signals in if number == signals.schedule { signals.look() } }
  }

  private func after(_ pause: Duration, _ action: @escaping @Sendable (ChangeSignals) -> Void) {
    queue.asyncAfter(deadline: .now() + pause.dispatchInterval) { [weak self] in
      if let self { action(self) }
    }
  }
}

extension Duration {
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let microseconds = self / .microseconds(1)
    return .microseconds(microseconds < 1e12 ? Int(max(0, microseconds)) : 1_000_000_000_000)
  }
}

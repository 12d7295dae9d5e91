import Foundation
import QuarryTestSupport

@testable import Quarry

/// How an observation of the model is made and started.
struct ModelOptions: Sendable {
  enum Scheduling: CaseIterable, Sendable {
    case shared, task, queue, queueWithoutDuplicates, immediate, mainActor, immediateOnMainActor

    var isImmediate: Bool { self == .immediate || self == .immediateOnMainActor }
  }

  enum Tracking: CaseIterable, Sendable {
    case constant, regions, varying
  }

  let scheduling: Scheduling
  let tracking: Tracking
  let requiresWriteAccess: Bool
  /// A number below 8: 0 and 1 delay fetches.
  let pace: Int
  let dropsInitialValue: Bool
  /// So many fetches fail, at most.
  let failureCount: Int
  let isInTransaction: Bool

  private init(
    _ random: inout SplitMix64, _ schedulings: [Scheduling], isInTransaction: Bool = false
  ) {
    scheduling = random.pick(schedulings)
    tracking = random.pick(Tracking.allCases)
    requiresWriteAccess = random.chance(8)
    pace = random.below(8)
    let keepsAll = scheduling != .shared && scheduling != .queueWithoutDuplicates
    dropsInitialValue = keepsAll && random.chance(6)
    failureCount = random.chance(4) ? 1 + random.below(3) : 0
    self.isInTransaction = isInTransaction
  }

  static func random(_ random: inout SplitMix64) -> ModelOptions {
    ModelOptions(&random, Scheduling.allCases)
  }

  static func randomInTransaction(_ random: inout SplitMix64) -> ModelOptions {
    ModelOptions(
      &random, [.task, .queue, .queueWithoutDuplicates, .immediate], isInTransaction: true)
  }

  var needsMainActor: Bool { scheduling == .mainActor || scheduling == .immediateOnMainActor }
}

/// An observation of a request.
final class ModelWatcher: @unchecked Sendable {
  let name: String
  let request: Int
  let options: ModelOptions
  let values = ValueRecorder<String>()
  private let received = ValueRecorder<String>()
  private let errors = ValueRecorder<any Error>()
  private let modelRequest: ModelRequest
  private let failures: RandomFailures
  /// The state before the first value: that of a shared observation may be older than the
  /// subscription.
  private var start: Int
  /// The first value may be that of a transaction that is not committed yet.
  private var mayBeginUncommitted = false
  private let queue: DispatchQueue
  private let changes = ValueRecorder<Bool>()
  private var cancellable: AnyDatabaseCancellable?
  /// The number of values when the last one was on its way, if it is known.
  private var countAtCancellation: Int?

  init(
    _ modelRequest: ModelRequest, at request: Int, startedAt start: Int, number: Int,
    _ options: ModelOptions, seed: UInt64
  ) {
    self.modelRequest = modelRequest
    self.request = request
    self.start = start
    self.options = options
    name = "\(number) \(modelRequest.name) \(options)"
    queue = DispatchQueue(label: name)
    failures = RandomFailures(seed: seed, count: options.failureCount)
  }

  var isCancelled: Bool { countAtCancellation != nil }
  var changeCount: Int { changes.elements.count }

  func cancel() {
    guard !isCancelled else { return }
    cancellable?.cancel()
    // The call that is running may be finishing.
    queue.sync {}
    countAtCancellation = values.elements.count
  }
}

extension ModelWatcher {
  func start(
    in writer: any DatabaseWriter, _ shared: inout [Int: SharedValueObservation<String>]
  ) {
    if options.isInTransaction, options.scheduling.isImmediate {
      mayBeginUncommitted = !(writer is DatabasePool) || options.requiresWriteAccess
    }
    let observation = observation
    switch options.scheduling {
    case .shared:
      // The scheduler of a shared observation is that of its first subscriber.
      start = 0
      let known = shared[request] ?? observation.shared(in: writer, scheduling: QueueScheduler())
      shared[request] = known
      cancellable = known.start(onError: onError, onChange: onChange)
    case .task:
      cancellable = observation.start(
        in: writer, scheduling: .task, onError: onError, onChange: onChange)
    case .queueWithoutDuplicates:
      cancellable = observation.removeDuplicates().start(
        in: writer, scheduling: .async(onQueue: queue), onError: onError, onChange: onChange)
    case .immediate:
      cancellable = observation.start(
        in: writer, scheduling: QueueScheduler(), onError: onError, onChange: onChange)
    case .queue, .mainActor, .immediateOnMainActor:
      cancellable = observation.start(
        in: writer, scheduling: .async(onQueue: queue), onError: onError, onChange: onChange)
    }
  }

  @MainActor func startOnMainActor(in writer: any DatabaseWriter) {
    let (onError, onChange) = (onError, onChange)
    if options.scheduling == .immediateOnMainActor {
      cancellable = observation.start(
        in: writer, scheduling: .immediate, onError: { onError($0) }, onChange: { onChange($0) })
    } else {
      cancellable = observation.start(
        in: writer, scheduling: .mainActor, onError: { onError($0) }, onChange: { onChange($0) })
    }
  }

  private var onError: @Sendable (any Error) -> Void {
    { [errors] in errors.append($0) }
  }

  private var onChange: @Sendable (String) -> Void {
    { [values] in values.append($0) }
  }

  private var observation: ValueObservation<ValueReducers.Trace<ValueReducers.Fetch<String>>> {
    let observation = tracking.handleEvents(
      databaseDidChange: { [changes] in changes.append(true) },
      didReceiveValue: { [received] in received.append($0) })
    let retried = observation.retry { error, _ in error is Mishap ? .milliseconds(1) : nil }
    return options.dropsInitialValue ? retried.dropInitial() : retried
  }

  private var tracking: ValueObservation<ValueReducers.Fetch<String>> {
    let fetch = { @Sendable [modelRequest, failures] (db: Database) throws -> String in
      let value = try modelRequest.fetch(db)
      try failures.failNowAndThen()
      return value
    }
    var observation: ValueObservation<ValueReducers.Fetch<String>> =
      switch options.tracking {
      case .constant where modelRequest.isConstant: .trackingConstantRegion(fetch)
      case .regions: .tracking(regions: modelRequest.regions, fetch: fetch)
      case .constant, .varying: .tracking(fetch)
      }
    observation.requiresWriteAccess = options.requiresWriteAccess
    switch options.pace {
    case 0: return observation.throttle(for: .milliseconds(1))
    case 1: return observation.debounce(for: .milliseconds(1))
    default: return observation
    }
  }
}

// Checks.
extension ModelWatcher {
  /// Waits until the last value is the one of a state. A first value that is left out may be the
  /// last one.
  func wait(forLast last: String) async throws {
    guard options.dropsInitialValue else { return try await values.wait { $0.last == last } }
    try await received.wait { $0.last == last }
    let count = received.elements.count
    try await values.wait { $0.count >= count - 1 }
  }

  func failures(in history: [[String]]) -> [String] {
    var failures = errors.elements.map { "\(name): \($0)" }
    let values = values.elements
    if let countAtCancellation, values.count > countAtCancellation + 1 {
      failures.append("\(name): values after the cancellation")
    }
    // The last ones may be on their way.
    if options.dropsInitialValue, !isCancelled, !received.elements.dropFirst().starts(with: values)
    {
      failures.append("\(name): \(values) of \(received.elements)")
    }
    var index = start
    for value in mayBeginUncommitted && !options.dropsInitialValue
      ? values.dropFirst() : values[...]
    {
      let next = history[index...].firstIndex { $0[request] == value }
      guard let next else {
        failures.append("\(name): \(value) is no later state of \(history.map { $0[request] })")
        break
      }
      index = next
    }
    return failures
  }
}

/// Fails now and then, but not for ever.
private final class RandomFailures: Sendable {
  private let state: Locked<(random: SplitMix64, count: Int)>

  init(seed: UInt64, count: Int) {
    state = Locked((SplitMix64(seed: seed), count))
  }

  func failNowAndThen() throws {
    let fails = state.withLock { state in
      guard state.count > 0, state.random.chance(3) else { return false }
      state.count -= 1
      return true
    }
    if fails { throw Mishap() }
  }
}

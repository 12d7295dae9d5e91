import Dispatch
import Quarry
import QuarryChanges

func valueObservations(
  _ reader: any DatabaseReader, _ writer: any DatabaseWriter
) -> [AnyDatabaseCancellable] {
  var observation = ValueObservation.tracking { db in try Player.fetchCount(db) }
  observation.requiresWriteAccess = true
  let constant: ValueObservation<ValueReducers.Fetch<Int>> = .trackingConstantRegion { db in
    try Player.fetchCount(db)
  }
  let explicit = ValueObservation.tracking(
    region: Player.all(), Table("team"), fetch: { db in try Player.fetchCount(db) })
  let full = ValueObservation.tracking(region: .fullDatabase) { db in
    try Player.fetchCount(db)
  }
  let regions = ValueObservation.tracking(
    regions: [Player.all(), Table("team")], fetch: { db in try Player.fetchCount(db) })
  return [observation, constant, explicit, full, regions].map { observation in
    observation.start(
      in: reader, scheduling: .async(onQueue: .main), onError: { (_: any Error) in },
      onChange: { (_: Int) in })
  }
}

/// The fetching methods as values.
func observedMethods(_ request: QueryInterfaceRequest<Player>) {
  let _: ValueObservation<ValueReducers.Fetch<[Player]>> = .tracking(Player.fetchAll)
  let _: ValueObservation<ValueReducers.Fetch<Player?>> = .tracking(request.fetchOne)
  let players = ValueObservation.tracking(Player.fetchAll)
  let player = ValueObservation.tracking(request.fetchOne)
  let count = ValueObservation.tracking(Player.filter { $0.score > 10 }.fetchCount)
  let constant = ValueObservation.trackingConstantRegion(Player.fetchAll)
  _ = (players, player, count, constant)
}

func valueOperators(
  _ observation: ValueObservation<ValueReducers.Fetch<Int>>
) {
  let mapped: ValueObservation<ValueReducers.Map<ValueReducers.Fetch<Int>, String>> =
    observation.map { "\($0)" }
  let distinct: ValueObservation<ValueReducers.RemoveDuplicates<ValueReducers.Fetch<Int>>> =
    observation.removeDuplicates()
  _ = observation.removeDuplicates(by: { $0 == $1 })
  let traced: ValueObservation<ValueReducers.Trace<ValueReducers.Fetch<Int>>> = observation.print()
  _ = observation.print("prefix")
  _ = observation.print("prefix", to: TextLines())
  _ = observation.handleEvents()
  _ = observation.handleEvents(
    willStart: {}, willFetch: {}, willTrackRegion: { (_: DatabaseRegion) in },
    databaseDidChange: {}, didReceiveValue: { (_: Int) in }, didFail: { (_: any Error) in },
    didCancel: {})
  _ = (mapped, distinct, traced)
}

private struct TextLines: TextOutputStream {
  mutating func write(_ string: String) {}
}

@MainActor func mainActorObservations(
  _ observation: ValueObservation<ValueReducers.Fetch<Int>>, _ reader: any DatabaseReader
) -> [AnyDatabaseCancellable] {
  var count = 0
  return [
    observation.start(in: reader) { _ in
    } onChange: {
      count = $0
    },
    observation.start(in: reader, scheduling: .immediate) { _ in
    } onChange: {
      count = $0
    },
    observation.start(in: reader, scheduling: .mainActor) { _ in
    } onChange: { _ in
      count += 1
    },
  ]
}

func valueSchedulers(
  _ observation: ValueObservation<ValueReducers.Fetch<Int>>, _ reader: any DatabaseReader
) {
  let queue: AsyncValueObservationScheduler = .async(onQueue: .main)
  let sameQueue = AsyncValueObservationScheduler(queue: .main)
  let immediate: ImmediateValueObservationScheduler = .immediate
  let sameImmediate = ImmediateValueObservationScheduler()
  let task: TaskValueObservationScheduler = .task
  let urgentTask: TaskValueObservationScheduler = .task(priority: .high)
  let mainActor: DelayedMainActorValueObservationScheduler = .mainActor
  let schedulers: [any ValueObservationScheduler] = [
    queue, sameQueue, immediate, sameImmediate, task, urgentTask, mainActor,
  ]
  for scheduler in schedulers {
    _ = scheduler.immediateInitialValue()
    scheduler.schedule {}
  }
  let mainActorSchedulers: [any ValueObservationMainActorScheduler] = [immediate, mainActor]
  for scheduler in mainActorSchedulers { scheduler.scheduleOnMainActor {} }
  _ = observation.start(in: reader, scheduling: .task, onError: { _ in }, onChange: { _ in })
  _ = observation.start(
    in: reader, scheduling: .task(priority: .low), onError: { _ in }, onChange: { _ in })
  _ = observation.start(in: reader, scheduling: .immediate, onError: { _ in }, onChange: { _ in })
}

/// A scheduler that is handed on, with a default.
func observe(
  _ observation: ValueObservation<ValueReducers.Fetch<Int>>, in reader: any DatabaseReader,
  scheduling scheduler: any ValueObservationScheduler = .async(onQueue: .main)
) -> AnyDatabaseCancellable {
  observation.start(in: reader, scheduling: scheduler, onError: { _ in }, onChange: { _ in })
}

func observeGenerically(
  _ observation: ValueObservation<ValueReducers.Fetch<Int>>, in reader: some DatabaseReader,
  scheduling scheduler: some ValueObservationScheduler = .async(onQueue: .main)
) -> AnyDatabaseCancellable {
  observation.start(in: reader, scheduling: scheduler, onError: { _ in }, onChange: { _ in })
}

func valueSequences(
  _ observation: ValueObservation<ValueReducers.Fetch<Int>>, _ reader: any DatabaseReader
) async throws {
  let policy: AsyncValueObservation<Int>.BufferingPolicy = .bufferingNewest(1)
  let values: AsyncValueObservation<Int> = observation.values(
    in: reader, scheduling: .task, bufferingPolicy: policy)
  var iterator: AsyncValueObservation<Int>.AsyncIterator = values.makeAsyncIterator()
  let _: Int? = try await iterator.next()
  for try await _ in observation.values(in: reader) { break }
}

func sharedObservations(
  _ observation: ValueObservation<ValueReducers.Fetch<Int>>, _ reader: any DatabaseReader
) -> AnyDatabaseCancellable {
  let extents: Set<SharedValueObservationExtent> = [.observationLifetime, .whileObserved]
  for extent in extents {
    _ = observation.shared(in: reader, scheduling: .immediate, extent: extent)
  }
  let shared: SharedValueObservation<Int> = observation.shared(in: reader)
  let _: AsyncValueObservation<Int> = shared.values(bufferingPolicy: .unbounded)
  return shared.start(onError: { (_: any Error) in }, onChange: { (_: Int) in })
}

func cancellables(_ base: some DatabaseCancellable) {
  base.cancel()
  let cancellable = AnyDatabaseCancellable(base)
  cancellable.cancel()
  _ = AnyDatabaseCancellable(cancel: {})
}

func observationsBeyond(
  _ observation: ValueObservation<ValueReducers.Fetch<Int>>, _ writer: any DatabaseWriter
) {
  _ = observation.debounce(for: .seconds(1)).throttle(for: .seconds(1)).dropInitial()
  _ = observation.retry { (_: any Error, _: Int) in .seconds(1) }
  let players = ValueObservation.tracking { db in
    try Row.fetchAll(db, sql: "SELECT id FROM player").map { ListedPlayer(id: $0["id"]) }
  }
  _ = players.differences().map { (change: ListChange<ListedPlayer>) in
    (change.elements, change.difference.count, change.updates, change.isEmpty)
  }
  _ = writer.notifyChangesOfOtherConnections(every: .seconds(1), onError: { (_: any Error) in })
}

private struct ListedPlayer: Identifiable, Equatable, Sendable {
  let id: Int64
}

/// Runs flows with faults, and counts.
public struct FaultCampaign: Sendable {
  /// How many faults the flows can meet.
  public private(set) var pointCount = 0
  /// How many of them were tried.
  public private(set) var runCount = 0
  /// After how many of them a step has thrown: SQLite tolerates the others.
  public private(set) var thrownCount = 0
  /// How many times each problem was found, and where first.
  public private(set) var problems: [String: (count: Int, place: String)] = [:]

  /// Creates an empty campaign.
  public init() {}

  /// Tries the faults that a flow can meet, from a number on, or so many of them at random.
  public mutating func run(
    _ flow: Flow, _ connection: Connection, _ faults: [Fault] = Fault.once + Fault.lasting,
    from first: Int = 0, atMost limit: Int?, _ generator: inout some RandomNumberGenerator
  ) throws {
    let run = try FaultRun(flow, connection)
    let points = try run.points(faults)
    pointCount += points.count
    let chosen = limit.map { points.shuffled(using: &generator).prefix($0) }
    for point in chosen ?? points.dropFirst(first) {
      let outcome = try run.run(point)
      runCount += 1
      if outcome.hasThrown { thrownCount += 1 }
      for problem in outcome.problems {
        let place = "\(flow) on a \(connection), \(point)"
        problems["\(flow), \(point.fault.name): \(problem)", default: (0, place)].count += 1
      }
    }
  }

  /// Adds what another campaign has counted and found.
  public mutating func add(_ other: FaultCampaign) {
    pointCount += other.pointCount
    runCount += other.runCount
    thrownCount += other.thrownCount
    problems.merge(other.problems) { ($0.count + $1.count, $0.place) }
  }

  /// The problems, one on each line.
  public var report: String {
    problems.map { "\($0.value.count) times, first at \($0.value.place): \($0.key)" }
      .sorted().joined(separator: "\n")
  }

  /// The counts in one line.
  public var summary: String {
    "\(runCount) of \(pointCount) faults, \(thrownCount) with an error, \(runCount - thrownCount) tolerated"
  }
}

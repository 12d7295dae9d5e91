import Foundation
import TemporaryDirectories

/// Processes that are killed at random moments, and what is left of their work.
public struct KillCampaign: Sendable {
  /// How many processes were killed while they worked.
  public private(set) var killCount = 0
  /// How many had done all before they could be killed.
  public private(set) var endCount = 0
  /// How many transactions, migrations and rebuilds were reported as done.
  public private(set) var acknowledgedCount = 0
  /// All that is wrong.
  public private(set) var problems: [String] = []
  private let program: Program

  /// Creates an empty campaign, which kills a program.
  public init(_ program: Program) { self.program = program }

  /// The counts in one line.
  public var summary: String {
    """
    \(killCount) killed processes, \(acknowledgedCount) acknowledged transactions, migrations and \
    rebuilds
    """
  }

  /// Kills so many processes in one use of the library, several in a row on the same file.
  public mutating func run(
    _ use: KillUse, killCount count: Int, _ generator: inout some RandomNumberGenerator
  ) throws {
    let goal = killCount + count
    while killCount < goal, problems.count < 20 {
      let connection = Connection.allCases.randomElement(using: &generator) ?? .pool
      try run(use, connection, atMost: goal - killCount, &generator)
    }
  }

  private mutating func run(
    _ use: KillUse, _ connection: Connection, atMost limit: Int,
    _ generator: inout some RandomNumberGenerator
  ) throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var file = KilledFile(use, connection, path: directory.path + "/library.sqlite")
    let end = killCount + min(limit, Int.random(in: 1...8, using: &generator))
    var isDone = false
    while killCount < end, !isDone {
      let line = Int.random(in: 0..<25, using: &generator)
      let delay = Int.random(in: 0..<6000, using: &generator)
      let place = "\(use) on a \(connection), killed \(delay) µs after line \(line)"
      try Watchdog.watch(place) {
        isDone = try kill(&file, afterLine: line, delay: delay, place, &generator)
        problems += try file.problems().map { "\(place): \($0)" }
      }
    }
    acknowledgedCount += file.acknowledgedCount
  }

  /// Starts the processes, and kills them. Returns whether one has done all that it had to.
  private mutating func kill(
    _ file: inout KilledFile, afterLine line: Int, delay: Int, _ place: String,
    _ generator: inout some RandomNumberGenerator
  ) throws -> Bool {
    let running = try file.use.processes.map { name in
      try RunningProgram(
        program, [file.use.argument, file.connection.rawValue, file.path, name])
    }
    var first: [String] = []
    while first.count < line, let text = running[0].nextLine() { first.append(text) }
    for process in running {
      usleep(useconds_t(process === running[0] ? delay : .random(in: 0..<3000, using: &generator)))
      process.kill()
    }
    var isDone = false
    for (name, process) in zip(file.use.processes, running) {
      let lines = (process === running[0] ? first : []) + process.remainingLines()
      problems += file.read(lines, of: name).map { "\(place): \($0)" }
      switch process.waitForEnd() {
      case .signal(SIGKILL): killCount += 1
      case .exit(0):
        endCount += 1
        isDone = true
      case let end: problems.append("\(place): the process has ended by \(end)")
      }
    }
    return isDone
  }
}

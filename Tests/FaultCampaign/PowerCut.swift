import Foundation
import Quarry
import TemporaryDirectories

/// How a database is written, and what a power cut may take.
public enum Durability: String, CaseIterable, Sendable {
  /// A queue whose journal is deleted, and whose folder is synced.
  case deleteExtra
  /// A queue as it is by default.
  case deleteFull
  case truncateFull
  case persistFull
  /// A queue with a write-ahead log that is synced with each commit.
  case walFull
  /// A queue with a write-ahead log as it is by default.
  case walNormal
  case poolFull
  /// A pool as it is by default.
  case poolNormal

  var connection: Connection {
    switch self {
    case .deleteExtra, .deleteFull, .truncateFull, .persistFull: .queue
    case .walFull, .walNormal: .walQueue
    case .poolFull, .poolNormal: .pool
    }
  }

  /// The statements that follow the opening.
  fileprivate var sql: String {
    switch self {
    case .deleteExtra: "PRAGMA synchronous = EXTRA"
    case .truncateFull: "PRAGMA journal_mode = TRUNCATE"
    case .persistFull: "PRAGMA journal_mode = PERSIST"
    case .walFull, .poolFull: "PRAGMA synchronous = FULL"
    case .deleteFull, .walNormal, .poolNormal: ""
    }
  }

  /// How many acknowledged transactions a power cut may undo, from the last one on.
  ///
  /// In the mode DELETE, a transaction is committed by the deletion of its journal: without EXTRA,
  /// the folder is synced with the next journal. See
  /// <https://www.sqlite.org/pragma.html#pragma_synchronous>.
  fileprivate func maximumLoss(_ disk: Disk) -> Int {
    switch self {
    case .walNormal, .poolNormal: .max
    case .deleteFull: disk.namesAreDurable ? 0 : 1
    case .deleteExtra, .truncateFull, .persistFull, .walFull, .poolFull: 0
    }
  }
}

/// Transactions that are written, and then cut off at many moments.
public struct PowerCuts: Sendable {
  /// How many power cuts there were.
  public private(set) var cutCount = 0
  /// How many of them undid an acknowledged transaction, as they may.
  public private(set) var lossCount = 0
  /// How many happened while a file was recovered from another one.
  public private(set) var recoveryCutCount = 0
  /// All that is wrong.
  public private(set) var problems: [String] = []

  /// The counts in one line.
  public var summary: String {
    "\(cutCount) power cuts, \(recoveryCutCount) of them during recovery, \(lossCount) with a permitted loss"
  }

  /// Creates an empty campaign.
  public init() {}

  /// Writes a history, and cuts it off so many times.
  public mutating func run(
    _ durability: Durability, cutCount: Int, _ generator: inout some RandomNumberGenerator
  ) throws {
    let history = try History(durability, &generator)
    let moments = (0..<cutCount)
      .map { _ in Int.random(in: 0...history.events.count, using: &generator) }.sorted()
    var disk = Disk([:])
    var applied = 0
    for moment in moments {
      for event in history.events[applied..<moment] { disk.apply(event) }
      applied = moment
      try cut(disk, at: moment, of: history, &generator)
    }
  }

  private mutating func cut(
    _ disk: Disk, at moment: Int, of history: History,
    _ generator: inout some RandomNumberGenerator
  ) throws {
    let place = "\(history.durability) at event \(moment) of \(history.events.count)"
    let floor = max(0, history.acknowledgedCount(at: moment) - history.durability.maximumLoss(disk))
    let image = disk.cut(&generator)
    try Watchdog.watch(place) {
      cutCount += 1
      let recovery = try history.check(image, floor: floor, moment: moment)
      problems += recovery.problems.map { "\(place): \($0)" }
      if recovery.count < history.acknowledgedCount(at: moment) { lossCount += 1 }
      guard !recovery.events.isEmpty, Bool.random(using: &generator) else { return }
      // Recovery writes as well, and can be cut off too.
      var second = Disk(image)
      for event in recovery.events.prefix(
        Int.random(in: 0...recovery.events.count, using: &generator))
      {
        second.apply(event)
      }
      cutCount += 1
      recoveryCutCount += 1
      let again = try history.check(second.cut(&generator), floor: floor, moment: moment)
      problems += again.problems.map { "\(place), and again during recovery: \($0)" }
    }
  }
}

private struct Undo: Error {}

/// Transactions, numbered from 1 on, and the events of their files.
private struct History {
  let durability: Durability
  private(set) var events: [FileEvent] = []
  /// The number of events before each transaction began, and when it was acknowledged.
  private var beginnings: [Int] = []
  private var acknowledgements: [Int] = []
  private var entryCounts: [Int] = []

  init(_ durability: Durability, _ generator: inout some RandomNumberGenerator) throws {
    self.durability = durability
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let system = FaultySystem()
    system.record()
    let writer = try durability.connection.open(
      system.uri("\(directory.path)/library.sqlite"), Course.configuration)
    try writer.writeWithoutTransaction { db throws -> Void in try db.execute(sql: durability.sql) }
    for number in 1...12 {
      beginnings.append(system.eventCount)
      let count = Int.random(in: 1...40, using: &generator)
      entryCounts.append(count)
      try Self.write(writer, number, count, &generator)
      acknowledgements.append(system.eventCount)
    }
    try writer.close()
    events = system.events()
  }

  private static func write(
    _ writer: any DatabaseWriter, _ number: Int, _ count: Int,
    _ generator: inout some RandomNumberGenerator
  ) throws {
    try writer.write { db in
      if number == 1 { try Ledger.createTables(db) }
      for var entry in Ledger.entries(number, count: count) { try entry.insert(db) }
      // Pages of all ages change.
      try db.execute(
        sql: "UPDATE entry SET text = text || 'x' WHERE id % ? = 0",
        arguments: [Int.random(in: 1...9, using: &generator)])
    }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      try? writer.write { db in
        try db.execute(sql: "UPDATE entry SET number = 0, text = ''")
        throw Undo()
      }
    case 1:
      try writer.writeWithoutTransaction { db throws -> Void in
        try db.checkpoint(Bool.random(using: &generator) ? .passive : .truncate)
      }
    case 2: try writer.vacuum()
    default: break
    }
  }

  func acknowledgedCount(at moment: Int) -> Int { acknowledgements.count { $0 <= moment } }

  /// Opens the files that a power cut has left. They have the first transactions, all of them at
  /// least up to `floor`, and none that had not begun.
  func check(
    _ files: [String: [UInt8]], floor: Int, moment: Int
  ) throws -> (count: Int, problems: [String], events: [FileEvent]) {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    for (name, content) in files {
      try Data(content).write(to: URL(fileURLWithPath: "\(directory.path)/\(name)"))
    }
    let system = FaultySystem()
    system.record()
    do {
      let writer = try durability.connection.open(
        system.uri("\(directory.path)/library.sqlite"), Configuration())
      let (count, problems) = try writer.read(contents)
      try writer.close()
      let begun = beginnings.count { $0 <= moment }
      let range = "\(floor) to \(begun) transactions"
      let wrong =
        (floor...max(floor, begun)).contains(count) ? [] : ["\(count) instead of \(range)"]
      return (count, problems + wrong, system.events())
    } catch {
      return (0, ["\(error)"], [])
    }
  }

  private func contents(_ db: Database) throws -> (Int, [String]) {
    var problems: [String] = []
    let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
    if integrity != ["ok"] { problems.append("the database is corrupt: \(integrity)") }
    guard try db.tableExists("entry") else { return (0, problems) }
    let counts = try Int.fetchAll(
      db, sql: "SELECT count(*) FROM entry GROUP BY number ORDER BY number")
    let last = try Int.fetchOne(db, sql: "SELECT max(number) FROM entry")
    if counts != Array(entryCounts.prefix(counts.count)) || last != counts.count {
      problems.append("the transactions have \(counts) entries, not \(entryCounts)")
    }
    return (counts.count, problems)
  }
}

import CSQLite
import Foundation
import Quarry
import QuarryChanges

// The cost of recording 10,000 rows in one transaction: by hand with the C API, without and with a
// session; not recorded, by a recording, a recorder, a log, an undo stack.
//
//     swift run -c release Recording [ROUNDS]
//     swift run -c release Recording --files
//     swift run -c release Recording --signals

@main
struct Recording {
  static let count = 10_000

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--files") { return try Files.run() }
    if arguments.contains("--signals") { return try Signals.run() }
    if arguments.first == "--signals-peer" { return try Signals.peer(Array(arguments.dropFirst())) }
    let rounds = arguments.first.flatMap { Int($0) } ?? 7
    print("10,000 rows, milliseconds: the least of \(rounds) rounds")
    for kind in Kind.allCases {
      let times = try (0..<rounds).map { _ in try time(kind) }
      let best = (0..<3).map { step in times.map { $0[step] }.min() ?? 0 }
      print(kind.rawValue, best.map { String(format: "%.1f", $0) }.joined(separator: "  "))
    }
  }

  enum Kind: String, CaseIterable {
    case byHand = "C"
    case byHandWithSession = "C, with a session"
    case nothing = "not recorded"
    case recording = "recordChanges"
    case recorder = "ChangeRecorder"
    case log = "ChangeLog"
    case undo = "UndoStack"
  }

  /// The milliseconds of an insertion, of an update, and of what may be done with both: the
  /// reception of a log, the undo of a step.
  static func time(_ kind: Kind) throws -> [Double] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quarry-recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if kind == .byHand || kind == .byHandWithSession {
      return try ByHand(folder, hasSession: kind == .byHandWithSession).times(count)
    }
    let pool = try makePool(folder, "a")
    let recorder =
      kind == .recorder ? try ChangeRecorder(pool, tables: ["book"]) { _, _ in } : nil
    let log = kind == .log ? try ChangeLog(pool, tables: ["book"]) : nil
    let undo = kind == .undo ? try UndoStack(pool, tables: ["book"]) : nil
    defer { withExtendedLifetime((recorder, log)) {} }
    func write(_ body: (Database) throws -> Void) throws -> Double {
      try milliseconds {
        try pool.write { db in
          if let undo { return try undo.record("step", db) { try body(db) } }
          guard kind == .recording else { return try body(db) }
          _ = try db.recordChanges(in: ["book"]) { try body(db) }
        }
      }
    }
    let insertion = try write { db in
      let statement = try db.makeStatement(sql: "INSERT INTO book VALUES (?, ?, ?, ?)")
      for id in 1...count {
        try statement.execute(arguments: [id, "Book number \(id)", id % 100, 9.5])
      }
    }
    let update = try write { db in
      let statement = try db.makeStatement(sql: "UPDATE book SET price = price + 1 WHERE id = ?")
      for id in 1...count { try statement.execute(arguments: [id]) }
    }
    if let undo { return [insertion, update, try milliseconds { _ = try undo.undo() }] }
    guard let log else { return [insertion, update, 0] }
    let other = try ChangeLog(makePool(folder, "b"), tables: ["book"])
    let batch = try log.changes(after: 0)
    return [insertion, update, try milliseconds { try other.receive(batch) }]
  }

  static func makePool(_ folder: URL, _ name: String) throws -> DatabasePool {
    let pool = try DatabasePool(path: folder.appendingPathComponent(name).path)
    try pool.write { db in
      try db.execute(
        sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, shelf INTEGER, price REAL)")
    }
    return pool
  }

  static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(body)
    return Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds)
      * 1e3
  }
}

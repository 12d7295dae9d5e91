import Foundation
import Quarry

/// What it saves to keep the coders of a JSON column, from one value to the next: a pair of lines
/// beside the table.
///
/// - *Codable*: a record with a nested type. Quarry keeps the coders, with the statement or the
///   connection.
/// - *one coder*: by hand in `init(row:)` and `encode(to:)`, with the same coder for all values.
/// - *a coder each*: the same, with a coder for each value.
struct JSONColumns {
  private static let count = 20_000

  static func text(rounds: Int) throws -> String {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE venue (id INTEGER PRIMARY KEY, address TEXT NOT NULL)")
      for id in 1...count { try CodedVenue(id: id, address: Address(id)).insert(db) }
    }
    let heading =
      "JSON column, \(count) records      Codable    one coder    a coder each    each/Codable"
    return try ([heading] + lines(queue, rounds)).joined(separator: "\n")
  }

  private static func lines(_ queue: DatabaseQueue, _ rounds: Int) throws -> [String] {
    [
      try line(
        "fetch ", rounds, [fetch(CodedVenue.self), fetch(KeptVenue.self), fetch(FreshVenue.self)],
        queue),
      try line(
        "insert", rounds,
        [insert(CodedVenue.self), insert(KeptVenue.self), insert(FreshVenue.self)], queue),
    ]
  }

  private typealias Work = (DatabaseQueue) throws -> Double

  private static func fetch<Record: Venue>(_ type: Record.Type) -> Work {
    { queue in
      try queue.read { db in
        let start = Clock.now
        let venues = try Record.fetchAll(db)
        let time = (Clock.now - start).wall
        guard venues.count == count, venues.last?.address == Address(count) else {
          throw Failure("\(type) fetched other records")
        }
        return time
      }
    }
  }

  private static func insert<Record: Venue>(_ type: Record.Type) -> Work {
    let venues = (1...count).map { Record(id: $0, address: Address($0)) }
    return { queue in
      try queue.write { db in
        try db.execute(sql: "DELETE FROM venue")
        let start = Clock.now
        for venue in venues { try venue.insert(db) }
        return (Clock.now - start).wall
      }
    }
  }

  /// The median times, the ways in turn.
  private static func line(
    _ name: String, _ rounds: Int, _ works: [Work], _ queue: DatabaseQueue
  ) throws -> String {
    var times: [[Double]] = works.map { _ in [] }
    for round in 0...rounds {
      for (index, work) in works.enumerated() {
        let time = try work(queue)
        if round > 0 { times[index].append(time) }
      }
    }
    let medians = times.map(\.median)
    let cells = zip(medians, [30, 13, 16]).map { time, width in
      cell((time * 1000).rounded(to: 1) + " ms", width)
    }
    return name + cells.joined() + cell((medians[2] / medians[0]).rounded(to: 2), 16)
  }

  private static func cell(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

private struct Address: Codable, Equatable {
  var street: String
  var city: String
  var floors: [Int]

  init(_ id: Int) {
    street = "\(id), rue des Lilas"
    city = "Lyon"
    floors = [id % 7, id % 11]
  }
}

private protocol Venue: FetchableRecord, PersistableRecord {
  var address: Address { get }
  init(id: Int, address: Address)
}

private struct CodedVenue: Venue, Codable {
  static let databaseTableName = "venue"
  var id: Int
  var address: Address
}

private struct KeptVenue: Venue {
  static let databaseTableName = "venue"
  private static let decoder = databaseJSONDecoder(for: "address")
  private static let encoder = databaseJSONEncoder(for: "address")
  var id: Int
  var address: Address

  init(id: Int, address: Address) {
    self.id = id
    self.address = address
  }

  init(row: Row) throws {
    id = row["id"]
    address = try Self.decoder.decode(Address.self, from: row["address"])
  }

  func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["address"] = String(decoding: try Self.encoder.encode(address), as: UTF8.self)
  }
}

private struct FreshVenue: Venue {
  static let databaseTableName = "venue"
  var id: Int
  var address: Address

  init(id: Int, address: Address) {
    self.id = id
    self.address = address
  }

  init(row: Row) throws {
    id = row["id"]
    let decoder = Self.databaseJSONDecoder(for: "address")
    address = try decoder.decode(Address.self, from: row["address"])
  }

  func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    let encoder = Self.databaseJSONEncoder(for: "address")
    container["address"] = String(decoding: try encoder.encode(address), as: UTF8.self)
  }
}

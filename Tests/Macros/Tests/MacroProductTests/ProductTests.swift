import Foundation
import QuarryMacros
import QuarryMigrations
import QuarryRecords
import QuarryValues
import Testing

@Suite("Records by macro, with the protocols and values of other products")
struct ProductTests {
  @Test func `values of other products are stored and fetched`() throws {
    try withLibrary { db in
      var track = makeTrack("Emma")
      track.pause = .milliseconds(1500)
      track.extra = []
      try track.insert(db)
      #expect(track.id == 1)
      #expect(try Track.fetchAll(db) == [track])
      #expect(
        try Row.fetchOne(
          db, sql: "SELECT hex(cover) AS cover, length(fingerprint) AS size, revision FROM track")
          == ["cover": "0102FF", "size": 16, "revision": 1])
      #expect(try Track.filter { $0.length == .seconds(215) }.fetchCount(db) == 1)
      #expect(try Track.filter { $0.fingerprint == Int128.max }.fetchCount(db) == 1)
      #expect(try Track.filter { $0.checksum == 8 }.fetchCount(db) == 0)
      #expect(try Track.filter { $0.cover == [1, 2, 255] }.fetchCount(db) == 1)
      #expect(try Track.filter { $0.pause == nil }.fetchCount(db) == 0)
    }
  }

  @Test func `a version is compared and raised`() throws {
    try withLibrary { db in
      var track = makeTrack("Emma")
      try track.insert(db)
      var copy = track
      track.title = "Persuasion"
      try track.update(db)
      #expect(track.version == 2)
      #expect(try Track.fetchOne(db)?.version == 2)
      copy.title = "Sanditon"
      #expect(throws: StaleRecordError.self) { try copy.update(db) }
      #expect(throws: StaleRecordError.self) { try copy.updateChanges(db) { $0.title = "x" } }
      try track.updateChanges(db) { $0.title = "Emma" }
      #expect(track.version == 3)
      #expect(try Track.fetchAll(db) == [track])
    }
  }

  @Test func `a deletion marks the row`() throws {
    try withLibrary { db in
      var writer = Writer(id: nil, name: "Jane", version: 1)
      try writer.insert(db)
      #expect(try writer.delete(db))
      #expect(try Writer.fetchAll(db) == [])
      #expect(try Writer.filter { $0.name == "Jane" }.fetchCount(db) == 0)
      #expect(try Writer.withDeleted().fetchCount(db) == 1)
      #expect(try Int.fetchOne(db, sql: "SELECT count(deletedAt) FROM writer") == 1)
    }
  }

  @Test func `a graph is saved, with its versions and links`() throws {
    try withLibrary { db in
      var info = WriterInfo(
        writer: Writer(id: nil, name: "Jane", version: 1),
        tracks: [
          TrackInfo(track: makeTrack("Emma"), labels: [Label(id: nil, name: "new")]),
          TrackInfo(track: makeTrack("Sanditon"), labels: []),
        ])
      try WriterInfo.graph.save(db, &info)
      #expect(info.tracks.map(\.track.writerId) == [1, 1])
      #expect(try Track.order { $0.id }.fetchAll(db) == info.tracks.map(\.track))
      info.tracks.removeLast()
      info.tracks[0].track.length = .seconds(1)
      info.tracks[0].labels = []
      try WriterInfo.graph.save(db, &info)
      #expect(info.tracks[0].track.version == 2)
      #expect(try Track.fetchAll(db) == info.tracks.map(\.track))
      #expect(try TrackLabel.fetchCount(db) == 0)
      var copy = info
      copy.tracks[0].track.version = 1
      copy.tracks[0].track.title = "old"
      #expect(throws: (any Error).self) { try WriterInfo.graph.save(db, &copy) }
    }
  }

  @Test func `a draft makes the tables that the types declare`() throws {
    let queue = try DatabaseQueue()
    let types: [any TableRecord.Type] = [
      Writer.self, Track.self, Label.self, TrackLabel.self,
    ]
    let draft = try MigrationDraft(
      from: queue, to: types, definitions: ["trackLabel": "PRIMARY KEY (trackId, labelId)"])
    try #expect(draft.rehearse(queue).isSuccessful)
    try queue.write { try $0.execute(sql: draft.sql) }
    try #expect(MigrationDraft(from: queue, to: types).isEmpty)
    // As createTable(_:) makes them, and with the mark of deletions.
    let other = try DatabaseQueue()
    try other.write { db in
      try Writer.createTable(db)
      try db.alter(table: "writer") { $0.add(column: "deletedAt", .datetime) }
      try Track.createTable(db)
      try Label.createTable(db)
    }
    let rest = try MigrationDraft(from: other, to: queue)
    #expect(rest.differences == ["table trackLabel is missing"])
    try queue.write { db in
      try #expect(db.schemaDifferences(of: types) == [])
      var track = makeTrack("Emma")
      try track.insert(db)
      try #expect(Track.fetchAll(db) == [track])
    }
  }

  @Test func `a draft adds what a table lacks`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql:
          "CREATE TABLE writer (id INTEGER PRIMARY KEY, name TEXT, born INTEGER, version INTEGER)")
    }
    let draft = try MigrationDraft(
      from: queue, to: [Writer.self],
      values: ["writer.name": "coalesce(name, '')", "writer.version": "coalesce(version, 1)"])
    #expect(draft.unknownColumns == ["writer.born"])
    #expect(
      draft.differences == [
        "column writer.name is name TEXT, not \"name\" TEXT NOT NULL",
        "column writer.version is version INTEGER, not \"version\" INTEGER NOT NULL",
        "column writer.deletedAt is missing",
      ])
    try queue.write { db in
      try db.execute(sql: draft.sql)
      try #expect(db.schemaDifferences(of: [Writer.self]) == [])
      var writer = Writer(id: nil, name: "Jane", version: 1)
      try writer.insert(db)
      try #expect(writer.delete(db))
    }
  }
}

import QuarryMacros
import QuarryRecords
import QuarryValues

/// A record with a version, and without rows that are really deleted.
@Record struct Writer: Equatable, VersionedRecord, SoftDeletableRecord {
  @PrimaryKey var id: Int64?
  var name: String
  var version: Int

  static let tracks = hasMany(Track.self, key: "tracks")
}

/// A record with the values of QuarryValues.
@Record struct Track: Equatable, VersionedRecord {
  @PrimaryKey var id: Int64?
  var writerId: Int64?
  var title: String
  var length: Duration
  var pause: Duration?
  var fingerprint: Int128
  var checksum: UInt128?
  var cover: Bytes
  var extra: Bytes?
  @Column("revision") var version: Int

  static let versionColumn = "revision"
  static let writer = belongsTo(Writer.self)
  static let labels = hasMany(
    Label.self, through: hasMany(TrackLabel.self), using: TrackLabel.label)
}

@Record struct Label: Equatable {
  @PrimaryKey var id: Int64?
  var name: String
}

@Record struct TrackLabel: Equatable {
  var trackId: Int64
  var labelId: Int64

  static let label = belongsTo(Label.self)
}

struct WriterInfo: Equatable {
  static let graph = SavedGraph(\WriterInfo.writer).having(
    many: \.tracks, Writer.tracks,
    as: SavedGraph(\TrackInfo.track)
      .linking(many: \.labels, Track.labels, saving: .saved, missing: .unlink),
    key: \.writerId, missing: .delete)

  var writer: Writer
  var tracks: [TrackInfo]
}

struct TrackInfo: Equatable {
  var track: Track
  var labels: [Label]
}

func makeTrack(_ title: String) -> Track {
  Track(
    id: nil, writerId: nil, title: title, length: .seconds(215), pause: nil,
    fingerprint: Int128.max, checksum: 7, cover: [1, 2, 255], extra: nil, version: 1)
}

/// A database with the tables that a draft makes.
func withLibrary<T>(_ body: (Database) throws -> T) throws -> T {
  try DatabaseQueue().write { db in
    try db.execute(
      sql: """
        CREATE TABLE writer (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, version INTEGER NOT NULL, deletedAt DATETIME);
        CREATE TABLE track (
          id INTEGER PRIMARY KEY, writerId INTEGER REFERENCES writer (id), title TEXT NOT NULL,
          length INTEGER NOT NULL, pause INTEGER, fingerprint BLOB NOT NULL, checksum BLOB,
          cover BLOB NOT NULL, extra BLOB, revision INTEGER NOT NULL);
        CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE trackLabel (
          trackId INTEGER NOT NULL REFERENCES track (id) ON DELETE CASCADE,
          labelId INTEGER NOT NULL REFERENCES label (id), PRIMARY KEY (trackId, labelId));
        """)
    return try body(db)
  }
}

import Quarry

struct Artist: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
  static let databaseTableName = "Artist"
  static let albums = hasMany(Album.self, key: "albums")
  static let tracks = hasMany(
    Track.self, through: hasMany(Album.self, key: "albumsOfTracks"), using: Album.tracks,
    key: "tracks")

  var ArtistId: Int64
  var Name: String?
}

struct Album: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
  static let databaseTableName = "Album"
  static let artist = belongsTo(Artist.self, key: "artist")
  static let tracks = hasMany(Track.self, key: "tracks")

  var AlbumId: Int64
  var Title: String
  var ArtistId: Int64
}

struct Genre: Codable, Hashable, FetchableRecord, TableRecord {
  static let databaseTableName = "Genre"

  var GenreId: Int64
  var Name: String?
}

struct Track: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
  static let databaseTableName = "Track"
  static let album = belongsTo(Album.self, key: "album")
  static let genre = belongsTo(Genre.self, key: "genre")
  static let playlistTracks = hasMany(PlaylistTrack.self, key: "playlistTracks")
  static let playlists = hasMany(
    Playlist.self, through: playlistTracks, using: PlaylistTrack.playlist, key: "playlists")

  var TrackId: Int64
  var Name: String
  var AlbumId: Int64?
  var MediaTypeId: Int64
  var GenreId: Int64?
  var Composer: String?
  var Milliseconds: Int
  var Bytes: Int?
  var UnitPrice: Double
}

struct Playlist: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
  static let databaseTableName = "Playlist"
  static let playlistTracks = hasMany(PlaylistTrack.self, key: "playlistTracks")

  var PlaylistId: Int64
  var Name: String?
}

struct PlaylistTrack: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
  static let databaseTableName = "PlaylistTrack"
  static let playlist = belongsTo(Playlist.self, key: "playlist")
  static let track = belongsTo(Track.self, key: "track")

  var PlaylistId: Int64
  var TrackId: Int64
}

struct Employee: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
  static let databaseTableName = "Employee"
  static let manager = belongsTo(Employee.self, key: "manager")
  static let subordinates = hasMany(Employee.self, key: "subordinates")
  static let customers = hasMany(Customer.self, key: "customers")

  var EmployeeId: Int64
  var LastName: String
  var FirstName: String
  var ReportsTo: Int64?
}

struct Customer: FetchableRecord, TableRecord {
  static let databaseTableName = "Customer"
  static let supportRep = belongsTo(Employee.self, key: "supportRep")
  static let invoices = hasMany(Invoice.self, key: "invoices")

  let id: Int64
  let lastName: String
  let country: String?

  init(row: Row) {
    id = row["CustomerId"]
    lastName = row["LastName"]
    country = row["Country"]
  }
}

struct Invoice: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
  static let databaseTableName = "Invoice"
  static let customer = belongsTo(Customer.self, key: "customer")
  static let lines = hasMany(InvoiceLine.self, key: "lines")

  var InvoiceId: Int64
  var CustomerId: Int64
  var Total: Double
}

struct InvoiceLine: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
  static let databaseTableName = "InvoiceLine"
  static let track = belongsTo(Track.self, key: "track")

  var InvoiceLineId: Int64
  var InvoiceId: Int64
  var TrackId: Int64
  var UnitPrice: Double
  var Quantity: Int
}

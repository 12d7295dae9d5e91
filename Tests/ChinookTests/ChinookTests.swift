import Quarry
import Testing

/// Each request is compared with SQL written by hand on the same database.
@Suite("Chinook", .enabled(if: Chinook.isPresent))
struct ChinookTests {
  @Test
  func `all tables have their number of rows`() throws {
    try Chinook.open().read { db throws in
      #expect(try Artist.fetchCount(db) == 275)
      #expect(try Album.fetchCount(db) == 347)
      #expect(try Track.fetchCount(db) == 3503)
      #expect(try PlaylistTrack.fetchCount(db) == 8715)
      #expect(try Track.fetchAll(db).count == 3503)
    }
  }

  @Test
  func `albums with their artist`() throws {
    struct AlbumInfo: Decodable, FetchableRecord {
      var album: Album
      var artist: Artist
    }
    try Chinook.open().read { db throws in
      let infos = try AlbumInfo.fetchAll(
        db, Album.including(required: Album.artist).order(Column("AlbumId")))
      let expected = try Row.fetchAll(
        db,
        sql: """
          SELECT Album.AlbumId, Artist.Name FROM Album
          JOIN Artist ON Artist.ArtistId = Album.ArtistId ORDER BY Album.AlbumId
          """)
      #expect(infos.map(\.album.AlbumId) == expected.map { $0[0] as Int64 })
      #expect(infos.map(\.artist.Name) == expected.map { $0[1] as String? })
    }
  }

  @Test
  func `artists with their albums, in one request more`() throws {
    struct ArtistInfo: Decodable, FetchableRecord {
      var artist: Artist
      var albums: [Album]
    }
    try Chinook.open().read { db throws in
      let infos = try ArtistInfo.fetchAll(
        db,
        Artist.including(all: Artist.albums.order(Column("Title"))).order(Column("ArtistId")))
      #expect(infos.count == 275)
      for info in infos {
        let titles = try String.fetchAll(
          db, sql: "SELECT Title FROM Album WHERE ArtistId = ? ORDER BY Title",
          arguments: [info.artist.ArtistId])
        #expect(info.albums.map(\.Title) == titles)
      }
    }
  }

  @Test
  func `artists without album, and artists with ten albums or more`() throws {
    try Chinook.open().read { db throws in
      let idle = try Artist.having(Artist.albums.isEmpty).order(Column("ArtistId")).fetchAll(db)
      let idleIds = try Int64.fetchAll(
        db,
        sql: """
          SELECT ArtistId FROM Artist
          WHERE ArtistId NOT IN (SELECT ArtistId FROM Album) ORDER BY ArtistId
          """)
      #expect(idle.map(\.ArtistId) == idleIds)
      let prolific = Artist.annotated(with: Artist.albums.count)
        .having(Artist.albums.count >= 10).order(Column("ArtistId"))
      let rows = try Row.fetchAll(db, prolific)
      let expected = try Row.fetchAll(
        db,
        sql: """
          SELECT Artist.*, COUNT(*) AS "AlbumCount" FROM Artist
          JOIN Album USING (ArtistId) GROUP BY ArtistId HAVING COUNT(*) >= 10 ORDER BY ArtistId
          """)
      #expect(rows.map { $0["ArtistId"] as Int64 } == expected.map { $0["ArtistId"] as Int64 })
      #expect(rows.map { $0["albumCount"] as Int } == expected.map { $0["AlbumCount"] as Int })
    }
  }

  @Test
  func `playlists of a track, through the table with the compound key`() throws {
    try Chinook.open().read { db throws in
      let track = try Track.find(db, key: 3403)
      let playlists = try track.request(for: Track.playlists)
        .order(Column("PlaylistId")).fetchAll(db)
      let ids = try Int64.fetchAll(
        db, sql: "SELECT PlaylistId FROM PlaylistTrack WHERE TrackId = 3403 ORDER BY PlaylistId")
      #expect(!ids.isEmpty)
      #expect(playlists.map(\.PlaylistId) == ids)
      let link = try PlaylistTrack.fetchOne(db, key: ["PlaylistId": 1, "TrackId": 3402])
      #expect(link == PlaylistTrack(PlaylistId: 1, TrackId: 3402))
    }
  }

  @Test
  func `employees, their manager and their subordinates`() throws {
    struct EmployeeInfo: Decodable, FetchableRecord {
      var employee: Employee
      var manager: Employee?
      var subordinates: Set<Employee>
    }
    try Chinook.open().read { db throws in
      let request = Employee.including(optional: Employee.manager)
        .including(all: Employee.subordinates).order(Column("EmployeeId"))
      let infos = try EmployeeInfo.fetchAll(db, request)
      #expect(infos.count == 8)
      for info in infos {
        #expect(info.manager?.EmployeeId == info.employee.ReportsTo)
        let ids = try Int64.fetchSet(
          db, sql: "SELECT EmployeeId FROM Employee WHERE ReportsTo = ?",
          arguments: [info.employee.EmployeeId])
        #expect(Set(info.subordinates.map(\.EmployeeId)) == ids)
      }
    }
  }

  @Test
  func `customers of a country with their support representative, and their invoices`() throws {
    struct CustomerInfo: FetchableRecord {
      let customer: Customer
      let representative: Employee?
      let invoices: [Invoice]

      init(row: Row) {
        customer = Customer(row: row)
        representative = row["supportRep"]
        invoices = row["invoices"]
      }
    }
    try Chinook.open().read { db throws in
      let request = Customer.filter(Column("Country") == "Germany")
        .including(optional: Customer.supportRep).including(all: Customer.invoices)
        .order(Column("CustomerId"))
      let infos = try CustomerInfo.fetchAll(db, request)
      #expect(infos.count == 4)
      for info in infos {
        let total = try Double.fetchOne(
          db, sql: "SELECT SUM(Total) FROM Invoice WHERE CustomerId = ?",
          arguments: [info.customer.id])
        #expect(abs(info.invoices.map(\.Total).reduce(0, +) - (total ?? 0)) < 0.001)
        let name = try String.fetchOne(
          db,
          sql: """
            SELECT Employee.LastName FROM Customer
            JOIN Employee ON EmployeeId = SupportRepId WHERE CustomerId = ?
            """,
          arguments: [info.customer.id])
        #expect(info.representative?.LastName == name)
      }
    }
  }

  @Test
  func `tracks longer than the average of their genre, through a table alias`() throws {
    try Chinook.open().read { db throws in
      let genre = TableAlias<Genre>()
      let count = try Track.joining(required: Track.genre.aliased(genre))
        .filter(genre[Column("Name")] == "Jazz").filter(Column("Milliseconds") > 300_000)
        .fetchCount(db)
      let expected = try Int.fetchOne(
        db,
        sql: """
          SELECT COUNT(*) FROM Track JOIN Genre ON Genre.GenreId = Track.GenreId
          WHERE Genre.Name = 'Jazz' AND Track.Milliseconds > 300000
          """)
      #expect(count == expected)
      #expect(count > 0)
    }
  }

  @Test
  func `invoice lines with their track, its album and artist`() throws {
    struct LineInfo: Decodable, FetchableRecord {
      var line: InvoiceLine
      var track: Track
      var album: Album
      var artist: Artist
    }
    try Chinook.open().read { db throws in
      let request = InvoiceLine.including(
        required: InvoiceLine.track.including(
          required: Track.album.including(required: Album.artist))
      ).order(Column("InvoiceLineId")).limit(100)
      let infos = try LineInfo.fetchAll(db, request)
      let expected = try String?.fetchAll(
        db,
        sql: """
          SELECT Artist.Name FROM InvoiceLine JOIN Track USING (TrackId) JOIN Album USING (AlbumId)
          JOIN Artist USING (ArtistId) ORDER BY InvoiceLineId LIMIT 100
          """)
      #expect(infos.map(\.artist.Name) == expected)
      #expect(infos.allSatisfy { $0.track.AlbumId == $0.album.AlbumId })
    }
  }
}

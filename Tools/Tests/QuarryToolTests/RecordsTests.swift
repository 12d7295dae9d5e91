import Foundation
import Quarry
import Testing

/// The records that `quarry records` writes are compiled with a program that uses them, which is
/// run.
struct RecordsTests {
  /// The flags of Scripts/compile-errors: the modules of the libraries, and the objects of their
  /// build.
  private func compile(_ sources: [String], to program: String) throws -> Run {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let build = Tool.directory
    let objects = try ["Quarry", "QuarryMigrations"].flatMap { library in
      let directory = build.appendingPathComponent("\(library).build")
      // The directory may have objects of former builds, whose sources have moved.
      let files = try String(
        contentsOf: directory.appendingPathComponent("sources"), encoding: .utf8)
      let objects = files.split(separator: "\n").map { source in
        directory.appendingPathComponent("\(URL(fileURLWithPath: "\(source)").lastPathComponent).o")
          .path
      }
      try #require(!objects.isEmpty)
      return objects
    }
    let flags = [
      "swiftc", "-swift-version", "6", "-warnings-as-errors", "-Onone", "-o", program, "-I",
      build.appendingPathComponent("Modules").path, "-Xcc",
      "-fmodule-map-file=\(package.path)/Sources/CSystemSQLite/module.modulemap", "-lsqlite3",
      "-enable-upcoming-feature", "MemberImportVisibility",
    ]
    return try Tool.run(URL(fileURLWithPath: "/usr/bin/env"), flags + objects + sources)
  }

  /// Writes, compiles and runs. The program fetches all records of all types, compares the types
  /// and their associations with the schema, and does `body`.
  private func output(_ path: String, _ body: String, in scratch: Scratch) throws -> String {
    let records = scratch / "Records.swift"
    try #expect(
      Tool.quarry("records", path, "--to", records) == Run(output: "", errors: "", code: 0))
    let source = try String(contentsOfFile: records, encoding: .utf8)
    let main = try scratch.file("main.swift", Self.program(for: source, body))
    let program = scratch / "program"
    let compilation = try compile([records, main], to: program)
    try #require(compilation.code == 0, "\(compilation.errors)\n\(source)")
    let run = try Tool.run(URL(fileURLWithPath: program), [path])
    #expect(run.errors == "")
    #expect(run.code == 0)
    return run.output
  }

  private static func program(for source: String, _ body: String) -> String {
    var types: [String] = []
    var associations: [String] = []
    for line in source.split(separator: "\n") {
      if let match = line.firstMatch(of: #/^struct (\w+): /#) {
        types.append(String(match.1))
      } else if let match = line.firstMatch(
        of: #/static let (\S+) = (?:belongsTo|hasOne|hasMany)\b/#)
      {
        associations.append("\(types.last ?? "").\(match.1)")
      }
    }
    let typeList = types.map { $0 + ".self" }.joined(separator: ", ")
    let associationList = associations.joined(separator: ", ")
    let counts = types.map { "  print(\"\($0)\", try \($0).fetchAll(db).count)" }
    return """
      import Foundation
      import Quarry
      import QuarryMigrations

      let queue = try DatabaseQueue(path: CommandLine.arguments[1])
      try queue.read { db in
        let differences = try db.schemaDifferences(
          of: [\(typeList)], associations: [\(associationList)])
        differences.filter { $0.kind != .missingIndex }.forEach { print($0) }
      \(counts.joined(separator: "\n"))
      }
      \(body)

      """
  }

  @Test func `records of a bookshop are read, written and joined`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      let output = try output(
        path,
        """
        struct Shelf: Decodable, FetchableRecord {
          var author: Author
          var books: [Book]
        }
        try queue.write { db in
          var author = Author(id: nil, name: "Anna Seghers", country: "DE")
          try author.insert(db)
          var book = Book(id: nil, authorId: author.id ?? 0, title: "Transit", year: 1944, price: nil)
          try book.insert(db)
          let request = Author.including(all: Author.books.order { $0.year }).order { $0.name.desc }
          for shelf in try Shelf.fetchAll(db, request) {
            print(shelf.author.id ?? 0, shelf.author.name, shelf.books.map(\\.title))
          }
          print(try Cheap.filter { $0.price < 10 }.fetchAll(db))
        }
        """, in: scratch)
      #expect(
        output == """
          Author 2
          Book 3
          Cheap 1
          1 Flann O'Brien ["At Swim-Two-Birds", "The Third Policeman"]
          2 Clarice Lispector ["Água Viva"]
          3 Anna Seghers ["Transit"]
          [program.Cheap(title: Optional("The Third Policeman"), price: Optional(9.5))]

          """)
    }
  }

  /// The file is compiled, and its records are used, by the tests of the macros.
  @Test(arguments: [("shop", Schemas.shop)])
  func `records by macro are those that the tests of the macros compile`(
    name: String, schema: String
  ) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Tests/Macros/Tests/GeneratedRecordTests/\(name.capitalized).swift")
    try withScratch { scratch in
      let path = try scratch.database("\(name).sqlite", schema)
      let run = try Tool.quarry("records", path, "--macros")
      try #expect(run.output == String(contentsOf: file, encoding: .utf8))
      let check = try Tool.quarry("records", path, "--macros", "--check", file.path)
      #expect(check.code == 0)
    }
  }

  @Test func `records of a database with odd names and tables are read and written`() throws {
    try withScratch { scratch in
      let schema = Schemas.odd.replacingOccurrences(of: "CAST(x'41FF42' AS TEXT)", with: "'AB'")
      let output = try output(
        scratch.database("odd.sqlite", schema),
        """
        struct Sheet: Decodable, FetchableRecord {
          var order: Order
          var orderDetails: [OrderDetail]
        }
        try queue.write { db in
          let detail = OrderDetail(orderId: 8, line: 2, unitPrice: 3, amount: 7, total: nil)
          try detail.insert(db)
          print(try OrderDetail.filter { $0.line == 2 && $0.orderId == 8 }.fetchOne(db)?.total ?? 0)
          var order = Order(id: nil, class: "third", selfValue: nil)
          try order.insert(db)
          print(order.id ?? 0)
          let sheets = Order.including(all: Order.orderDetails).order { $0.id }
          print(try Sheet.fetchAll(db, sheets).map { $0.orderDetails.count })
          print(try Person.filter { $0.id == 1 }.annotated(with: Person.tags.count).asRequest(of: Row.self)
            .fetchOne(db)?["tagCount"] as Int? ?? 0)
          print(try Person.joining(required: Person.boss).fetchAll(db).map { $0.id ?? 0 })
          print(try Person.joining(required: Person.mother).fetchAll(db).map { $0.id ?? 0 })
          print(try Person.joining(required: Person.passport).fetchAll(db).map { $0.id ?? 0 })
          print(try Misc.order { $0.f }.fetchAll(db).map { $0.e ?? false })
        }
        """, in: scratch)
      #expect(
        output == """
          Misc 3
          Order 2
          OrderDetail 3
          Passport 1
          Person 3
          PersonTag 3
          QuoTe 2
          Search 2
          Select 2
          Tag 2
          UnnamedTable 2
          21.0
          9
          [2, 2, 0]
          2
          [2, 3]
          [2]
          [2]
          [false, true, false]

          """)
    }
  }

  /// Runs where the file is: see Tests/ChinookTests.
  static let chinook: String? = {
    if let path = ProcessInfo.processInfo.environment["CHINOOK_DATABASE"] { return path }
    let directory = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let path = directory.appendingPathComponent("shared/data/chinook.sqlite").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  @Test(.enabled(if: chinook != nil))
  func `records of a music shop are read and joined`() throws {
    try withScratch { scratch in
      let path = scratch / "chinook.sqlite"
      try FileManager.default.copyItem(atPath: #require(Self.chinook), toPath: path)
      let output = try output(
        path,
        """
        try queue.read { db in
          let request = Album.including(required: Album.artist).filter { $0.albumId == 1 }
          print(try Row.fetchOne(db, request)?.scopes["artist"]?["Name"] as String? ?? "")
          print(try Playlist.filter { $0.playlistId == 18 }.annotated(with: Playlist.tracks.count)
            .asRequest(of: Row.self).fetchOne(db)?["trackCount"] as Int? ?? 0)
          print(try Employee.joining(required: Employee.reportsTo).fetchCount(db))
          print(try Customer.joining(required: Customer.supportRep.filter { $0.lastName == "Park" }).fetchCount(db))
          print(try Invoice.order { $0.invoiceDate }.fetchOne(db)?.invoiceDate.timeIntervalSince1970 ?? 0)
        }
        """, in: scratch)
      #expect(
        output == """
          Album 347
          Artist 275
          Customer 59
          Employee 8
          Genre 25
          Invoice 412
          InvoiceLine 2240
          MediaType 5
          Playlist 18
          PlaylistTrack 8715
          Track 3503
          AC/DC
          1
          7
          20
          1609459200.0

          """)
    }
  }

  @Test func `the parent of a record of the same table does not take its name`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "tree.sqlite",
        """
        CREATE TABLE folder (id INTEGER PRIMARY KEY, folderId INTEGER REFERENCES folder, name TEXT);
        INSERT INTO folder VALUES (1, NULL, 'top'), (2, 1, 'inner');
        """)
      let output = try output(
        path,
        """
        struct Place: Decodable, FetchableRecord {
          var folder: Folder
          var parentFolder: Folder?
        }
        try queue.read { db in
          let request = Folder.including(optional: Folder.parentFolder).order { $0.id }
          for place in try Place.fetchAll(db, request) {
            print(place.folder.name ?? "", place.parentFolder?.name ?? "none")
          }
          struct Tree: Decodable, FetchableRecord {
            var folder: Folder
            var folders: [Folder]
          }
          let trees = try Tree.fetchAll(db, Folder.including(all: Folder.folders).order { $0.id })
          print(trees.map { $0.folders.count })
        }
        """, in: scratch)
      #expect(output == "Folder 2\ntop none\ninner top\n[1, 0]\n")
    }
  }
}

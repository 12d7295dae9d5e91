import Foundation
import Quarry
import QuarryFunctions
import QuarryTables
import QuarryTestSupport
import Testing

@Suite("Extensions of SQLite", .needs(.loadableExtensions))
struct SQLiteExtensionTests {
  private let shelf: ShelfExtension
  private var library: String { shelf.library }

  init() throws { shelf = try ShelfExtension() }

  private struct Passage: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    var vector: Data
  }

  private func vector(_ numbers: Float...) -> Data {
    numbers.withUnsafeBytes { Data($0) }
  }

  @Test func `a request sorts by a function of an extension`() throws {
    let (path, query) = (library, vector(3, 3))
    // snippet.extension
    var configuration = Configuration()
    configuration.extensions = [.file(path)]  // "/usr/lib/sqlite3/shelf.so"
    let queue = try DatabaseQueue(configuration: configuration)
    // snippet.end
    try expectWorking(queue)
    try queue.read { db in
      // snippet.nearest
      // SELECT * FROM "passage" ORDER BY VECTOR_DISTANCE("vector", ?) LIMIT 2
      let distance = SQLExpression.function("VECTOR_DISTANCE", Column("vector"), query)
      let nearest = try Passage.order(distance).limit(2).fetchAll(db)
      // snippet.end
      #expect(nearest.map(\.id) == [2, 3])
    }
  }

  private func configuration(_ extensions: SQLiteExtension...) -> Configuration {
    var configuration = Configuration()
    configuration.extensions = extensions
    return configuration
  }

  private func expectWorking(_ database: any DatabaseWriter) throws {
    try database.write { db in
      try db.execute(sql: "CREATE TABLE passage (id INTEGER PRIMARY KEY, vector BLOB)")
      try Passage(id: 1, vector: vector(0, 0)).insert(db)
      try Passage(id: 2, vector: vector(3, 4)).insert(db)
      try Passage(id: 3, vector: vector(1, 1)).insert(db)
    }
    let (nearest, components) = try database.read { db in
      let distance = SQL("vector_distance(vector, \(vector(3, 3)))").sqlExpression
      return try (
        Passage.order(distance).limit(2).fetchAll(db).map(\.id),
        Double.fetchAll(
          db, sql: "SELECT value FROM vector_components(?)", arguments: [vector(1.5, 2)])
      )
    }
    #expect(nearest == [2, 3])
    #expect(components == [1.5, 2])
  }

  @Test func `each connection loads the extensions of the configuration`() throws {
    // With the suffix of the system, and without.
    for path in [library, String(library.dropLast(3))] {
      try expectWorking(DatabaseQueue(configuration: configuration(.file(path))))
      try expectWorking(
        DatabasePool.temporary(
          configuration: configuration(.file(path, entryPoint: "sqlite3_shelf_init"))))
    }
  }

  @Test func `the functions of prepareDatabase use and load extensions`() throws {
    var configuration = configuration(.file(library))
    configuration.prepareDatabase { db in
      let sql = "SELECT vector_distance(x'00000000', x'0000803f')"
      let distance = try Double.fetchOne(db, sql: sql)
      #expect(distance == 1)
    }
    _ = try DatabaseQueue(configuration: configuration)

    var other = Configuration()
    let library = library
    other.prepareDatabase { db in try db.load(.file(library)) }
    try expectWorking(DatabaseQueue(configuration: other))
  }

  @Test func `an extension of the program is linked`() throws {
    let isCalled = Log<Bool>()
    let linked = SQLiteExtension.linked("shelf") { connection, _ in
      isCalled.append(true)
      return 0
    }
    let pool = try DatabasePool.temporary(configuration: configuration(linked))
    try pool.read { _ in }
    #expect(isCalled.elements == [true, true], "the writer, and a reader")

    let error = #expect(throws: DatabaseError.self) {
      try DatabaseQueue(
        configuration: configuration(
          SQLiteExtension.linked("shelf") { _, _ in 1 }))
    }
    #expect(
      error?.description == "SQLite error 1: SQL logic error\nwhile loading the extension `shelf`")
  }

  @Test func `statements load no extension`() throws {
    for configuration in [Configuration(), configuration(.file(library))] {
      let queue = try DatabaseQueue(configuration: configuration)
      try queue.write { db in
        let error = #expect(throws: DatabaseError.self) {
          try db.execute(sql: "SELECT load_extension(?)", arguments: [library])
        }
        #expect(error?.message == "not authorized")
      }
    }
  }

  @Test func `what can't be loaded is named`() throws {
    func details(_ path: String, _ entryPoint: String? = nil) -> String {
      do {
        _ = try DatabaseQueue(configuration: configuration(.file(path, entryPoint: entryPoint)))
        return "loaded"
      } catch {
        return "\(error)"
      }
    }
    let text = shelf.directory.path + "/text.so"
    try "no library".write(toFile: text, atomically: true, encoding: .utf8)

    let missing = details("/shelf/missing")
    #expect(missing.hasPrefix("SQLite error 1: /shelf/missing"), "\(missing)")
    #expect(missing.contains("while loading the extension at `/shelf/missing`"), "\(missing)")
    #expect(details(text).contains("while loading the extension at `\(text)`"), "\(details(text))")
    let unknown = details(library, "sqlite3_other_init")
    #expect(unknown.contains("undefined symbol: sqlite3_other_init"), "\(unknown)")
    #expect(unknown.contains("the entry point is `sqlite3_other_init`"), "\(unknown)")
    let refusal = details(library, "shelf_refuses")
    #expect(refusal.contains("the shelf is full"), "\(refusal)")
    let nul = details("/shelf\0/missing")
    #expect(nul.contains("the path contains a NUL character"), "\(nul)")
    #expect(details("") == "SQLite error 1: the path of the extension is empty")
    // The reason is that of this file, not of the one with the suffix.
    let broken = details(text)
    #expect(broken.contains("\n\(text): ") || broken.contains(" \(text): "), "\(broken)")
    #expect(details("/shelf/missing.so").contains("there is no such file"))
  }

  @Test func `a function of an extension that fails reports its message`() throws {
    let queue = try DatabaseQueue(configuration: configuration(.file(library)))
    try queue.read { db in
      let error = #expect(throws: DatabaseError.self) {
        try Double.fetchOne(db, sql: "SELECT vector_distance(x'00000000', x'')")
      }
      #expect(error?.message == "vector_distance: the vectors have different lengths")
    }
  }
}

@Suite("Extensions without SQLite's support", .lacks(.loadableExtensions))
struct RefusedExtensionTests {
  @Test func `a file is refused, and what the program links is loaded`() throws {
    var configuration = Configuration()
    configuration.extensions = [.file("/shelf/missing")]
    #expect(
      databaseError { _ = try DatabaseQueue(configuration: configuration) }?.message == """
        the extension at `/shelf/missing` can't be loaded: this SQLite has no \
        `sqlite3_load_extension` (SQLITE_OMIT_LOAD_EXTENSION). Link the extension with the \
        program, and use `SQLiteExtension.linked`
        """)
    let isCalled = Log<Bool>()
    configuration.extensions = [
      .linked("shelf") { _, _ in
        isCalled.append(true)
        return 0
      }
    ]
    _ = try DatabaseQueue(configuration: configuration)
    #expect(isCalled.elements == [true])
  }
}

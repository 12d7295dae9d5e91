import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// A path that C functions or SQLite would cut off: another file would be used.
@Suite struct FilePathTests {
  private static let names = ["library.sqlite\0-copy", "library.sqlite\0", "\0library.sqlite"]

  private func expectRefusal(
    _ path: String, _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      errorText(body) == """
        SQLite error 14: the path contains a NUL character, and would be cut off there: remove it - \
        while opening `\(path)`
        """, sourceLocation: sourceLocation)
  }

  /// A directory with a database that a path is mistaken for when it is cut off.
  private func withLibrary(_ body: (_ directory: String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      try makePool(directory + "/library.sqlite").close()
      try body(directory)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory) == ["library.sqlite"])
    }
  }

  @Test(arguments: names)
  func `a path with a NUL is not opened`(name: String) throws {
    try withLibrary { directory in
      let path = directory + "/" + name
      expectRefusal(path) { _ = try DatabaseQueue(path: path) }
      expectRefusal(path) { _ = try DatabasePool(path: path) }
      expectRefusal(path) { _ = try DatabaseSnapshotPool(path: path) }
      expectRefusal(path) { _ = try DatabaseQueue.inMemoryCopy(fromPath: path) }
      expectRefusal(path) { _ = try DatabaseQueue.temporaryCopy(fromPath: path) }
      var configuration = Configuration()
      configuration.readonly = true
      expectRefusal(path) { _ = try DatabaseQueue(path: path, configuration: configuration) }
      expectRefusal(path) { _ = try DatabasePool(path: path, configuration: configuration) }
    }
  }

  @Test func `a URI with an encoded NUL is not opened`() throws {
    try withLibrary { directory in
      let path = "file:\(directory)/library.sqlite%00-copy"
      expectRefusal(path) { _ = try DatabaseQueue(path: path) }
      // A path that is no URI may have the same characters.
      let ordinary = directory + "/library%00"
      try DatabaseQueue(path: ordinary).close()
      try FileManager.default.removeItem(atPath: ordinary)
    }
  }

  @Test func `a name with a NUL is none of a database in memory`() {
    expectRefusal("file:library\0copy?mode=memory&cache=shared") {
      _ = try DatabaseQueue(named: "library\0copy")
    }
  }

  @Test(arguments: [
    "", ":memory:", "file:", "file:?mode=rwc", "file:#shop", "file:///?mode=memory",
    "file://localhost", "file:?cache=shared", "file:shop?vfs=unix&mode=memory", "file:%3Amemory%3A",
    "file:shop?mode=%6demory", "file:shop?vfs=memdb", "file:shop?mode=rwc&mode=memory",
    "file:shop?mode=memory&cache=shared&cache=private", "file:shop?mode=memory&cache%3Dshared",
  ])
  func `a copy is not written where it is lost`(path: String) async throws {
    let queue = try DatabaseQueue()
    let text = errorText { try queue.vacuum(into: path) }
    #expect(
      text == """
        SQLite error 14: the copy needs the path of a file: one in memory, or without name, would \
        be lost - while opening `\(path)`
        """)
    let asyncText = await errorText { try await queue.vacuum(into: path) }
    #expect(asyncText == text)
  }

  /// A queue that takes URIs.
  private static func makeShop() throws -> DatabaseQueue {
    let shop = try DatabaseQueue(path: "file:shop?mode=memory")
    try shop.write { db throws in
      try db.execute(sql: "CREATE TABLE book (title TEXT); INSERT INTO book VALUES ('Emma')")
    }
    return shop
  }

  private static func titles(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db throws in try String.fetchAll(db, sql: "SELECT title FROM book") }
  }

  @Test(
    .needs(.sharedCache),
    arguments: [
      "file:vacuumed-shop?mode=memory&cache=shared", "file::memory:?cache=shared",
      "file:vacuumed-shop-2?mode=rwc&mode=memory&cache=private&cache=shared",
    ])
  func `a copy is written to a database in memory that connections share`(path: String) throws {
    let copy = try DatabaseQueue(path: path)
    try Self.makeShop().vacuum(into: path)
    #expect(try Self.titles(copy) == ["Emma"])
  }

  @Test(arguments: ["mode=memory&mode=rwc", "a=?mode=memory", "mode%3Dmemory", "#?mode=memory"])
  func `a copy is written to the file of a URI that is not in memory`(parameters: String) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/copy.sqlite"
      try Self.makeShop().vacuum(into: "file:\(path)?\(parameters)")
      #expect(try Self.titles(DatabaseQueue(path: path)) == ["Emma"])
    }
  }

  @Test(arguments: names)
  func `a copy is not written to a path with a NUL`(name: String) async throws {
    try await withTemporaryDirectory { directory async throws in
      let path = directory + "/" + name
      let queue = try DatabaseQueue()
      expectRefusal(path) { try queue.vacuum(into: path) }
      let text = await errorText { try await queue.vacuum(into: path) }
      #expect(text?.contains("the path contains a NUL character") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    }
  }
}

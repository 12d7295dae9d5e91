import Foundation
import Quarry
import QuarryTables
import Testing

@testable import Notes

/// The notes in a database in memory.
struct NotebookTests {
  private let database: DatabaseQueue
  private let notebook: Notebook
  private let day = Date(timeIntervalSince1970: 1_700_000_000)

  init() throws {
    database = try DatabaseQueue()
    notebook = try Notebook(database)
  }

  private func lines(tag: String?) throws -> [String] {
    try notebook.notes(tag: tag).map { $0.line() }
  }

  @Test func `notes are listed, those that were changed last first, and by tag`() throws {
    _ = try notebook.add(title: "A", text: "", tags: ["x"], now: day)
    _ = try notebook.add(title: "B", text: "", tags: [], now: day + 1)
    _ = try notebook.add(title: "C", text: "", tags: ["X", "y"], now: day + 2)
    _ = try notebook.edit(2, text: "b", now: day + 3)
    #expect(try lines(tag: nil) == ["2  B", "3  C  #X  #y", "1  A  #x"])
    // With all of their tags.
    #expect(try lines(tag: "x") == ["3  C  #X  #y", "1  A  #x"])
    #expect(try lines(tag: "z") == [])
  }

  @Test func `the index follows changes`() throws {
    _ = try notebook.add(title: "Tour", text: "boats", tags: [])
    _ = try notebook.edit(1, text: "trains")
    #expect(try notebook.search("boats").isEmpty)
    #expect(try notebook.search("trains").map(\.extract) == ["[trains]"])
    try notebook.delete(1)
    #expect(try notebook.search("trains").isEmpty)
  }

  @Test func `case and accents don't matter`() throws {
    _ = try notebook.add(title: "Café", text: "", tags: [])
    #expect(try notebook.search("CAFE").map(\.markedTitle) == ["[Café]"])
  }

  @Test func `a note that can't have its tags is not changed`() throws {
    _ = try notebook.add(title: "Tour", text: "", tags: ["trip"])
    #expect(throws: DatabaseError.self) {
      try notebook.edit(1, title: "Harbor", tags: ["sea", ""])
    }
    #expect(try notebook.note(1).line() == "1  Tour  #trip")
  }

  @Test func `a notebook of the first version is brought up to date`() throws {
    let old = try DatabaseQueue()
    try DatabaseMigrator.notebook.migrate(old, upTo: "notes")
    try old.write { db in try Note(title: "Tour", text: "boats", changed: day).insert(db) }
    let notebook = try Notebook(old)
    #expect(try notebook.search("boats").map(\.note.note.title) == ["Tour"])
    let check = try old.write { db in try db.checkFullTextIndex("noteIndex") }
    #expect(check.isSound)
  }
}

import Foundation
import Quarry
import Testing

@testable import Notes

struct NotesTests {
  private let notebook: Notebook

  init() throws {
    notebook = try Notebook(DatabaseQueue())
  }

  private func run(_ arguments: String...) throws -> [String] {
    try Notes.lines(of: Command(arguments), in: notebook)
  }

  @Test func `a note is added, shown, changed and deleted`() throws {
    try #expect(
      run("add", "Tour", "Boats leave at nine.", "--tag", "trip", "--tag", "sea") == [
        "1  Tour  #sea #trip"
      ])
    try #expect(run("show", "1") == ["1  Tour  #sea #trip", "", "Boats leave at nine."])
    try #expect(
      run("edit", "1", "--title", "Harbour tour", "--tag", "trip") == ["1  Harbour tour  #trip"])
    try #expect(run("show", "1").last == "Boats leave at nine.")
    try #expect(run("delete", "1") == [])
    #expect(throws: Notebook.NoSuchNote.self) { try run("show", "1") }
  }

  @Test func `notes are listed, those that were changed last first, and by tag`() throws {
    let day = Date(timeIntervalSince1970: 1_700_000_000)
    _ = try notebook.add(title: "A", body: "", tags: ["x"], now: day)
    _ = try notebook.add(title: "B", body: "", tags: [], now: day + 1)
    _ = try notebook.add(title: "C", body: "", tags: ["X", "y"], now: day + 2)
    _ = try notebook.edit(2, title: nil, body: "b", tags: nil, now: day + 3)
    try #expect(run("list") == ["2  B", "3  C  #X #y", "1  A  #x"])
    try #expect(run("list", "--tag", "x") == ["3  C  #X #y", "1  A  #x"])
    try #expect(run("list", "--tag", "z") == [])
  }

  @Test func `a search finds all words, the last one by its beginning, titles first`() throws {
    _ = try run("add", "Harbour", "The old pier is closed.")
    _ = try run("add", "Old pier", "Boats leave here.\nNot on Sundays.", "--tag", "sea")
    _ = try run("add", "Museum", "Old masters.")
    try #expect(
      run("search", "OLD", "pi") == [
        "2  Old pier  #sea", "   [Old] [pier]", "1  Harbour", "   The [old] [pier] is closed.",
      ])
    try #expect(run("search", "sundays").first == "2  Old pier  #sea")
  }

  @Test func `the index follows changes`() throws {
    _ = try run("add", "Tour", "boats")
    _ = try run("edit", "1", "--text", "trains")
    try #expect(run("search", "boats") == [])
    try #expect(run("search", "trains").count == 2)
    _ = try run("delete", "1")
    try #expect(run("search", "trains") == [])
  }

  @Test(arguments: ["", "\"", "* OR", "NEAR(", "-"])
  func `a search never fails, whatever is typed`(text: String) throws {
    _ = try run("add", "Tour")
    try #expect(run("search", text) == [])
  }

  @Test(arguments: [
    [], ["sing"], ["add"], ["show", "one"], ["list", "--tag"], ["list", "x"],
    ["delete", "1", "--title", "x"],
  ])
  func `a wrong command line is an error`(arguments: [String]) {
    #expect(throws: Command.UsageError.self) { try Command(arguments) }
  }

  @Test func `a note without title is refused`() throws {
    #expect(throws: DatabaseError.self) { try run("add", "") }
    try #expect(run("list") == [])
  }

  @Test func `notes are kept in a file`() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("notes-\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try Notebook(path: path).add(title: "Kept", body: "", tags: ["t"])
    let notes = try Notebook(path: path).notes()
    #expect(notes.map(\.note.title) == ["Kept"])
    #expect(notes.map(\.tags) == [[NoteTag(noteId: 1, name: "t")]])
  }
}

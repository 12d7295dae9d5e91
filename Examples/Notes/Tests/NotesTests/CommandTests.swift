import Foundation
import Testing

/// The program as a process, each time with a directory of its own.
final class CommandTests {
  private let directory: URL
  private let program: Program

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("notes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    program = Program(environment: ["NOTES_FILE": "\(directory.path)/notes.sqlite"])
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// The lines of a run that succeeds.
  private func lines(_ arguments: String..., input: String = "") throws -> [String] {
    let result = try program.run(arguments, input: input)
    try #require(result.code == 0, "\(result.errors)")
    #expect(result.errors == "")
    return result.output.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  @Test func `a note is added, shown, changed and deleted`() throws {
    let text = "Boats leave at nine."
    let added = try lines("add", "Tour", text, "--tag", "trip", "--tag", "sea")
    #expect(added == ["1  Tour  #sea  #trip"])
    #expect(try lines("show", "1") == ["1  Tour  #sea  #trip", "", text])
    let edited = try lines("edit", "1", "--title", "Harbor tour", "--tag", "trip", "--tag", "TRIP")
    #expect(edited == ["1  Harbor tour  #trip"])
    #expect(try lines("show", "1") == ["1  Harbor tour  #trip", "", text])
    #expect(try lines("edit", "1", "--text", "No boats.") == ["1  Harbor tour  #trip"])
    #expect(try lines("show", "1") == ["1  Harbor tour  #trip", "", "No boats."])
    #expect(try lines("delete", "1") == [])
    #expect(try lines("list") == [])
  }

  @Test func `a text comes from standard input`() throws {
    _ = try lines("add", "Tour", "-", input: "Boats\nTrains\n")
    #expect(try lines("show", "1") == ["1  Tour", "", "Boats", "Trains", ""])
  }

  @Test func `a search shows titles and extracts with marks, the best note first`() throws {
    _ = try lines("add", "Harbor", "The old pier is closed.")
    _ = try lines("add", "Old pier", "Boats leave here.\nNot on Sundays.", "--tag", "sea")
    _ = try lines("add", "Museum", "Old masters.")
    let expected = [
      "2  [Old] [pier]  #sea", "   Boats leave here. Not on Sundays.",
      "1  Harbor", "   The [old] [pier] is closed.",
    ]
    #expect(try lines("search", "OLD", "pi") == expected)
    #expect(try lines("search", "OLD", "pi", "--limit", "1") == Array(expected.prefix(2)))
  }

  @Test(arguments: ["nowhere", "\"", "* OR", "NEAR(", "-"])
  func `a search that finds nothing has exit code 1 and no message`(words: String) throws {
    _ = try lines("add", "Tour", "Boats")
    let nothing = Program.Result(code: 1, output: "", errors: "")
    #expect(try program.run(["search", "--", words]) == nothing)
  }

  @Test(
    arguments: [
      (["sing"], 64, "Unexpected argument 'sing'"),
      (["add"], 64, "Missing expected argument '<title>'"),
      (["add", ""], 64, "The title is empty."),
      (["add", "Tour", "--tag", ""], 64, "A tag is empty."),
      (["show", "one"], 64, "The value 'one' is invalid for '<number>'"),
      (["list", "--tag"], 64, "Missing value for '--tag <tag>'"),
      (["search", "x", "--limit", "0"], 64, "--limit is 1 or more."),
      (["show", "7"], 1, "There is no note 7."),
      (["edit", "7", "--title", "x"], 1, "There is no note 7."),
      (["delete", "7"], 1, "There is no note 7."),
    ] as [([String], Int32, String)])
  func `a mistake has an exit code and a message`(
    arguments: [String], code: Int32, message: String
  ) throws {
    let result = try program.run(arguments)
    #expect(result.code == code)
    #expect(result.output == "")
    #expect(result.errors.contains("Error: \(message)"), "\(result.errors)")
  }

  @Test(arguments: ["a directory", "a text", "no directory"])
  func `a file that is no notebook is an error that names it`(kind: String) throws {
    var path = directory.appendingPathComponent(kind).path
    if kind == "a directory" {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else if kind == "a text" {
      try String(repeating: "This is no database. ", count: 100)
        .write(toFile: path, atomically: false, encoding: .utf8)
    } else {
      path += "/notes.sqlite"
    }
    let result = try program.run(["list", "--file", path])
    #expect(result.code == 1)
    #expect(result.errors.contains(path), "\(result.errors)")
  }
}

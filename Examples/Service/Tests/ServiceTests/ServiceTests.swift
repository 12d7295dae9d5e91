import Foundation
import Quarry
import Testing

@testable import Service

/// The program as a process.
final class ServiceTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("service-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private var database: String { directory.appendingPathComponent("shop.sqlite").path }

  @Test(arguments: [SIGTERM, SIGINT])
  func `the service migrates, answers, and ends in order at a signal`(signal: Int32) async throws {
    let program = try Program("Service", [database, "--port", "0"])
    let address = try program.waitForOutput()
    let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
    let client = Client(port: port)
    let answer = try await client.send("POST", "/authors", #"{"name":"Halldór Laxness"}"#)
    #expect(answer.status == 201)
    program.send(signal)
    let end = try program.end()
    #expect(end.code == 0, "\(end)")
    // The pool was closed: all is in the file.
    #expect(!FileManager.default.fileExists(atPath: "\(database)-wal"))
    let queue = try DatabaseQueue(path: database)
    let names = try await queue.read { db in try Author.fetchAll(db).map(\.name) }
    #expect(names == ["Halldór Laxness"])
  }

  @Test func `a port in use is an error`() throws {
    let program = try Program("Service", [database, "--port", "0"])
    let port = try #require(program.waitForOutput().split(separator: ":").last)
    let second = try Program("Service", [database, "--port", "\(port)"]).end()
    #expect(second.code == 1)
    #expect(second.errors.contains("Address already in use"), "\(second.errors)")
  }

  @Test func `mistakes have an exit code and a message`() throws {
    let text = directory.appendingPathComponent("text").path
    try String(repeating: "This is no database. ", count: 100)
      .write(toFile: text, atomically: false, encoding: .utf8)
    let cases: [([String], Int32, String)] = [
      ([], 64, "Missing expected argument '<database>'"),
      ([database, "--port", "70000"], 64, "--port is a number up to 65535."),
      ([database, "--port", "http"], 64, "The value 'http' is invalid"),
      ([text], 1, "file is not a database"),
      ([directory.path], 1, directory.path),
      (["\(directory.path)/none/shop.sqlite"], 1, "none/shop.sqlite"),
    ]
    for (arguments, code, message) in cases {
      let run = try Program("Service", arguments).end()
      #expect(run.code == code, "\(run)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }
  }
}

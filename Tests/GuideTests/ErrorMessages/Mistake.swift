import Foundation
import Quarry
import QuarryTestSupport

/// A mistake. The manual has the error that it is answered with.
struct Mistake: Sendable, CustomStringConvertible {
  /// The mistake in a few words of code.
  let description: String

  /// The mistake: a function, so that each test has a database of its own.
  let make: @Sendable (AnyDatabaseWriter) throws -> Void

  init(_ description: String, _ make: @escaping @Sendable (AnyDatabaseWriter) throws -> Void) {
    self.description = description
    self.make = make
  }

  /// A mistake with a file. `PATH` stands for the path of its folder.
  static func inFolder(
    _ description: String, _ make: @escaping @Sendable (String) throws -> Void
  ) -> Mistake {
    Mistake(description) { _ in
      try withTemporaryDirectory { folder in
        do {
          try make(folder)
        } catch {
          throw Report(text: "\(error)".replacingOccurrences(of: folder, with: "PATH"))
        }
      }
    }
  }

  /// The text of the error.
  func provoke() throws -> String {
    let database = try makeBookshopDatabase()
    do {
      try make(database)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  private struct Report: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }

  /// The mistakes, in the order of the manual.
  static let chapters: [(title: String, mistakes: [Mistake])] = [
    ("Writes", writes), ("Names", names), ("Requests", requests), ("Decoding", decoding),
    ("Accesses and transactions", accesses), ("Files and migrations", files),
  ]

  static let all: [Mistake] = chapters.flatMap(\.mistakes)
}

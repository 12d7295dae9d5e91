import Foundation
import Quarry

do {
  try run(Options(CommandLine.arguments.dropFirst()))
} catch let error as UsageError {
  fail("\(error.message)\n\(Options.usage)", status: 2)
} catch {
  fail("\(error)", status: 1)
}

/// Loads the CSV files into the database file, asks all questions, and says where the result is.
func run(_ options: Options) throws {
  let temporary = FileManager.default.temporaryDirectory
    .appendingPathComponent("Library-\(UUID().uuidString).sqlite").path
  defer { try? FileManager.default.removeItem(atPath: temporary) }

  let library = try open(options.database ?? temporary)
  try library.write { db in
    try Import(directory: options.data).run(db)
  }
  try library.read { db in
    for (number, question) in zip(1..., Question.all) {
      print("\(number). \(try report(question, db))\n")
    }
    let (authors, works) = (try Author.fetchCount(db), try Work.fetchCount(db))
    print(
      "Found \(authors) authors and \(works) works, and answered \(Question.all.count) questions;",
      "the database is", options.database ?? "a temporary file (--db PATH keeps it).")
  }
}

func open(_ path: String) throws -> DatabaseQueue {
  do {
    let queue = try DatabaseQueue(path: path)
    try DatabaseMigrator.library.migrate(queue)
    return queue
  } catch {
    throw InputError(file: path, message: "\(error)")
  }
}

/// The title of a question, the SQL of its answer (without look-ups in the schema), and the answer.
func report(_ question: Question, _ db: Database) throws -> String {
  var statements: [String] = []
  db.trace { event in statements.append("\(event)") }
  defer { db.trace() }
  let table = try question.answer(db)
  let sql = statements.filter { !$0.hasPrefix("PRAGMA") }.map { $0.wrapped(width: 100) }
  return ([question.title] + sql).joined(separator: "\n") + "\n\n"
    + table.formatted(maximumRowCount: 6)
}

func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("Library: \(message)\n".utf8))
  exit(status)
}

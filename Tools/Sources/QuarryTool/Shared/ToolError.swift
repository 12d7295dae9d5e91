import Quarry

/// An error as a sentence that names the file, and the table, line or statement.
struct ToolError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ToolError {
  /// An error of the library, for the file that was used.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as ToolError: self = error
    case let error as DatabaseError: self.init("\(path): \(Self.sentence(error))")
    default: self.init("\(path): \(error)")
    }
  }

  private static func sentence(_ error: DatabaseError) -> String {
    let message = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    switch error.extendedResultCode {
    case .SQLITE_NOTADB:
      return "the file is no SQLite database, or it is encrypted"
    case .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY:
      return
        "a program has stopped in the middle of a transaction: open the file with it, or with query --write"
    case .SQLITE_BUSY:
      return "\(message): another program is using the file; --timeout waits longer"
    default:
      return message + place(error) + (error.details.map { "\n\($0)" } ?? "")
    }
  }

  /// The line of the statement with the mistake, and a mark below it.
  private static func place(_ error: DatabaseError) -> String {
    guard let sql = error.sql, let offset = error.sqlOffset, offset <= sql.utf8.count else {
      return ""
    }
    let before = String(decoding: sql.utf8.prefix(offset), as: UTF8.self)
    let after = String(decoding: sql.utf8.dropFirst(offset), as: UTF8.self)
    let start = before.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    let end = after.prefix { !$0.isNewline }
    let margin = String(repeating: " ", count: String(start).displayWidth)
    return "\n  \(start)\(end)\n  \(margin)^"
  }
}

import Foundation
import Quarry

/// A file of statements.
struct MigrationFile: Sendable {
  /// A statement, and its line.
  struct Statement: Sendable {
    let sql: String
    let line: Int
  }

  let name: String
  let sql: String
  let statements: [Statement]

  /// Reads a file, and checks that it may be a migration.
  init(_ url: URL) throws {
    let name = url.lastPathComponent
    self.name = name
    sql = try Self.read(url, name)
    let script: SQLScript
    do {
      script = try SQLScript(sql)
    } catch let token as UnterminatedToken {
      throw MigrationFileError(name, line: token.line, "\(token.start) has no end")
    }
    for statement in script.statements { try Self.check(statement, name) }
    statements = script.statements.map { Statement(sql: $0.sql, line: $0.line) }
  }

  private static func read(_ url: URL, _ name: String) throws -> String {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw MigrationFileError(name, "can't be read: \(error.localizedDescription)")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = data.starts(with: mark) ? data.dropFirst(3) : data
    let lines = { (end: Data.Index) in bytes[..<end].count { $0 == 10 } + 1 }
    if let zero = bytes.firstIndex(of: 0) {
      throw MigrationFileError(
        name, line: lines(zero), "a NUL, where SQL ends: the file must be text in UTF-8")
    }
    // Bytes that are not UTF-8 are replaced.
    let sql = String(decoding: bytes, as: UTF8.self)
    if let (index, _) = zip(bytes.indices, sql.utf8).first(where: { bytes[$0] != $1 }) {
      throw MigrationFileError(
        name, line: lines(index), "bytes that are not UTF-8: save the file in it")
    }
    guard sql.utf8.contains(where: { $0 > 32 }) else {
      throw MigrationFileError(
        name, "empty: write the SQL, or a comment if there is nothing to do on purpose")
    }
    return sql
  }

  /// Refuses what can't run in the transaction of a migration, or outlasts it.
  private static func check(_ statement: SQLScript.Statement, _ name: String) throws {
    guard let message = statement.tokens.refusal else { return }
    throw MigrationFileError(name, line: statement.line, message)
  }

  /// Executes the statements. The error of one names the file and the line.
  func run(_ db: Database) throws {
    for statement in statements {
      do {
        try db.execute(sql: statement.sql)
      } catch var error as DatabaseError {
        error.addDetails("in \(name), line \(statement.line)")
        throw error
      }
    }
  }
}

extension [SQLToken] {
  /// Why a statement is refused in a migration. Nil if it is not.
  fileprivate var refusal: String? {
    let word = self[0].text.asciiUppercased
    guard self[0].kind != .symbol || word != "." else {
      return "a command of the program sqlite3, and no SQL"
    }
    guard self[0].kind == .word else { return nil }
    switch word {
    case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
      return "\(word) in a migration, which is a transaction by itself: leave it out"
    case "VACUUM":
      return "VACUUM can't run in a transaction, and a migration is one: call db.execute(sql:) "
        + "outside of migrations"
    case "ATTACH", "DETACH":
      return "\(word) outlasts the migration: attach databases in Configuration.prepareDatabase"
    case "PRAGMA": return pragmaRefusal
    default: return nil
    }
  }

  /// Settings of the file are written in the transaction, and rolled back with it.
  private var pragmaRefusal: String? {
    let name = count > 3 && self[2].isOne(of: ".") ? self[3] : count > 1 ? self[1] : self[0]
    guard !["user_version", "application_id"].contains(name.key) else { return nil }
    return "PRAGMA \(name.name) outlasts the migration, or has no effect in its transaction: "
      + "user_version and application_id alone may be set; the others in Configuration.prepareDatabase"
  }
}

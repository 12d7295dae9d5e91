import Foundation
import Testing

@testable import Quarry

struct DatabaseErrorTests {
  @Test func theDefaultErrorIsASQLLogicError() {
    let error = DatabaseError()
    #expect(error.resultCode == .SQLITE_ERROR)
    #expect(error.extendedResultCode == .SQLITE_ERROR)
    #expect(error.message == "SQL logic error")
    #expect(error.sql == nil)
    #expect(error.arguments == nil)
    #expect(error.sqlOffset == nil)
    #expect(error.description == "SQLite error 1: SQL logic error")
  }

  @Test func anErrorHasAPrimaryAndAnExtendedCode() {
    let error = DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE)
    #expect(error.resultCode == .SQLITE_CONSTRAINT)
    #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
    #expect(error.description == "SQLite error 19: constraint failed")
  }

  @Test(arguments: [
    ("SELECT 1", "SQLite error 19: msg - while executing `SELECT 1`"),
    (" \n SELECT 1 ;\n", "SQLite error 19: msg - while executing `SELECT 1`"),
  ])
  func descriptionShowsTheTrimmedSQL(sql: String, description: String) {
    let error = DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_CHECK, message: "msg", sql: sql, arguments: [1, "x"])
    #expect(error.description == description)
    #expect(error.expandedDescription == description + #" with arguments [1, "x"]"#)
  }

  @Test func descriptionShowsPublicArguments() {
    func description(_ arguments: StatementArguments) -> String {
      DatabaseError(
        message: "msg", sql: "SELECT 1", arguments: arguments, publicStatementArguments: true
      ).description
    }
    let text = "SQLite error 1: msg - while executing `SELECT 1`"
    #expect(description([1, "x"]) == text + #" with arguments [1, "x"]"#)
    #expect(description(["a": nil]) == text + #" with arguments ["a": NULL]"#)
    #expect(description([]) == text)
  }

  @Test(arguments: [
    ("SELECT * FORM player", 9, #"FORM player"#),
    ("SELECT * FORM player\nWHERE 1", 9, #"FORM player"#),
    ("SELECT '\u{e9}', FROM player", 13, #"FROM player"#),
    ("SELECT x AS abcdefghijklmnopqrstuvwxyz", 12, "abcdefghijklmnopqrstuvwx…"),
  ])
  func descriptionShowsWhereTheMistakeIs(sql: String, offset: Int, excerpt: String) {
    let error = DatabaseError(code: 1, message: "msg", sql: sql, sqlOffset: offset)
    #expect(error.sqlOffset == offset)
    #expect(
      error.description
        == "SQLite error 1: msg - while executing `\(sql)` - at offset \(offset): \"\(excerpt)\"")
  }

  @Test(arguments: [nil, -1, 8, 100])
  func anUnknownOffsetIsNotShown(offset: Int?) {
    let error = DatabaseError(code: 1, message: "msg", sql: "SELECT 1", sqlOffset: offset)
    #expect(error.description == "SQLite error 1: msg - while executing `SELECT 1`")
  }

  @Test func errorsOfSQLiteKnowTheirOffset() throws {
    try DatabaseQueue().read { db in
      let error = #expect(throws: DatabaseError.self) {
        try Row.fetchOne(db, sql: "SELECT * FORM player")
      }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == #"near "FORM": syntax error"#)
      #expect(error?.sqlOffset == 9)
    }
  }

  @Test func errorsAreCaughtByCode() {
    func name(of error: any Error) -> String {
      do {
        throw error
      } catch DatabaseError.SQLITE_CONSTRAINT_UNIQUE {
        return "unique"
      } catch DatabaseError.SQLITE_CONSTRAINT {
        return "constraint"
      } catch ResultCode.SQLITE_BUSY {
        return "busy"
      } catch {
        return "other"
      }
    }
    #expect(name(of: DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE)) == "unique")
    #expect(name(of: DatabaseError(resultCode: .SQLITE_CONSTRAINT_CHECK)) == "constraint")
    #expect(name(of: DatabaseError(resultCode: .SQLITE_CONSTRAINT)) == "constraint")
    #expect(name(of: DatabaseError(resultCode: .SQLITE_BUSY_SNAPSHOT)) == "busy")
    #expect(name(of: DatabaseError()) == "other")
    #expect(name(of: CancellationError()) == "other")
  }

  @Test func interruptionsAreAbortsAndInterrupts() {
    #expect(DatabaseError(resultCode: .SQLITE_ABORT).isInterruptionError)
    #expect(DatabaseError(resultCode: .SQLITE_ABORT_ROLLBACK).isInterruptionError)
    #expect(DatabaseError(resultCode: .SQLITE_INTERRUPT).isInterruptionError)
    #expect(!DatabaseError(resultCode: .SQLITE_BUSY).isInterruptionError)
  }

  @Test func errorsAreBridgedToNSError() {
    let error = DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: "msg", sql: "SELECT 1")
    let nsError = error as NSError
    #expect(nsError.domain == "Quarry.DatabaseError")
    #expect(nsError.code == 2067)
    #expect(nsError.localizedDescription == error.description)
    #expect(nsError.localizedFailureReason == "msg")
  }
}

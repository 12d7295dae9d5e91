import Testing

@testable import Quarry

struct ResultCodeTests {
  @Test(
    arguments: [
      (ResultCode.SQLITE_OK, 0), (.SQLITE_ERROR, 1), (.SQLITE_BUSY, 5), (.SQLITE_CONSTRAINT, 19),
      (.SQLITE_NOTADB, 26), (.SQLITE_WARNING, 28), (.SQLITE_ROW, 100), (.SQLITE_DONE, 101),
      (.SQLITE_ERROR_SNAPSHOT, 769), (.SQLITE_ABORT_ROLLBACK, 516), (.SQLITE_BUSY_TIMEOUT, 773),
      (.SQLITE_CANTOPEN_SYMLINK, 1550), (.SQLITE_CONSTRAINT_CHECK, 275),
      (.SQLITE_CONSTRAINT_FOREIGNKEY, 787), (.SQLITE_CONSTRAINT_NOTNULL, 1299),
      (.SQLITE_CONSTRAINT_PRIMARYKEY, 1555), (.SQLITE_CONSTRAINT_UNIQUE, 2067),
      (.SQLITE_CONSTRAINT_DATATYPE, 3091), (.SQLITE_IOERR_CORRUPTFS, 8458),
      (.SQLITE_READONLY_DBMOVED, 1032), (.SQLITE_OK_LOAD_PERMANENTLY, 256),
    ] as [(ResultCode, CInt)])
  func codesHaveTheNumbersOfSQLite(code: ResultCode, rawValue: CInt) {
    #expect(code.rawValue == rawValue)
    #expect(ResultCode(rawValue: rawValue) == code)
  }

  @Test func theLowByteIsThePrimaryCode() {
    #expect(ResultCode.SQLITE_CONSTRAINT_UNIQUE.primaryResultCode == .SQLITE_CONSTRAINT)
    #expect(ResultCode.SQLITE_CONSTRAINT.primaryResultCode == .SQLITE_CONSTRAINT)
    #expect(ResultCode.SQLITE_OK_SYMLINK.primaryResultCode == .SQLITE_OK)
  }

  @Test func aPrimaryPatternMatchesItsExtendedCodes() {
    #expect(ResultCode.SQLITE_CONSTRAINT ~= .SQLITE_CONSTRAINT)
    #expect(ResultCode.SQLITE_CONSTRAINT ~= .SQLITE_CONSTRAINT_UNIQUE)
    #expect(!(ResultCode.SQLITE_CONSTRAINT ~= .SQLITE_BUSY))
  }

  @Test func anExtendedPatternMatchesItselfOnly() {
    #expect(ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= .SQLITE_CONSTRAINT_UNIQUE)
    #expect(!(ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= .SQLITE_CONSTRAINT))
    #expect(!(ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= .SQLITE_CONSTRAINT_CHECK))
  }

  @Test func descriptionShowsTheNumberAndTheText() {
    #expect(ResultCode.SQLITE_CONSTRAINT.description == "19 (constraint failed)")
    #expect(ResultCode.SQLITE_CONSTRAINT_UNIQUE.description == "2067 (constraint failed)")
    #expect(ResultCode.SQLITE_ERROR.description == "1 (SQL logic error)")
  }
}

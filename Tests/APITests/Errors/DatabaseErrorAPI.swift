import Foundation
import Quarry

func databaseError(_ error: DatabaseError) {
  _ = DatabaseError()
  _ = DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "not so")
  _ = DatabaseError(message: "not so")
  _ = DatabaseError(
    resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: nil, sql: "SELECT ?", arguments: [1],
    publicStatementArguments: true)
  let _: ResultCode = error.resultCode
  let _: ResultCode = error.extendedResultCode
  let _: String? = error.message
  let _: String? = error.sql
  let _: StatementArguments? = error.arguments
  let _: Bool = error.isInterruptionError
  let _: String? = error.details
  let _: DatabaseError.Constraint? = error.constraint
  let _: String = error.description
  let _: String = error.expandedDescription
  let _: String = DatabaseError.errorDomain
  let _: Int = error.errorCode
  let _: [String: Any] = error.errorUserInfo
  let _: NSError = error as NSError
}

func constraint(_ constraint: DatabaseError.Constraint) -> Bool {
  let _: String? = constraint.table
  let _: [String] = constraint.columns
  let _: String? = constraint.name
  switch constraint.kind {
  case .unique, .primaryKey, .notNull, .foreignKey, .check, .dataType, .trigger, .rowID, .other:
    return constraint == constraint
  }
}

func resultCode(_ code: ResultCode) {
  let _: CInt = code.rawValue
  let _: ResultCode = ResultCode(rawValue: 19)
  let _: ResultCode = code.primaryResultCode
  let _: Bool = ResultCode.SQLITE_CONSTRAINT ~= code
  let _: Bool = ResultCode.SQLITE_CONSTRAINT ~= DatabaseError()
  let _: String = code.description
  let _: Bool = code == .SQLITE_OK
  switch code {
  case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT: break
  default: break
  }
}

func failures(_ result: Result<Int, any Error>) {
  switch result {
  case .failure(DatabaseError.SQLITE_ABORT), .failure(ResultCode.SQLITE_BUSY): break
  case .success, .failure: break
  }
}

func caughtErrors(_ db: Database) {
  do {
    try db.execute(sql: "SELECT 1")
  } catch DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY {
  } catch DatabaseError.SQLITE_CONSTRAINT {
  } catch ResultCode.SQLITE_BUSY {
  } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_ERROR_RETRY {
  } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
  } catch let error as RowDecodingError {
    let _: String = error.description
  } catch RecordError.recordNotFound(let table, let key) {
    let _: String = table
    let _: [String: DatabaseValue] = key
  } catch {
    let _: any Error = error
  }
  let error: RecordError = .recordNotFound(databaseTableName: "player", key: ["id": .null])
  let _: String = error.description
}

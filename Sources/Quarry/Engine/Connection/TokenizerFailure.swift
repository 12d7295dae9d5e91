import CSQLite
import Foundation

/// The error of a full-text tokenizer, on its way through SQLite, which only keeps its code.
///
/// It waits on the thread for the statement, or the call, that fails because of it.
struct TokenizerFailure {
  let code: CInt
  let message: String

  private static let key = "Quarry.TokenizerFailure"

  /// Keeps an error, and returns its code.
  static func record(_ error: any Error, named name: String) -> CInt {
    let databaseError = error as? DatabaseError
    if databaseError?.extendedResultCode == .SQLITE_DONE { return SQLITE_DONE }
    let code = ResultCode(thrown: error).rawValue
    let reason = databaseError?.message ?? "\(error)"
    let failure = TokenizerFailure(code: code, message: "tokenizer \(name): \(reason)")
    Thread.current.threadDictionary[key] = failure
    return code
  }

  /// Returns the error of the thread, and forgets it.
  static func take() -> TokenizerFailure? {
    let dictionary = Thread.current.threadDictionary
    defer { dictionary.removeObject(forKey: key) }
    return dictionary[key] as? TokenizerFailure
  }

  /// The error of SQLite, with the message of the tokenizer.
  func explaining(_ error: DatabaseError) -> DatabaseError {
    guard error.resultCode == ResultCode(rawValue: code).primaryResultCode else { return error }
    var error = error
    error.message = "\(error.message ?? "") - \(message)"
    return error
  }
}

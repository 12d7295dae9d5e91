import CSQLite
import Foundation

extension Database {
  /// Is called for the errors that SQLite logs.
  public typealias LogErrorFunction =
    @Sendable (_ resultCode: ResultCode, _ message: String) -> Void

  private struct ErrorLog {
    var log: LogErrorFunction?
  }

  private static let errorLog = Locked(ErrorLog())

  /// Called for the errors and warnings that SQLite logs. Set it before SQLite is used: before the
  /// first connection is opened, and the first literal of a double is written.
  ///
  /// ```swift
  /// Database.logError = { code, message in print(code, message) }
  /// ```
  ///
  /// See <https://www.sqlite.org/errlog.html>.
  public static var logError: LogErrorFunction? {
    get { errorLog.withLock { $0.log } }
    set {
      errorLog.withLock { $0.log = newValue }
      guard newValue != nil else {
        _ = quarry_config_log(nil, nil)
        return
      }
      _ = unsafe quarry_config_log(
        { _, code, message in
          guard let message = unsafe message else { return }
          unsafe Database.logError?(ResultCode(rawValue: code), String(cString: message))
        }, nil)
    }
  }

  /// Whether a statement has not been reported yet. After a hundred reports, no other one is made.
  func isFirstReport(of sql: String) -> Bool {
    reports.count < 100 && reports.insert(BinaryText(sql)).inserted
  }

  /// Reports a mistake of the program that does not fail: to ``logError``, else to the standard
  /// error.
  static func warn(_ message: String) {
    if let logError { return logError(.SQLITE_WARNING, message) }
    FileHandle.standardError.write(Data("Quarry: \(message)\n".utf8))
  }
}

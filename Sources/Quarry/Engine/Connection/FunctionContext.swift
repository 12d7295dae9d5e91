import CSQLite
import Foundation

/// A call of a function by SQLite: its arguments, its result, and the state of its group.
///
/// See <https://www.sqlite.org/c3ref/context.html>.
@safe package struct FunctionContext {
  private let pointer: OpaquePointer

  package init?(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = unsafe pointer
  }

  /// The function that was registered.
  var function: DatabaseFunction? {
    unsafe Unmanaged<DatabaseFunction>.context(sqlite3_user_data(pointer))
  }

  static func arguments(
    _ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) -> [DatabaseValue] {
    unsafe UnsafeBufferPointer(start: values, count: Int(count)).map { value in
      unsafe value.map(DatabaseValue.init(sqliteValue:)) ?? .null
    }
  }

  package func setResult(_ result: () throws -> DatabaseValue) {
    do {
      set(try result())
    } catch {
      set(error)
    }
  }

  private func set(_ value: DatabaseValue) {
    if let reason = value.invalidReason {
      return set(DatabaseError(resultCode: .SQLITE_MISMATCH, message: reason))
    }
    switch value.storage {
    case .null: unsafe sqlite3_result_null(pointer)
    case .int64(let integer): unsafe sqlite3_result_int64(pointer, integer)
    case .double(let double): unsafe sqlite3_result_double(pointer, double)
    case .string(var text):
      text.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) {
          unsafe quarry_result_text_copy(pointer, $0.baseAddress ?? Self.noText, UInt64($0.count))
        }
      }
    case .blob(let data) where data.isEmpty: unsafe sqlite3_result_zeroblob(pointer, 0)
    case .blob(let data):
      unsafe data.withUnsafeBytes {
        unsafe quarry_result_blob_copy(pointer, $0.baseAddress, UInt64($0.count))
      }
    }
  }

  /// A null pointer would be NULL instead of an empty text.
  private static var noText: UnsafePointer<CChar>? { unsafe UnsafePointer(bitPattern: 1) }

  /// A database error keeps its code and its message, other errors are described.
  private func set(_ error: any Error) {
    let message = (error as? DatabaseError)?.message ?? "\(error)"
    unsafe sqlite3_result_error(pointer, message, -1)
    unsafe sqlite3_result_error_code(pointer, ResultCode(thrown: error).rawValue)
  }
}

extension ResultCode {
  /// The code for SQLite of an error that code of the application has thrown. A cancellation is no
  /// `SQLITE_INTERRUPT`, after which SQLite rolls the transaction back.
  package init(thrown error: any Error) {
    let code = (error as? DatabaseError)?.extendedResultCode ?? .SQLITE_ERROR
    let noErrors = [ResultCode.SQLITE_OK, .SQLITE_ROW, .SQLITE_DONE]
    self = noErrors.contains(code.primaryResultCode) ? .SQLITE_ERROR : code
  }
}

// The state of a group: SQLite keeps a pointer to it, zero before the first row.
extension FunctionContext {
  private typealias Cell = UnsafeMutablePointer<Unmanaged<AggregateState>?>

  private func cell(allocating: Bool) -> Cell? {
    let size = unsafe allocating ? CInt(MemoryLayout<Unmanaged<AggregateState>?>.size) : 0
    return unsafe sqlite3_aggregate_context(pointer, size)?
      .assumingMemoryBound(to: Unmanaged<AggregateState>?.self)
  }

  /// Changes the state of the group, which is made by the first row.
  func updateState(_ update: (AggregateState) throws -> Void) {
    guard let cell = unsafe cell(allocating: true) else {
      return unsafe sqlite3_result_error_nomem(pointer)
    }
    if unsafe cell.pointee == nil { unsafe cell.pointee = newState.map(Unmanaged.passRetained) }
    guard let state = unsafe cell.pointee?.takeUnretainedValue() else { return }
    do {
      try update(state)
    } catch {
      state.hasFailed = true
      set(error)
    }
  }

  private var newState: AggregateState? {
    switch function?.kind {
    case .aggregate(let make), .window(let make): make()
    default: nil
    }
  }

  /// Returns the value of the rows so far.
  func setCurrentValue() {
    guard let state = unsafe cell(allocating: false)?.pointee?.takeUnretainedValue() ?? newState
    else { return }
    setResult { try state.value() }
  }

  /// Ends the group. A group without row has a state that saw none.
  func setFinalValue() {
    let cell = unsafe cell(allocating: false)
    let kept = unsafe cell?.pointee
    unsafe cell?.pointee = nil
    guard let state = unsafe kept?.takeRetainedValue() ?? newState, !state.hasFailed else { return }
    setResult { try state.finalize() }
  }
}

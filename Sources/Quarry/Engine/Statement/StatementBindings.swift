/// The values bound to the parameters of a statement.
///
/// Values are packed before they are bound, and bound where they are, without a copy by SQLite. So
/// the pack that they are in must neither go nor change before the next binding, or the end of the
/// execution: it belongs to the bindings, or to a record that is written.
///
/// The statement has been reset when its bindings change.
struct StatementBindings: ~Copyable {
  var parameters: StatementParameters
  private let handle: StatementHandle

  /// The values that are bound, unless their owner keeps them.
  var values = PackedValues(capacity: 0, byteCapacity: 0)

  /// The arguments of the next execution, unless they are the values.
  private var given: StatementArguments?

  /// False when arguments are missing, or can't be stored.
  var isReady: Bool

  /// A mistake of the arguments that the execution throws.
  private var postponedError: (any Error)?

  /// The region of the request that has these arguments, if it is more than the region of the
  /// statement.
  var request: RequestRegion?

  /// Whether there are neither arguments nor bound values.
  private var isForgotten = true

  init(_ handle: StatementHandle, sql: String) {
    self.handle = handle
    parameters = StatementParameters(handle, sql: sql)
    isReady = parameters.count == 0
  }

  /// The arguments of the next execution.
  var arguments: StatementArguments {
    given ?? StatementArguments(values: values.values(in: 0..<values.count))
  }

  /// Throws when parameters have no value, or one that can't be stored.
  mutating func checkIsReady() throws {
    if let postponedError { throw postponedError }
    _ = try parameters.values(arguments)
    isReady = true
  }

  /// Accepts parameters without argument: C code may have bound them.
  mutating func assumeIsReady() throws {
    if let postponedError { throw postponedError }
    isForgotten = false
    isReady = true
  }

  /// Forgets all arguments: texts and blobs are freed.
  mutating func forget() {
    if isForgotten { return }
    isForgotten = true
    handle.clearBindings()
    values.removeAll()
    given = nil
    postponedError = nil
    isReady = parameters.count == 0
  }

  /// Binds the values of a range, without copying them, to the first parameters. The caller knows
  /// the statement: their number is not checked.
  @inline(__always)
  mutating func bind(_ range: Range<Int>, of values: borrowing PackedValues) throws {
    try unsafe didBind(values.bind(range, to: handle.pointer))
  }

  /// Binds the values at some indexes, counted from `start`, without copying them, and NULL without
  /// index.
  mutating func bind(_ indexes: [Int?], from start: Int, of values: borrowing PackedValues) throws {
    try unsafe didBind(values.bind(indexes, from: start, to: handle.pointer))
  }

  /// Begins with other values of its own: see ``bindValues()``.
  mutating func removeValues() {
    isForgotten = false
    values.removeAll()
    given = nil
    // Other arguments may name other rows by their keys.
    if request != nil { request?.limited = nil }
  }

  /// The statement can't be executed before its values are bound.
  mutating func leaveValues() {
    handle.clearBindings()
    isReady = false
  }

  /// Binds all values of its own.
  mutating func bindValues() throws {
    try unsafe didBind(values.bind(0..<values.count, to: handle.pointer))
  }

  /// Binds the arguments that fit the parameters.
  mutating func bind(_ newValues: [DatabaseValue], of arguments: StatementArguments) throws {
    removeValues()
    for value in newValues { values.append(value) }
    try bindValues()
    given = arguments
  }

  /// - parameter arguments: Kept, though they can't be executed.
  mutating func refuse(_ error: any Error, _ arguments: StatementArguments? = nil) {
    if let arguments { given = arguments }
    isForgotten = false
    postponedError = error
    isReady = false
  }

  @inline(__always)
  private mutating func didBind(_ failure: PackedValues.BindingFailure?) throws {
    isForgotten = false
    if let failure {
      // The other parameters may refer to bytes that go.
      forget()
      throw error(failure)
    }
    if !isReady { postponedError = nil }
    isReady = true
  }

  private func error(_ failure: PackedValues.BindingFailure) -> DatabaseError {
    let code = ResultCode(rawValue: failure.code)
    let reason = failure.value.invalidReason ?? code.errorString ?? "unknown reason"
    return DatabaseError(
      resultCode: code, message: "argument \(failure.parameter) can't be bound: \(reason)",
      sql: parameters.sql)
  }
}

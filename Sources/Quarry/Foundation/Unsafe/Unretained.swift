/// A reference that is not counted.
///
/// *Assumption*: the object exists whenever the reference is used. Each place that has one says
/// why: the object clears it before it goes. *Check*: `ReleasedConnectionTests` for the connection
/// of a statement, `RunningStatementTests` for the statements of a connection,
/// `ChangeRecorderTests` for the connection of a session, all also under the address sanitizer.
/// *Figure*: with counted references to the connection, the running statements and the row, a fetch
/// by key takes 250 instructions more. A counted reference to the row of a cursor would be a second
/// owner: the row would be copied before each step, which takes 2,700 instructions.
@safe package struct Unretained<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  package init(_ object: Object) { unsafe reference = unsafe .passUnretained(object) }

  /// The object, counted while the caller has it.
  package var object: Object { unsafe reference.takeUnretainedValue() }

  /// Calls `body` with the object, which is not counted meanwhile: `body` must not release the last
  /// reference to it.
  @inline(__always) func use<T>(_ body: (Object) throws -> T) rethrows -> T {
    try unsafe reference._withUnsafeGuaranteedRef { try body($0) }
  }

  func refers(to other: Object) -> Bool {
    unsafe reference.toOpaque() == Unmanaged.passUnretained(other).toOpaque()
  }
}

/// An observation, or another activity, that can be stopped.
public protocol DatabaseCancellable: Sendable {
  /// Stops the activity. Returns immediately, on any thread; a second call does nothing.
  func cancel()
}

/// An activity that stops when it is canceled, or when this object is released.
///
/// ```swift
/// let cancellable = observation.start(in: dbQueue) { error in
///   print(error)
/// } onChange: { books in
///   print(books)
/// }
/// cancellable.cancel()
/// ```
public final class AnyDatabaseCancellable: DatabaseCancellable {
  private let action: Locked<(@Sendable () -> Void)?>

  /// Creates an object that runs a closure: once, when it is canceled or released.
  public init(cancel: @escaping @Sendable () -> Void) { action = Locked(cancel) }

  /// Hides the type of another cancellable.
  public convenience init(_ base: some DatabaseCancellable) { self.init { base.cancel() } }

  deinit { cancel() }

  /// Stops the activity, and releases the objects that it refers to.
  public func cancel() { action.withLock { $0.take() }?() }
}

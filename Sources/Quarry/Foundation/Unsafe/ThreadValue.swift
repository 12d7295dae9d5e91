import Foundation

/// A value that each thread has for itself.
///
/// *Assumption*: only its own thread uses the memory of a value, which is freed when the thread
/// ends. Values are plain bits: nothing is released then. References among them are ``Unretained``:
/// `with` sets one for the time of a call, whose caller has the object.
/// *Check*: the type of the value, when the variable is made; `ThreadValueTests`; the tests of
/// observers that stop observing, and `EscapedEncoderTests`.
/// *Figure*: the dictionary of a thread takes 200 ns, for each record that is encoded and each
/// change that an observer is notified of.
@safe struct ThreadValue<Value>: @unchecked Sendable {
  private let key: pthread_key_t
  private let initial: Value

  /// - parameter initial: The first value of each thread.
  init(_ initial: Value) {
    precondition(_isPOD(Value.self))
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key) { unsafe free($0) }
    precondition(code == 0, "no thread-local storage is left")
    self.key = key
    self.initial = initial
  }

  /// The value of the current thread.
  var value: Value {
    get { unsafe place.pointee }
    nonmutating set { unsafe place.pointee = newValue }
  }

  /// Sets the value of the current thread while `body` runs.
  @inline(__always) func with<T>(_ value: Value, _ body: () throws -> T) rethrows -> T {
    let place = unsafe place
    let outer = unsafe place.pointee
    unsafe place.pointee = value
    defer { unsafe place.pointee = outer }
    return try body()
  }

  @inline(__always) private var place: UnsafeMutablePointer<Value> {
    if let known = unsafe pthread_getspecific(key) {
      return unsafe known.assumingMemoryBound(to: Value.self)
    }
    return unsafe makePlace()
  }

  private func makePlace() -> UnsafeMutablePointer<Value> {
    let new = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe new.initialize(to: initial)
    unsafe pthread_setspecific(key, new)
    return unsafe new
  }
}

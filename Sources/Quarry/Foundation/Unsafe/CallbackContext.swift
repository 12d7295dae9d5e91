/// The objects that callbacks of SQLite get as their contexts.
///
/// *Assumption*: SQLite passes the pointer that it was given with the callback, and the object
/// lives as long as the callback is registered: it is kept by the code that registers it, or SQLite
/// has a reference that `releaseContext` ends. *Check*: the tests of hooks, functions, collations,
/// modules and tokenizers, under the address sanitizer. *Figure*: none, contexts are pointers in C.
extension Unmanaged {
  @inline(__always) static func context(_ pointer: UnsafeRawPointer?) -> Instance? {
    unsafe pointer.map { unsafe fromOpaque($0).takeUnretainedValue() }
  }
}

extension Unmanaged<AnyObject> {
  /// Ends the reference that SQLite has to the context of a callback.
  static var releaseContext: @convention(c) (UnsafeMutableRawPointer?) -> Void {
    { context in
      if let context = unsafe context { unsafe Unmanaged.fromOpaque(context).release() }
    }
  }
}

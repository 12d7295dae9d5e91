import CSQLite

/// The stack of the current thread, which deep recursion may exhaust: secondary threads of Apple's
/// systems have 512 KB.
///
/// *Assumption*: the stack grows downwards, within the bounds that the system reports.
/// *Check*: the tests of deep requests, on threads of 512 KB (`SmallStack`).
/// *Gain*: an error where the program would stop.
package enum ThreadStack {
  /// False if there is hardly any stack left: recursion has to end.
  package static var hasSpace: Bool {
    let bounds = bounds
    let address = quarry_frame_address()
    // Out of bounds: the stack of a fiber, which nothing is known of.
    guard bounds.contains(address) else { return true }
    return address - bounds.lowerBound > reserve
  }

  /// The bytes that are left for the levels that are not checked, and for SQLite, which reads the
  /// schema.
  #if DEBUG
    private static let reserve: UInt = 128 * 1024
  #else
    private static let reserve: UInt = 64 * 1024
  #endif

  /// The addresses of the stack. Asked for once per thread: on the main thread of Linux, that takes
  /// long.
  private static var bounds: Range<UInt> {
    if let known = knownBounds.value { return known }
    var (bottom, top) = (UInt(0), UInt(0))
    let bounds = unsafe quarry_stack_bounds(&bottom, &top) == 0 ? bottom..<top : 0..<0
    knownBounds.value = bounds
    return bounds
  }

  private static let knownBounds = ThreadValue<Range<UInt>?>(nil)
}

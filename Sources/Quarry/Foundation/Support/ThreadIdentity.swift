import Foundation

/// The identity of a thread.
///
/// The system gives the identity of a thread that has ended to another one. Identities are only
/// kept while their thread runs the closure of an access, or cleans up after one: it can't end
/// before that.
struct ThreadIdentity: Equatable {
  private let thread: pthread_t

  static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

  /// The identity as a number, which is not zero.
  var bits: UInt {
    #if canImport(Glibc)
      UInt(thread)
    #else
      UInt(bitPattern: thread)
    #endif
  }

  static func == (lhs: ThreadIdentity, rhs: ThreadIdentity) -> Bool {
    pthread_equal(lhs.thread, rhs.thread) != 0
  }
}

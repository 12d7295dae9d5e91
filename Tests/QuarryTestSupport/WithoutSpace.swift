import Foundation

#if os(Linux)
  /// Calls `body` while no file of the process grows: an error of output for SQLite, which rolls
  /// back.
  ///
  /// Only in a process of its own: in a test of an exit.
  public func withoutSpace<T>(_ body: () throws -> T) rethrows -> T {
    signal(SIGXFSZ, SIG_IGN)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
    setrlimit(resource, &none)
    defer { setrlimit(resource, &limit) }
    return try body()
  }
#endif

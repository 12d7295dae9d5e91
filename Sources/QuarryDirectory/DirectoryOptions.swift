/// How many databases of a directory are open, how long, and whether accesses create them.
///
/// ```swift
/// var options = DirectoryOptions()
/// options.limit = 200
/// options.idleDuration = .seconds(60)
/// let directory = try DatabaseDirectory(path: "/data/tenants", options: options) { _, path in
///   try DatabaseQueue(path: path)
/// }
/// ```
public struct DirectoryOptions: Sendable {
  /// The number of databases that may be open at once, 64 by default.
  ///
  /// Another one is opened after the one that was used least recently is closed. Databases in use
  /// are never closed: if all are, the access waits for one, up to ``waitDuration``.
  ///
  /// Choose it by the limit on open files (`ulimit -n`): a queue in WAL mode takes 3, a pool 3 and
  /// 2 more for each reader.
  public var limit = 64

  /// The time after which a database that is not in use is closed, five minutes by default. Nil to
  /// close it for another one only.
  ///
  /// A database that can't be closed, since a statement is still in use, stays open. It is tried
  /// again after this time, and when another database needs its place. If no other one can be
  /// closed, that access waits for those in use, up to ``waitDuration``. It throws if none is.
  /// While one is, an access tries each database once, and then waits for a use that ends.
  public var idleDuration: Duration? = .seconds(300)

  /// The longest time that an access waits while as many databases as may be open are in use, or
  /// can't be closed, ten seconds by default. `close()` waits as long for accesses.
  public var waitDuration: Duration = .seconds(10)

  /// Whether an access creates a database that is missing. False by default: it throws
  /// ``DirectoryError``, and `create(_:)` makes databases.
  public var createsMissing = false

  /// The default options.
  public init() {}

  func check() throws(DirectoryError) {
    guard limit >= 1 else {
      throw DirectoryError(
        .invalidOption, "`limit` is \(limit): at least 1 database must be allowed to be open")
    }
    guard waitDuration >= .zero, idleDuration ?? .zero >= .zero else {
      throw DirectoryError(
        .invalidOption,
        "`waitDuration` or `idleDuration` is negative: they are zero or more, and a nil "
          + "`idleDuration` keeps databases open")
    }
  }
}

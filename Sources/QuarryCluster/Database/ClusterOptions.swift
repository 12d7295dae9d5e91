/// The times and the behavior that only clusters have.
public struct ClusterOptions: Sendable {
  /// The longest time for one answer of a node. 30 seconds by default: the longest time of a
  /// statement, but for its rows.
  public var answerTimeout: Duration = .seconds(30)

  /// The longest time for finding a leader, and for running lost transactions again. 10 seconds by
  /// default.
  public var electionTimeout: Duration = .seconds(10)

  /// Whether the closures of `read` and `write` run again when their transaction was lost before
  /// its commit. True by default.
  public var repeatsTransactions = true

  /// How often observations look for commits of other clients. A second by default, nil for never.
  /// Nothing is asked while nothing is observed. The longest interval is a year.
  public var pollInterval: Duration? = .seconds(1)

  /// Creates the default options.
  public init() {}
}

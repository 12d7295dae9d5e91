/// The uses of a database in which processes are killed.
public enum KillUse: String, CaseIterable, Sendable {
  /// Migrations with rebuilds, and transactions.
  case migrations
  /// Transactions; in a pool, with four threads that read.
  case transactions
  /// Batches of records.
  case batches
  /// Rebuilds of a table.
  case rebuilds
  /// Transaction observers and value observations.
  case observers
  /// Two processes that write transactions.
  case processes

  /// The names of the processes that run at the same time.
  var processes: [String] { self == .processes ? ["a", "b"] : ["a"] }

  /// The use as the program KillTarget names it.
  var argument: String { self == .processes ? "transactions" : rawValue }

  /// How many entries a transaction has.
  func entryCount(_ number: Int) -> Int { self == .batches ? 100 + number % 50 : 10 }
}

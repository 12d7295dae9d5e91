public import Quarry

/// The bookshop database that tests share: they read it, and nothing else. It is in memory,
/// whatever the test that asks first: nothing releases it, so that a file would stay.
public enum SharedBookshop {
  private static let database = Result { () throws -> AnyDatabaseWriter in
    try ConnectionKind.$current.withValue(.memory) {
      try makeBookshopDatabase(configuration: configuration)
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.conflictingAggregates = .allowed
    return configuration
  }

  /// Reads the database.
  public static func read<T: Sendable>(_ body: (Database) throws -> T) throws -> T {
    try database.get().read(body)
  }
}

public import Quarry

/// Records the statements that connections execute.
public final class SQLRecorder: Sendable {
  private let log = Log<String>()

  /// Creates a recorder.
  public init() {}

  /// A configuration whose connections are recorded from their preparation on.
  public func recording(_ configuration: Configuration = Configuration()) -> Configuration {
    var configuration = configuration
    let log = self.log
    configuration.prepareDatabase { db in
      db.trace { event in
        if case .statement(let statement) = event { log.append(statement.sql) }
      }
    }
    return configuration
  }

  /// The statements recorded since the last call.
  public func take() -> [String] {
    let statements = log.elements
    log.removeAll()
    return statements
  }
}

/// One way to do the work of the lines: by hand, with Quarry, with GRDB.
public protocol Contender {
  /// Opens the database that all contenders share.
  init(path: String) throws

  /// One pass over a line, or nil where the feature does not exist yet.
  func pass(for line: Line) -> Pass?
}

/// Work to time, and what must happen before it.
public struct Pass {
  /// A checksum of what a pass produced. It keeps the product alive and runs after the clock.
  public typealias Outcome = () throws -> UInt64

  /// Brings the database into the state that `run` expects. Not timed.
  public let prepare: () throws -> Void

  /// The timed work.
  public let run: () throws -> Outcome

  public init(prepare: @escaping () throws -> Void = {}, run: @escaping () throws -> Outcome) {
    self.prepare = prepare
    self.run = run
  }
}

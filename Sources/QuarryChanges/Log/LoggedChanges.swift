public import Foundation
import Quarry

/// The changes of a transaction, as a ``ChangeLog`` has them.
public struct LoggedChanges: Codable, Hashable, Sendable {
  /// The database where the transaction was committed.
  public let origin: String

  /// The number of the transaction among those of its origin, from 1, without gaps.
  public let sequence: Int64

  /// When it was committed, in microseconds since 1970: by the clock of its origin, but after all
  /// that the origin had received.
  public let time: Int64

  /// For each other database, the last transaction that the origin had received.
  public let context: [String: Int64]

  /// The changes. Updates have all columns.
  public let changes: Changeset

  /// The columns of the tables at the origin. Nil where an earlier version has logged them.
  let columns: RecordedColumns?

  /// When it was committed. See ``time``.
  public var date: Date { Self.date(time) }

  static func date(_ time: Int64) -> Date { Date(timeIntervalSince1970: Double(time) / 1_000_000) }

  /// Whether the origin had seen a version when it committed the transaction.
  func covers(_ version: LogVersion) -> Bool {
    let seen = version.origin.hasSameBytes(as: origin) ? sequence : context[version.origin] ?? 0
    return seen >= version.sequence
  }
}

/// What a ``ChangeLog`` sends to another one.
///
/// ```swift
/// let message = try JSONEncoder().encode(batch)
/// ```
public struct ChangeBatch: Codable, Hashable, Sendable {
  /// The database that sends it.
  public let sender: String

  /// The transactions, in the order in which the sender has committed or received them.
  public let transactions: [LoggedChanges]

  /// The position in the log of the sender after the batch, where the next one begins.
  public let position: Int64

  /// The position in the log of the sender before the batch.
  public let start: Int64

  /// Whether the log of the sender has no more.
  public let isLast: Bool
}

public import Foundation

/// Determines the date of a transaction.
public protocol TransactionClock: Sendable {
  /// The date for a transaction that begins.
  func now(_ db: Database) throws -> Date
}

/// A clock that returns the current date.
public struct DefaultTransactionClock: TransactionClock {
  /// The current date.
  public func now(_ db: Database) throws -> Date { Date() }
}

/// A clock made of a function.
public struct CustomTransactionClock: TransactionClock {
  private let function: @Sendable (Database) throws -> Date

  /// Creates a clock from a function.
  public init(_ now: @escaping @Sendable (Database) throws -> Date) { function = now }

  /// The date that the function returns.
  public func now(_ db: Database) throws -> Date { try function(db) }
}

extension TransactionClock where Self == DefaultTransactionClock {
  /// A clock that returns the current date.
  public static var `default`: DefaultTransactionClock { DefaultTransactionClock() }
}

extension TransactionClock where Self == CustomTransactionClock {
  /// A clock made of a function.
  public static func custom(_ now: @escaping @Sendable (Database) throws -> Date) -> Self {
    CustomTransactionClock(now)
  }
}

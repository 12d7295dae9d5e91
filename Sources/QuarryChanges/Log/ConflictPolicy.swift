public import Foundation
public import Quarry

/// What a row is after several databases have changed it, none of which had seen the change of
/// another.
///
/// ```swift
/// // The last writer wins, unless one has deleted the row: then it is gone.
/// let policy = ConflictPolicy { conflict in
///   conflict.versions.contains { $0.row == nil } ? nil : conflict.versions.last?.row
/// }
/// ```
///
/// All databases must have the same policy. Each one calls it with the same versions, in the same
/// order, so that they agree, if the result depends on nothing else: neither the date, nor the
/// locale, nor the database.
public struct ConflictPolicy: Sendable {
  let resolve: (@Sendable (RowConflict) throws -> Row?)?

  /// The version with the latest time, which may be a deletion. Where times are equal, the name of
  /// the database that comes last by its bytes decides.
  public static let lastWriterWins = ConflictPolicy(resolve: nil)

  private init(resolve: (@Sendable (RowConflict) throws -> Row?)?) { self.resolve = resolve }

  /// A policy of one's own.
  ///
  /// - parameter resolve: Returns the row, nil if it is deleted. It has the columns of the table,
  ///   and the key of the versions. It satisfies the constraints of the table: where it does not,
  ///   nothing is received.
  public init(_ resolve: @escaping @Sendable (RowConflict) throws -> Row?) {
    self.init(resolve: resolve)
  }
}

/// A row that several databases have changed, none of which had seen the change of another.
public struct RowConflict {
  /// The name of the table.
  public let table: String

  /// The versions, two or more, the one with the latest time last.
  ///
  /// They stay until a database that has received all of them changes the row.
  public let versions: [RowVersion]
}

/// A version of a row.
public struct RowVersion {
  /// The database that has made it.
  public let origin: String

  /// When it was made, by the clock of its database, but after all that it had seen.
  public let date: Date

  /// The row, nil where the version is its deletion.
  public let row: Row?
}

extension ConflictPolicy {
  /// The row that versions make, the newest one last.
  func row(_ versions: [LogVersion], of table: LogTable) throws -> [DatabaseValue]? {
    // Those from before a migration have the defaults of the columns that came with it: always,
    // since what the table happens to have depends on the order in which versions come.
    let versions = versions.map { version in
      version.with(version.values.map { $0 + table.defaults.dropFirst($0.count) })
    }
    guard let resolve, versions.count > 1, versions.contains(where: { $0.values != nil }) else {
      return versions.last?.values
    }
    let row = try resolve(
      RowConflict(table: table.name, versions: versions.map { RowVersion($0, table) }))
    guard let row else { return nil }
    let values = try table.columns.map { column in
      guard let value = row[column] as DatabaseValue? else { throw Self.missing(column, table) }
      return value
    }
    let key = RowKey(table, values)
    guard versions.allSatisfy({ $0.values.map { RowKey(table, $0) == key } ?? true }) else {
      throw ChangesetError(
        .conflict,
        "the conflict policy returns a row of \(table.name) with another key than its versions",
        table: table.name)
    }
    return values
  }

  private static func missing(_ column: String, _ table: LogTable) -> ChangesetError {
    ChangesetError(
      .conflict,
      "the conflict policy returns a row of \(table.name) without the column \(column): return one with "
        + "all columns of the table", table: table.name, column: column)
  }
}

extension RowVersion {
  fileprivate init(_ version: LogVersion, _ table: LogTable) {
    origin = version.origin
    date = LoggedChanges.date(version.time)
    row = version.values.map { Row(columnNames: table.columns, values: $0) }
  }
}

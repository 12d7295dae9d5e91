import Foundation
public import Quarry

/// A change of a row.
///
/// ```swift
/// for change in changeset.changes where change.table == "book" {
///   // update [1] Optional("Emma")
///   print(change.kind, change.key, change.newValues?[1])
/// }
/// ```
public struct Change: Hashable, Sendable {
  /// The kind of change. The raw values are SQLite's.
  public enum Kind: CInt, Sendable {
    /// The row is inserted.
    case insert = 18
    /// The row is deleted.
    case delete = 9
    /// The row is updated.
    case update = 23
  }

  /// The name of the table, as it is declared.
  public let table: String

  /// The kind of change.
  public let kind: Kind

  /// Whether a trigger or a foreign key action has made it.
  public let isIndirect: Bool

  /// The positions of the columns of the primary key.
  public let keyColumns: [Int]

  /// For each column the value before the change. Nil for an insertion.
  ///
  /// An update has the values of its key, and of the columns that it changes: others are nil. So
  /// are all but those of the key in a patchset.
  public let oldValues: [DatabaseValue?]?

  /// For each column the value after the change. Nil for a deletion.
  ///
  /// An update has the values of the columns that it changes: others are nil.
  public let newValues: [DatabaseValue?]?

  /// The values of the primary key, in the order of the columns of the table. The key of a row does
  /// not change: SQLite records a deletion and an insertion then.
  public var key: [DatabaseValue] {
    let values = oldValues ?? newValues ?? []
    return keyColumns.map { (values.indices.contains($0) ? values[$0] : nil) ?? .null }
  }

  /// The number of columns.
  public var columnCount: Int { (newValues ?? oldValues ?? []).count }

  /// The positions of the columns that an update sets: of all columns, for other changes.
  public var changedColumns: [Int] {
    guard kind == .update, let newValues else { return Array(0..<columnCount) }
    return newValues.indices.filter { newValues[$0] != nil }
  }
}

extension Change: CustomStringConvertible {
  /// The kind, the table and the key, such as `update book [1]`.
  public var description: String {
    "\(kind) \(table) [\(key.map(\.description).joined(separator: ", "))]"
  }
}

extension Change {
  init(_ table: ChangesetTable, _ change: ChangesetReader.RawChange, _ bytes: [UInt8]) {
    self.init(
      table: table.name, kind: change.kind, isIndirect: change.isIndirect,
      keyColumns: table.keyColumns,
      oldValues: change.old?.map { $0.map { DatabaseValue($0, in: bytes) } },
      newValues: change.new?.map { $0.map { DatabaseValue($0, in: bytes) } })
  }
}

extension DatabaseValue {
  /// The value at a place of a changeset, which was checked.
  init(_ range: Range<Int>, in bytes: [UInt8]) {
    switch bytes[range.lowerBound] {
    case 1: self = Int64(bitPattern: Self.word(range, bytes)).databaseValue
    case 2: self = Double(bitPattern: Self.word(range, bytes)).databaseValue
    case 3:
      self =
        String(decoding: ChangesetBytes.content(range, in: bytes), as: UTF8.self)
        .databaseValue
    case 4: self = Data(ChangesetBytes.content(range, in: bytes)).databaseValue
    default: self = .null
    }
  }

  private static func word(_ range: Range<Int>, _ bytes: [UInt8]) -> UInt64 {
    bytes[range.dropFirst()].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

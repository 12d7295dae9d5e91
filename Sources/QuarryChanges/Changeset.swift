public import Foundation
public import Quarry

/// Changes of rows, as a value: recorded in one database, they are applied to another one,
/// inverted, combined, filtered, and stored.
///
/// ```swift
/// let changeset = try dbQueue.write { db in
///   try db.recordChanges {
///     try db.execute(sql: "UPDATE book SET price = 12 WHERE id = 1")
///   }
/// }
/// try other.write { db in try changeset.apply(to: db) }
/// ```
///
/// The bytes have SQLite's format, which other programs read and write. They are checked when a
/// changeset is created from them: those that are cut off or damaged throw, and never reach SQLite.
///
/// A *patchset* is smaller: it has no old values but those of keys. So it can't be inverted, and
/// differences to the rows that it changes are not noticed.
///
/// See <https://www.sqlite.org/sessionintro.html>.
public struct Changeset: Hashable, Sendable {
  let bytes: [UInt8]

  /// Whether it is a patchset: false where there is no change.
  public let isPatchset: Bool

  /// No changes.
  public init() {
    bytes = []
    isPatchset = false
  }

  /// A changeset or patchset in SQLite's format.
  ///
  /// - throws: ``ChangesetError`` with the position of the first byte that is wrong.
  public init(data: Data) throws { try self.init(bytes: Array(data)) }

  init(bytes: [UInt8]) throws {
    var reader = ChangesetReader(bytes)
    guard try reader.next() != nil else {
      // SQLite's rebaser leaves the header of a table whose changes it drops.
      self.init()
      return
    }
    while try reader.next() != nil {}
    self.init(checked: bytes, isPatchset: reader.isPatchset)
  }

  init(checked bytes: [UInt8], isPatchset: Bool) {
    self.bytes = bytes
    // Without changes, the bytes don't say what they are.
    self.isPatchset = isPatchset && !bytes.isEmpty
  }

  /// The bytes, in SQLite's format.
  public var data: Data { Data(bytes) }

  /// The number of bytes.
  public var byteCount: Int { bytes.count }

  /// Whether there is no change.
  public var isEmpty: Bool { bytes.isEmpty }
}

extension Changeset: Codable {
  /// Decodes the bytes, and checks them.
  ///
  /// - throws: `DecodingError` for bytes that are no changeset.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let data = try container.decode(Data.self)
    do {
      try self.init(data: data)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Encodes the bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(data)
  }
}

extension Changeset: DatabaseValueConvertible {
  /// A blob.
  public var databaseValue: DatabaseValue { data.databaseValue }

  /// The changeset of a blob, nil for all that is none.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Changeset? {
    Data.fromDatabaseValue(value).flatMap { try? Changeset(data: $0) }
  }
}

extension Changeset: CustomStringConvertible {
  /// One line for each change, such as `update book [1]`.
  public var description: String {
    isEmpty ? "no changes" : changes.map(\.description).joined(separator: "\n")
  }
}

extension Changeset {
  /// The changes, table by table.
  ///
  /// All of them are decoded: for very many, see ``forEach(_:)``.
  public var changes: [Change] {
    var changes: [Change] = []
    forEach { changes.append($0) }
    return changes
  }

  /// The number of changes.
  public var count: Int {
    var count = 0
    read { _, _ in count += 1 }
    return count
  }

  /// The names of the tables, as they are declared.
  public var tables: [String] { readTables().map(\.name) }

  /// Calls a function with each change, one after the other.
  ///
  /// - throws: the error of the function.
  public func forEach(_ body: (Change) throws -> Void) rethrows {
    try read { table, change in try body(Change(table, change, bytes)) }
  }

  func readTables() -> [ChangesetTable] {
    var reader = ChangesetReader(bytes)
    return Self.checked { try reader.tables() }
  }

  func read(_ body: (ChangesetTable, ChangesetReader.RawChange) throws -> Void) rethrows {
    var reader = ChangesetReader(bytes)
    while let change = Self.checked({ try reader.next() }), let table = reader.table {
      try body(table, change)
    }
  }

  /// The bytes have been checked: an error is impossible.
  private static func checked<T>(_ read: () throws -> T) -> T {
    do { return try read() } catch { preconditionFailure("\(error)") }
  }

  /// The changes that a function accepts.
  ///
  /// ```swift
  /// let books = changeset.filtered { $0.table == "book" }
  /// ```
  ///
  /// - throws: the error of the function.
  public func filtered(_ isIncluded: (Change) throws -> Bool) rethrows -> Changeset {
    try filteredRaw { table, change in try isIncluded(Change(table, change, bytes)) }
  }

  func filteredRaw(
    _ isIncluded: (ChangesetTable, ChangesetReader.RawChange) throws -> Bool
  ) rethrows -> Changeset {
    var kept: [UInt8] = []
    var header: Range<Int>?
    try read { table, change in
      guard try isIncluded(table, change) else { return }
      if header != table.header {
        kept += bytes[table.header]
        header = table.header
      }
      kept += bytes[change.range]
    }
    return Changeset(checked: kept, isPatchset: isPatchset)
  }
}

extension Changeset {
  /// Writes the bytes to a file, in place of what it contains.
  ///
  /// - throws: the error of Foundation.
  public func write(to url: URL) throws { try data.write(to: url, options: .atomic) }

  /// Reads a file.
  ///
  /// - throws: ``ChangesetError`` for a file that is no changeset, and the error of Foundation.
  public init(contentsOf url: URL) throws { try self.init(data: Data(contentsOf: url)) }
}

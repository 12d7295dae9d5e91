public import Quarry

/// A column of a ``VirtualTable``.
///
/// ```swift
/// let columns = [
///   VirtualTableColumn("isbn", .text).primaryKey(),
///   VirtualTableColumn("title", .text).collate(.nocase),
///   VirtualTableColumn("price"),
/// ]
/// ```
public struct VirtualTableColumn: Hashable, Sendable {
  /// The name of the column, as it is: SQL has to quote it as any identifier.
  public var name: String

  /// The type of the column. It gives the column an affinity, which applies to comparisons, and not
  /// to the values that the table returns. See <https://www.sqlite.org/datatype3.html>.
  public var type: Database.ColumnType?

  /// The collation of the column: that of SQLite, by default.
  public private(set) var collation: Database.CollationName?

  private(set) var role = Role.regular

  enum Role: Hashable, Sendable {
    case regular, primaryKey, hidden
    case parameter(isOptional: Bool)
  }

  /// Creates a column.
  public init(_ name: String, _ type: Database.ColumnType? = nil) {
    self.name = name
    self.type = type
  }

  /// Creates a parameter of a table-valued function: a hidden column whose value is an argument.
  ///
  /// ```swift
  /// // SELECT value FROM digits(2048)
  /// // SELECT value FROM digits WHERE number = 2048
  /// let columns = [VirtualTableColumn("value"), .parameter("number")]
  /// ```
  ///
  /// A statement that gives no argument to a parameter throws, unless it is optional. There is no
  /// row for an argument that is NULL.
  ///
  /// See <https://www.sqlite.org/vtab.html#table_valued_functions>.
  public static func parameter(
    _ name: String, _ type: Database.ColumnType? = nil, isOptional: Bool = false
  ) -> Self {
    var column = Self(name, type)
    column.role = .parameter(isOptional: isOptional)
    return column
  }

  /// The column, as one that makes the primary key of the table, alone or with others. Such a table
  /// has no rowid.
  ///
  /// See <https://www.sqlite.org/vtab.html#without_rowid_virtual_tables>.
  public func primaryKey() -> Self { with { $0.role = .primaryKey } }

  /// The column, as one that `SELECT *` does not return.
  public func hidden() -> Self { with { $0.role = .hidden } }

  /// The column, with another collation.
  public func collate(_ collation: Database.CollationName) -> Self {
    with { $0.collation = collation }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var column = self
    change(&column)
    return column
  }
}

extension VirtualTableColumn {
  var isParameter: Bool { if case .parameter = role { true } else { false } }

  var isRequired: Bool { role == .parameter(isOptional: false) }

  var isPrimaryKey: Bool { role == .primaryKey }

  /// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  package enum Affinity {
    case none, text, integer, real, numeric

    package var isOfNumbers: Bool { self != .none && self != .text }
  }

  package var affinity: Affinity {
    let name = type?.rawValue.uppercased() ?? ""
    func contains(_ words: String...) -> Bool { words.contains { name.contains($0) } }
    if contains("INT") { return .integer }
    if contains("CHAR", "CLOB", "TEXT") { return .text }
    if name.isEmpty || contains("BLOB") { return .none }
    return contains("REAL", "FLOA", "DOUB") ? .real : .numeric
  }

  /// The declaration of the column. The word HIDDEN is part of the type for SQLite.
  package var sql: String {
    var sql = name.quotedDatabaseIdentifier
    if let type, !type.rawValue.isEmpty { sql += " \(type.rawValue)" }
    if role == .hidden || isParameter { sql += " HIDDEN" }
    if let collation { sql += " COLLATE \(collation.rawValue.quotedDatabaseIdentifier)" }
    return sql
  }
}

extension [VirtualTableColumn] {
  /// The declaration that SQLite asks for. See <https://www.sqlite.org/c3ref/declare_vtab.html>.
  var declaration: String {
    let key = filter(\.isPrimaryKey).map(\.name).quotedDatabaseIdentifiers
    let columns = map(\.sql).joined(separator: ", ")
    guard !key.isEmpty else { return "CREATE TABLE x(\(columns))" }
    return "CREATE TABLE x(\(columns), PRIMARY KEY (\(key))) WITHOUT ROWID"
  }

  /// Throws for columns that SQLite would refuse, or understand in another way.
  func check(isWritable: Bool) throws {
    guard contains(where: { !$0.isParameter }) else { throw Self.fault("a table needs a column") }
    for column in self {
      guard !column.name.utf8.contains(0) else {
        throw Self.fault("a name can't contain a NUL character: \(column.name.debugDescription)")
      }
      guard column.type?.isPlain != false else {
        throw Self.fault("column \(column.name) has no valid type: \(column.type?.rawValue ?? "")")
      }
    }
    if let name = map(\.name).firstDuplicateIdentifier {
      throw Self.fault("duplicate column name: \(name)")
    }
    guard drop(while: { !$0.isParameter }).allSatisfy(\.isParameter) else {
      throw Self.fault("parameters must be the last columns")
    }
    guard !isWritable || count(where: \.isPrimaryKey) <= 1 else {
      throw Self.fault("a table that can be written to has one primary key column at most")
    }
  }

  private static func fault(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_ERROR, message: message)
  }
}

extension Database.ColumnType {
  /// True for words, maybe followed by numbers in parentheses: `TEXT`, `VARYING CHARACTER (255)`,
  /// `DECIMAL(10, 2)`.
  fileprivate var isPlain: Bool {
    let parts = rawValue.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].unicodeScalars.allSatisfy {
      $0 == " " || $0 == "_" || $0.isASCII && $0.properties.isAlphabetic
        || ("0"..."9").contains($0)
    }
    guard words, parts.count == 2 else { return words }
    let numbers = parts[1].dropLast().unicodeScalars
    return parts[1].hasSuffix(")") && !parts[0].allSatisfy { $0 == " " }
      && numbers.allSatisfy { " ,+-.".unicodeScalars.contains($0) || ("0"..."9").contains($0) }
  }
}

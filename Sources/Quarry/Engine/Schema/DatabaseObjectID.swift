/// A schema of a connection: `main`, `temp`, or an attached database.
public struct DatabaseSchemaID: Hashable, Sendable {
  /// The name of the schema.
  public let name: String

  /// Returns whether the names are the same, byte by byte.
  public static func == (lhs: DatabaseSchemaID, rhs: DatabaseSchemaID) -> Bool {
    lhs.name.hasSameBytes(as: rhs.name)
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(BinaryText(name)) }

  /// The main database.
  public static let main = DatabaseSchemaID(name: "main")

  /// The temporary database of the connection.
  public static let temp = DatabaseSchemaID(name: "temp")

  /// A database attached with `ATTACH DATABASE`.
  ///
  /// - parameter name: The name after `AS`.
  public static func attached(_ name: String) -> DatabaseSchemaID { DatabaseSchemaID(name: name) }
}

extension DatabaseSchemaID {
  /// A schema by the name that SQLite gives to it.
  init(sqlName: String) {
    switch sqlName.lowercased() {
    case "main": self = .main
    case "temp": self = .temp
    default: self = .attached(sqlName)
    }
  }

  /// The name of the table of SQLite that lists the objects of the schema.
  public var schemaTableName: String {
    switch self {
    case .main: "sqlite_master"
    case .temp: "sqlite_temp_master"
    default: "\(sqlName).sqlite_master"
    }
  }

  /// Quoted only where it must be.
  package var sqlName: String { self == .temp ? name : name.plainUnlessKeyword }

  /// SQLite compares the names of schemas without case.
  func isNamed(_ other: String) -> Bool { name.isSameIdentifier(as: other) }
}

/// A table, view, index or trigger, with the schema that it belongs to.
public struct DatabaseObjectID: Hashable, Sendable {
  /// The name of the object, as the schema spells it.
  public var name: String

  /// The schema of the object.
  public var schemaID: DatabaseSchemaID

  /// Creates an identifier.
  public init(name: String, schemaID: DatabaseSchemaID) {
    self.name = name
    self.schemaID = schemaID
  }

  /// Returns whether the names are the same, byte by byte, and the schemas.
  public static func == (lhs: DatabaseObjectID, rhs: DatabaseObjectID) -> Bool {
    lhs.name.hasSameBytes(as: rhs.name) && lhs.schemaID == rhs.schemaID
  }

  /// Hashes the name and the schema.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(BinaryText(name))
    hasher.combine(schemaID)
  }
}

extension DatabaseError {
  /// A constraint that a statement has violated, as data.
  ///
  /// ```swift
  /// do {
  ///   try db.execute(sql: "INSERT INTO player (name) VALUES ('Alice')")
  /// } catch let error as DatabaseError where error.constraint?.columns == ["name"] {
  ///   // UNIQUE constraint failed: player.name
  ///   print("This name is taken.")
  /// }
  /// ```
  ///
  /// SQLite reports a text. The names in it are compared with the schema, so that names with dots,
  /// commas and quotes are found.
  ///
  /// See <https://www.sqlite.org/rescode.html#constraint>.
  public struct Constraint: Hashable, Sendable {
    /// The kind of the constraint.
    public let kind: Kind

    /// The table that has the constraint. Nil when SQLite does not report it, as for deferred
    /// foreign keys.
    public let table: String?

    /// The columns of the constraint, in its order. Those of a check are the ones that its
    /// condition contains. Empty for indexes on expressions, and when they are not known.
    public let columns: [String]

    /// The name of the unique index that the application has made, or the one that the definition
    /// of the table gives to the constraint. The condition of a check is in
    /// ``DatabaseError/details``.
    public let name: String?

    init(_ kind: Kind, table: String? = nil, columns: [String] = [], name: String? = nil) {
      self.kind = kind
      self.table = table
      self.columns = columns
      self.name = name
    }

    /// The kinds of constraints.
    public enum Kind: Hashable, Sendable {
      /// A `UNIQUE` constraint, or a unique index.
      case unique

      /// A primary key.
      case primaryKey

      /// A `NOT NULL` constraint.
      case notNull

      /// A foreign key: its columns are those of the child table.
      case foreignKey

      /// A `CHECK` constraint.
      case check

      /// The type of a column of a `STRICT` table.
      case dataType

      /// A trigger has called `RAISE`: its message is the ``DatabaseError/message``.
      case trigger

      /// The rowid of a table without an integer primary key.
      case rowID

      /// Another one, such as those of virtual tables.
      case other
    }
  }
}

extension DatabaseError.Constraint.Kind {
  /// The kind of constraint that an extended result code stands for.
  init(_ code: ResultCode) {
    switch code {
    case .SQLITE_CONSTRAINT_UNIQUE: self = .unique
    case .SQLITE_CONSTRAINT_PRIMARYKEY: self = .primaryKey
    case .SQLITE_CONSTRAINT_NOTNULL: self = .notNull
    case .SQLITE_CONSTRAINT_FOREIGNKEY: self = .foreignKey
    case .SQLITE_CONSTRAINT_CHECK: self = .check
    case .SQLITE_CONSTRAINT_DATATYPE: self = .dataType
    case .SQLITE_CONSTRAINT_TRIGGER: self = .trigger
    case .SQLITE_CONSTRAINT_ROWID: self = .rowID
    default: self = .other
    }
  }
}

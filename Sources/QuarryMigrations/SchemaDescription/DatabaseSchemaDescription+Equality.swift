import Quarry

// Names and SQL are equal byte by byte, as they are for SQLite.

extension DatabaseSchemaDescription.TableDescription {
  /// Returns whether the tables have the same name, SQL, columns, keys and indexes.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.texts.hasSameTexts(as: rhs.texts) && lhs.columns == rhs.columns
      && lhs.foreignKeys == rhs.foreignKeys && lhs.indexes == rhs.indexes
      && lhs.hasRowID == rhs.hasRowID && lhs.isVirtual == rhs.isVirtual
  }

  private var texts: [String] { [name, sql] + primaryKey }
}

extension DatabaseSchemaDescription.ViewDescription {
  /// Returns whether the views have the same name, SQL and columns.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    [lhs.name, lhs.sql].hasSameTexts(as: [rhs.name, rhs.sql]) && lhs.columns == rhs.columns
  }
}

extension DatabaseSchemaDescription.Column {
  /// Returns whether the columns have the same name, type, constraints and default value.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    [lhs.name, lhs.type].hasSameTexts(as: [rhs.name, rhs.type])
      && lhs.defaultValueSQL.map { [$0] }.hasSameTexts(as: rhs.defaultValueSQL.map { [$0] })
      && lhs.isNotNull == rhs.isNotNull && lhs.isGenerated == rhs.isGenerated
  }
}

extension DatabaseSchemaDescription.ForeignKey {
  /// Returns whether the foreign keys have the same columns and actions.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.columns.hasSameTexts(as: rhs.columns)
      && lhs.destinationColumns.hasSameTexts(as: rhs.destinationColumns)
      && lhs.others.hasSameTexts(as: rhs.others)
  }

  private var others: [String] { [destinationTable, onDelete, onUpdate] }
}

extension DatabaseSchemaDescription.Index {
  /// Returns whether the indexes have the same name, SQL and terms.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.name.hasSameBytes(as: rhs.name)
      && lhs.sql.map { [$0] }.hasSameTexts(as: rhs.sql.map { [$0] }) && lhs.terms == rhs.terms
      && lhs.isUnique == rhs.isUnique && lhs.isPartial == rhs.isPartial && lhs.origin == rhs.origin
  }
}

extension DatabaseSchemaDescription.Index.Term {
  /// Returns whether the terms are the same column, in the same direction, with the same collation.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.column.map { [$0] }.hasSameTexts(as: rhs.column.map { [$0] })
      && lhs.isDescending == rhs.isDescending && lhs.collation.hasSameBytes(as: rhs.collation)
  }
}

extension DatabaseSchemaDescription.Trigger {
  /// Returns whether the triggers have the same name, table and SQL.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    [lhs.name, lhs.table, lhs.sql].hasSameTexts(as: [rhs.name, rhs.table, rhs.sql])
  }
}

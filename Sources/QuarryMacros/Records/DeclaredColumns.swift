#if Macros
  import Foundation
  public import Quarry

  extension _DeclaredColumn {
    /// The column of a property that stores itself.
    public init<Value: DatabaseValueConvertible>(
      _ name: String, _ type: Value.Type, isPrimaryKey: Bool = false
    ) {
      self.init(
        name, isOptional: isNullable(type), type: columnType(of: type), isPrimaryKey: isPrimaryKey)
    }

    /// The column of a property that is stored by a coding.
    public init<Value>(
      _ name: String, _ type: Value.Type, as coding: (some ColumnCoding).Type,
      isPrimaryKey: Bool = false
    ) {
      self.init(
        name, isOptional: isNullable(type), type: coding.columnType, isPrimaryKey: isPrimaryKey)
    }
  }

  private func isNullable(_ type: Any.Type) -> Bool { type is any ExpressibleByNilLiteral.Type }

  /// The type of a column for all values of a type, nil where it is not known.
  private func columnType(of type: Any.Type) -> Database.ColumnType? {
    if let type = type as? any WrappingType.Type { return columnType(of: type.wrappedType) }
    if let type = type as? any RawRepresentable.Type { return columnType(ofRawValues: type) }
    switch type {
    case is Bool.Type: return .boolean
    case let integer as any FixedWidthInteger.Type: return columnType(ofIntegers: integer)
    case is any BinaryFloatingPoint.Type: return .double
    case is String.Type, is URL.Type: return .text
    case is Date.Type: return .datetime
    case is Data.Type, is UUID.Type: return .blob
    default: return nil
    }
  }

  private func columnType<T: RawRepresentable>(ofRawValues type: T.Type) -> Database.ColumnType? {
    columnType(of: T.RawValue.self)
  }

  /// The library `QuarryValues` stores wide integers as blobs.
  private func columnType<T: FixedWidthInteger>(ofIntegers type: T.Type) -> Database.ColumnType {
    T.bitWidth > 64 ? .blob : .integer
  }

  /// `Optional`, for types that are known at run time.
  private protocol WrappingType {
    static var wrappedType: Any.Type { get }
  }

  extension Optional: WrappingType {
    static var wrappedType: Any.Type { Wrapped.self }
  }

  extension TableRecord where Self: _GeneratedRecord {
    /// Creates the table of a record by macro, for prototypes and tests: an application that keeps
    /// its database has migrations.
    ///
    /// ```swift
    /// // CREATE TABLE "player" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)
    /// try Player.createTable(db)
    /// ```
    ///
    /// Columns have the types of their properties, and are `NOT NULL` unless the property is
    /// optional. Foreign keys and indexes are missing.
    ///
    /// - Throws: `DatabaseError`, such as for a table that exists.
    public static func createTable(_ db: Database, options: TableOptions = []) throws {
      try db.create(table: databaseTableName, options: options) { table in
        for column in _columns {
          let definition = table.column(column.name, column.type)
          if column.isPrimaryKey { definition.primaryKey() }
          // SQLite accepts NULL in primary keys, except in integer ones.
          if !column.isOptional { definition.notNull() }
        }
      }
    }
  }
#endif

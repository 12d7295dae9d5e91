#if Macros
  public import Quarry

  extension Row {
    /// Decodes a column by position, or by name if the row has other columns than the record.
    @inlinable public func _decode<Coding: ColumnCoding>(
      by coding: Coding.Type, at index: Int, or columnName: @autoclosure () -> String, inOrder: Bool
    ) throws -> Coding.Value {
      if inOrder { return try Coding.value(in: self, atIndex: index) }
      guard let index = self.index(ofColumn: columnName()) else {
        throw missingColumnError(columnName())
      }
      return try Coding.value(in: self, atIndex: index)
    }

    /// Decodes a column that may be `NULL`, or missing.
    @inlinable public func _decodeIfPresent<Coding: ColumnCoding>(
      by coding: Coding.Type, at index: Int, or columnName: @autoclosure () -> String, inOrder: Bool
    ) throws -> Coding.Value? {
      guard let index = inOrder ? index : self.index(ofColumn: columnName()),
        !hasNull(atIndex: index)
      else { return nil }
      return try Coding.value(in: self, atIndex: index)
    }
  }

  extension PersistenceContainer {
    /// Sets a column, to `NULL` for nil: without overloads, which the compiler would try.
    @inlinable @inline(__always) public mutating func _set<Value: DatabaseValueConvertible>(
      _ columnName: String, to value: Value?
    ) { self[columnName] = value }

    /// Sets a column, to `NULL` for nil.
    @inlinable public mutating func _set<Coding: ColumnCoding>(
      _ columnName: String, to value: Coding.Value?, by coding: Coding.Type
    ) throws { self[columnName] = try value.map { try Coding.databaseValue(of: $0) } }
  }

  extension Row {
    /// The value of a typed column.
    ///
    /// ```swift
    /// let score = row[Player.Columns.score]  // an Int
    /// ```
    ///
    /// It stops the program where the column is missing or can't be converted, unless a record is
    /// being fetched: see `decode(_:)`.
    public subscript<Root, Value: DatabaseValueConvertible>(
      _ column: TypedColumn<Root, Value>
    ) -> Value {
      // A column that is missing is nil, or a failure, as it is without coding.
      guard case .coding = column.coding.form, let index = index(ofColumn: column.name) else {
        return self[column.untyped]
      }
      do {
        return try column.coding.decode(self, index)
      } catch {
        return fail(error)
      }
    }

    /// Decodes the value of a typed column.
    ///
    /// - Throws: ``Quarry/RowDecodingError``.
    public func decode<Root, Value>(_ column: TypedColumn<Root, Value>) throws -> Value {
      guard let index = index(ofColumn: column.name) else { throw missingColumnError(column.name) }
      return try column.coding.decode(self, index)
    }
  }
#endif

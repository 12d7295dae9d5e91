// The elements of prefetched rows. A record, or a type with properties, is decoded from its row,
// and a plain value from the first column: `var numbers: [Int64]`.

extension RecordDecoder {
  /// The decoder of the elements of a type from rows.
  func elementProperty<T: Decodable>(_ type: T.Type) -> PropertyDecoder<T> {
    if let optional = type as? any WrappingType.Type,
      let wrapped = optional.wrappedType as? any Decodable.Type
    {
      return known(optionalProperty(of: wrapped), as: PropertyDecoder<T>.self)
    }
    if let decode = PropertyDecoder<T>.recordDecoder {
      return PropertyDecoder(decode) { row in row.hasNullElement ? nil : try decode(row) }
    }
    guard context.hasColumns, let key = codingPath.last else { return rowProperty(type) }
    return context.valueProperty(type, 0) ?? codedProperty(type, key)
  }

  private func optionalProperty<T: Decodable>(of type: T.Type) -> AnyObject {
    elementProperty(type).optional
  }

  /// A type with properties.
  private func rowProperty<T: Decodable>(_ type: T.Type) -> PropertyDecoder<T> {
    let refusal = Embedding.refusal(of: type)
    // The decoder owns the property.
    return PropertyDecoder { [unowned self] _ in
      if let refusal { throw refusal }
      return try T(from: self)
    } ifPresent: { [unowned self] row in
      row.hasNullElement ? nil : try T(from: self)
    }
  }

  /// A type that decodes itself: from a single value, or from the row when it asks for a container.
  private func codedProperty<T: Decodable>(
    _ type: T.Type, _ key: any CodingKey
  ) -> PropertyDecoder<T> {
    let value = ColumnValueDecoder(context, column: 0, key: key, hasJSON: false)
    let properties = rowProperty(type)
    return PropertyDecoder { row in
      try value.decode(type, from: row, single: { $0 }, orContainer: properties.decode)
    } ifPresent: { row in
      do {
        return try value.decode(
          type, from: row, single: { $0 }, orContainer: properties.decodeIfPresent)
      } catch {
        if !value.didRequestContainer, row.isNull(at: 0) { return nil }
        throw error
      }
    }
  }
}

extension RowDecodingContext {
  var hasColumns: Bool { (try? row().count > 0) ?? false }
}

extension Row {
  /// Whether the element of a collection of optional values is nil: the columns that the
  /// application selects, and those of joined records, are NULL.
  var hasNullElement: Bool {
    zip(columnNames, databaseValues).allSatisfy { $1.isNull || $0.hasPrefix("grdb_") }
      && !scopes.contains { $0.row.containsNonNullValue }
  }
}

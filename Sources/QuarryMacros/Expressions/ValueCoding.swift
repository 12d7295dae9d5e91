#if Macros
  public import Quarry

  /// How the values of a typed expression are stored in the database, and read from it.
  public struct ValueCoding<Value>: Sendable {
    let form: StoredForm
    let encode: @Sendable (Value) throws -> DatabaseValue
    let decode: @Sendable (Row, Int) throws -> Value

    /// The expression of a value. One that can't be encoded makes the statement throw.
    func expression(_ value: Value) -> SQLExpression {
      do {
        return try encode(value).sqlExpression
      } catch {
        return DatabaseValue.invalid("could not encode \(Value.self): \(error)").sqlExpression
      }
    }
  }

  extension ValueCoding where Value: DatabaseValueConvertible {
    /// The coding of the type itself.
    public init() { self.init(form: .plain) }

    init(form: StoredForm) {
      self.form = form
      encode = { $0.databaseValue }
      decode = { try $0.decode(Value.self, atIndex: $1) }
    }
  }

  extension ValueCoding {
    /// The coding of a type of codings.
    public init<Coding: ColumnCoding<Value>>(_ coding: Coding.Type) {
      form = .coding(coding)
      encode = { try Coding.databaseValue(of: $0) }
      decode = { try Coding.value(in: $0, atIndex: $1) }
    }

    /// The coding of expressions that may be `NULL`.
    var nullable: ValueCoding<Value?> {
      ValueCoding<Value?>(
        form: form,
        encode: { try $0.map(encode) ?? .null },
        decode: { $0.hasNull(atIndex: $1) ? nil : try decode($0, $1) })
    }

    /// The coding for the type of the values, optional or not. Another type reads what is stored.
    func reading<Element: DatabaseValueConvertible>(as type: Element.Type) -> ValueCoding<Element> {
      if let optional = self as? ValueCoding<Element?> { return optional.required() }
      return self as? ValueCoding<Element> ?? nullable as? ValueCoding<Element>
        ?? ValueCoding<Element>(form: form)
    }

    /// The coding of expressions that are never `NULL`.
    func required<Wrapped>() -> ValueCoding<Wrapped> where Value == Wrapped? {
      ValueCoding<Wrapped>(
        form: form,
        encode: { try encode($0) },
        decode: { row, index in
          guard let value = try decode(row, index) else {
            throw row.conversionError(Wrapped.self, at: index)
          }
          return value
        })
    }
  }
#endif

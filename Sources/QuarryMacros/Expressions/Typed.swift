#if Macros
  public import Quarry

  /// A column or an expression whose type, and whose table, are known to the compiler.
  ///
  /// ```swift
  /// Player.filter { $0.score > 10 && $0.name == "Anna" }
  /// ```
  ///
  /// `$0.score == "ten"` does not compile.
  ///
  /// `Root` is the type of the records, and `Value` that of the values: it is optional where the
  /// expression may be `NULL`. Operators accept values of this type, and expressions of the same
  /// record type. ``untyped`` leads to the expressions of Quarry, which are not checked, and
  /// ``Quarry/SQLExpressible/typed(as:of:)`` back. Conditions combine with untyped ones.
  ///
  /// Operators are declared for this one type, not for a protocol: the compiler then rules out at
  /// once all those that don't apply, and checks long conditions in milliseconds.
  public struct Typed<Root, Value, Content: SQLSpecificExpressible & Sendable>: Sendable {
    /// The column or the expression without its type.
    ///
    /// ```swift
    /// // SELECT * FROM "player" WHERE LENGTH("name") > ?
    /// Player.filter { length($0.name.untyped) > 3 }
    /// ```
    public let untyped: Content

    /// How values are stored in the database, and read from it.
    public let coding: ValueCoding<Value>

    init(_ untyped: Content, _ coding: ValueCoding<Value>) {
      self.untyped = untyped
      self.coding = coding
    }

    /// The expression of SQL.
    public var sqlExpression: SQLExpression { untyped.sqlExpression }

    /// The expression of a value of the same type.
    func expression(_ value: Value) -> SQLExpression { coding.expression(value) }
  }

  /// A column of a record, with the type of its property: see ``Typed``.
  ///
  /// The macro ``Record(_:readOnly:)`` declares one for each property. By hand, one is declared as
  /// follows:
  ///
  /// ```swift
  /// struct Player: Codable, FetchableRecord, PersistableRecord {
  ///   var name: String
  ///   var score: Int
  ///
  ///   enum Columns {
  ///     static let name = TypedColumn<Player, String>("name")
  ///     static let score = TypedColumn<Player, Int>("score")
  ///   }
  /// }
  /// ```
  public typealias TypedColumn<Root, Value> = Typed<Root, Value, Column>

  /// An expression over typed columns: see ``Typed``.
  public typealias TypedExpression<Root, Value> = Typed<Root, Value, SQLExpression>

  /// A condition on the records of a table.
  public typealias TypedCondition<Root> = TypedExpression<Root, Bool>

  extension Typed where Content == Column {
    /// Creates a column of values that a database can store.
    public init(_ name: String) where Value: DatabaseValueConvertible {
      self.init(Column(name), ValueCoding())
    }

    /// Creates a column whose values are stored by a coding.
    public init<Coding: ColumnCoding<Value>>(_ name: String, as coding: Coding.Type) {
      self.init(Column(name), ValueCoding(coding))
    }

    /// Creates a column whose values, unless they are nil, are stored by a coding.
    public init<Coding: ColumnCoding>(_ name: String, as coding: Coding.Type)
    where Value == Coding.Value? { self.init(Column(name), ValueCoding(coding).nullable) }

    /// The name of the column.
    public var name: String { untyped.name }
  }

  extension Typed where Content == SQLExpression {
    init(_ sqlExpression: SQLExpression) where Value: DatabaseValueConvertible {
      self.init(sqlExpression, ValueCoding())
    }
  }

  extension SQLExpressible {
    /// The expression, as one of a type that the compiler can't know.
    ///
    /// ```swift
    /// // SELECT * FROM "player" WHERE "score" > "limit"
    /// Player.filter { $0.score > Column("limit").typed(as: Int.self) }
    /// ```
    ///
    /// - parameter type: the type of the values.
    /// - parameter root: the type of the records that the expression belongs to.
    public func typed<Root, Value: DatabaseValueConvertible>(
      as type: Value.Type = Value.self, of root: Root.Type = Root.self
    ) -> TypedExpression<Root, Value> {
      TypedExpression(sqlExpression, ValueCoding(form: .unknown))
    }
  }
#endif

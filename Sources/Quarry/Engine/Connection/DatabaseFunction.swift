/// An SQL function written in Swift.
///
/// ```swift
/// let reverse = DatabaseFunction("reverse", argumentCount: 1, pure: true) { dbValues in
///   String.fromDatabaseValue(dbValues[0]).map { String($0.reversed()) }
/// }
///
/// var configuration = Configuration()
/// configuration.prepareDatabase { db in db.add(function: reverse) }
/// let dbQueue = try DatabaseQueue(path: path, configuration: configuration)
///
/// // SELECT reverse("name") FROM "player"
/// let names = try dbQueue.read { db in
///   try Player.select(reverse(Column("name")), as: String.self).fetchAll(db)
/// }
/// ```
///
/// See <https://www.sqlite.org/appfunc.html>.
public final class DatabaseFunction: Identifiable, Sendable {
  /// The name, without regard to the case of letters, and the number of arguments.
  public struct ID: Hashable, Sendable {
    let name: BinaryText
    let argumentCount: Int?
  }

  /// The identity of the function: SQLite has one function per name and number of arguments.
  public let id: ID

  /// The name of the function.
  public let name: String

  /// Whether the value depends on the arguments only.
  let isPure: Bool

  /// Whether views, triggers and the rest of a schema may call the function.
  let trust: SchemaTrust

  let kind: Kind

  enum Kind: Sendable {
    case scalar(@Sendable ([DatabaseValue]) throws -> DatabaseValue)
    case aggregate(@Sendable () -> AggregateState)
    case window(@Sendable () -> AggregateState)
  }

  /// Creates a function.
  ///
  /// ```swift
  /// // concatenates any number of values: SELECT joined('a', 1, NULL)
  /// let joined = DatabaseFunction("joined", pure: true) { dbValues in
  ///   dbValues.map(\.description).joined()
  /// }
  /// ```
  ///
  /// - parameter name: The name in SQL.
  /// - parameter argumentCount: The number of arguments, from 0 to 127. Nil for any number.
  /// - parameter pure: Whether the function returns the same value for the same arguments, always.
  ///   SQLite calls pure functions less often, and accepts them in indexes. See
  ///   <https://www.sqlite.org/deterministic.html>.
  /// - parameter trust: Whether views, triggers and the rest of a schema may call the function.
  /// - parameter function: Returns the value for the arguments, nil for NULL. The statement throws
  ///   the error that it throws: a ``DatabaseError`` keeps its code and message, others are errors
  ///   with code `SQLITE_ERROR`. The statement of a canceled task throws `CancellationError` if the
  ///   function does.
  public init(
    _ name: String, argumentCount: Int? = nil, pure: Bool = false, trust: SchemaTrust = .normal,
    function: @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
  ) {
    self.name = name
    self.trust = trust
    id = ID(name: name.identifierKey, argumentCount: argumentCount)
    isPure = pure
    kind = .scalar { try function($0)?.databaseValue ?? .null }
  }

  /// Creates an aggregate function, and a window function as well if the type is a
  /// ``DatabaseWindowAggregate``.
  ///
  /// See ``init(_:argumentCount:pure:trust:function:)``.
  ///
  /// - parameter name: The name in SQL.
  /// - parameter argumentCount: The number of arguments, from 0 to 127. Nil for any number.
  /// - parameter pure: Whether the function returns the same value for the same arguments, always.
  /// - parameter trust: Whether the views of a schema may call the function.
  /// - parameter aggregate: The type of the aggregate: there is one instance per group.
  public init<Aggregate: DatabaseAggregate>(
    _ name: String, argumentCount: Int? = nil, pure: Bool = false, trust: SchemaTrust = .normal,
    aggregate: Aggregate.Type
  ) {
    self.name = name
    self.trust = trust
    id = ID(name: name.identifierKey, argumentCount: argumentCount)
    isPure = pure
    if let windowAggregate = aggregate as? any DatabaseWindowAggregate.Type {
      kind = Self.window(windowAggregate)
    } else {
      kind = .aggregate { GroupState<Aggregate>() }
    }
  }

  private static func window<Aggregate: DatabaseWindowAggregate>(_: Aggregate.Type) -> Kind {
    .window { WindowState<Aggregate>() }
  }

  /// True for functions that make one value out of several rows.
  var isAggregate: Bool { if case .scalar = kind { false } else { true } }
}

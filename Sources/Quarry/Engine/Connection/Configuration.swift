public import Dispatch

/// How connections are opened, and how they behave.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.readonly = true
/// let dbQueue = try DatabaseQueue(path: "/path/to/database.sqlite", configuration: configuration)
/// ```
public struct Configuration: Sendable {
  /// Whether foreign keys are enforced. True by default.
  ///
  /// See <https://www.sqlite.org/foreignkeys.html>.
  public var foreignKeysEnabled = true

  /// Whether triggers run for what other triggers do, and for the rows that `INSERT OR REPLACE`
  /// removes. False by default.
  ///
  /// Full-text tables that are synchronized with another table need it if rows of this table are
  /// replaced. See <https://www.sqlite.org/pragma.html#pragma_recursive_triggers>.
  public var recursiveTriggersEnabled = false

  /// Whether the database can only be read. False by default.
  public var readonly = false
  /// Whether the connection only reads because it is one of a pool that writes.
  var readsForPool = false

  /// The conversions of stored values into the types that a program asks for.
  /// ``ValueConversions/lossless`` by default.
  ///
  /// With ``ValueConversions/exact``, each route by which a value is read from a row throws a
  /// ``RowDecodingError`` where the value is not stored as its type stores it:
  ///
  /// ```swift
  /// configuration.conversions = .exact
  /// // could not decode Int from database value "120" - …
  /// try Int.fetchAll(db, sql: "SELECT '120'")
  /// ```
  ///
  /// It finds columns with mixed or wrong types, which SQLite allows in all but `STRICT` tables.
  /// Rows that leave the database keep the conversions of their connection.
  ///
  /// See <https://www.sqlite.org/datatype3.html>.
  public var conversions = ValueConversions.lossless

  /// The label of connections and of their dispatch queues.
  public var label: String?

  /// Whether `"text"` is a string where there is no such column. False by default.
  ///
  /// See <https://www.sqlite.org/quirks.html>.
  public var acceptsDoubleQuotedStringLiterals = false

  /// Whether connections listen to `Database.suspendNotification`. False by default.
  public var observesSuspensionNotifications = false

  /// Whether the arguments of statements are shown in errors and traces. False by default: they may
  /// be private.
  public var publicStatementArguments = false

  /// The source of `Database.transactionDate`.
  public var transactionClock: any TransactionClock = .default

  /// Whether a transaction may stay open at the end of a database access. False by default.
  public var allowsUnsafeTransactions = false

  /// The journal mode of a ``DatabaseQueue``.
  public var journalMode = JournalModeConfiguration.default

  /// The reaction when another connection has locked the database.
  ///
  /// A canceled task, a deadline and a time limit end the wait. In accesses with one of them,
  /// `PRAGMA busy_timeout` returns 0: the library waits in the place of SQLite.
  public var busyMode: Database.BusyMode = .immediateError

  /// How many connections can read at the same moment, in a pool. 5 by default.
  public var maximumReaderCount = 5
  /// That of the pool, for one of its readers.
  var poolReaderCount: Int?

  /// The quality of service of database accesses.
  public var qos = DispatchQoS.userInitiated

  /// The queue that the queues of connections target.
  ///
  /// Connections on one serial queue run one after the other: an access inside the access of
  /// another of them could never begin. It throws a ``DatabaseError`` with code `SQLITE_MISUSE`,
  /// after a moment, or stops the program where it can't throw. So does a backup from one of them
  /// to the other. Only a target that works on several things at once allows this.
  public var targetQueue: DispatchQueue?

  /// The queue that the queue of the writing connection targets, ``targetQueue`` by default.
  /// Read-only connections ignore it.
  public var writeTargetQueue: DispatchQueue?

  /// Whether the reading connections of a pool are kept when memory is released.
  public var persistentReadOnlyConnections = false

  /// Whether observations use the preupdate hook of SQLite, if it has one.
  ///
  /// A connection has one such hook. It must be false where the application has one, or has
  /// sessions, which record changes with it.
  ///
  /// Observations then notice what they notice without the hook: they may be notified of more than
  /// what concerns them, and ``TransactionObserver/databaseWillChange(with:)`` is not called. Where
  /// it is true, an observed statement throws a ``DatabaseError`` with code `SQLITE_MISUSE` if the
  /// application has a hook, which SQLite has removed then. A session must not be made or deleted
  /// while a statement runs.
  ///
  /// See <https://www.sqlite.org/sessionintro.html>.
  public var usesPreUpdateHook = true

  /// Reports facts that the schema does not: the primary keys of views.
  public var schemaSource: (any DatabaseSchemaSource)?

  /// The treatment of requests whose aggregates share an association key, but not the conditions of
  /// their associations.
  ///
  /// Aggregates with the same key are computed on the same records: those that satisfy all
  /// conditions. This request does not count novels and plays, but twice the books that are both:
  ///
  /// ```swift
  /// Author.annotated(with:
  ///   Author.books.filter(Column("kind") == "novel").count.forKey("novelCount"),
  ///   Author.books.filter(Column("kind") == "play").count.forKey("playCount"))
  /// ```
  ///
  /// The associations need keys of their own: `Author.books.filter(…).forKey("novels").count`.
  public var conflictingAggregates = RequestTreatment.standard

  /// The treatment of requests that have been given an order, and then another one, which replaces
  /// it:
  ///
  /// ```swift
  /// // SELECT * FROM "book" ORDER BY "title"
  /// Book.order(Column("year")).order(Column("title"))
  /// ```
  ///
  /// It is ``RequestTreatment/allowed`` by default, since an application may replace the order of a
  /// request that it is given on purpose. Development and tests find mistakes with
  /// ``RequestTreatment/standard``, which reports each statement once for each connection. Not
  /// replaced are the order of an association, by that of a request for its records, and an order
  /// that `unordered()` has removed.
  public var replacedOrders = RequestTreatment.allowed

  /// Looks at the plan of each request that a connection compiles. None by default.
  ///
  /// See ``PlanGuard``.
  public var planGuard: PlanGuard?

  /// How long an access may last, from the moment when it has its connection. Nil by default: as
  /// long as it wants.
  ///
  /// When the time is over, a running statement is interrupted and later ones throw, as at the
  /// deadline of `write(deadline:_:)`. So does the opening of a connection, but for locks that the
  /// functions of ``prepareDatabase(_:)`` wait for: these waits last as the busy mode says.
  public var accessTimeLimit: Duration?

  /// The extensions that each connection loads before its functions of ``prepareDatabase(_:)`` run.
  package var loadableExtensions: [any LoadableExtension] = []

  /// Makes the observer of a connection.
  package var makeAccessObserver: (@Sendable () -> any AccessObserver)?

  /// Makes the engine of a connection, where SQLite does not execute its statements.
  package var makeEngine: (@Sendable () -> any ConnectionEngine)?

  /// Whether the file comes from strangers: see ``untrusted``.
  package var isUntrusted = false

  /// Whether the content of the file is checked when the connection is opened.
  var checksContent = false

  package var preparations: [@Sendable (Database) throws -> Void] = []

  /// Creates the default configuration.
  public init() {}

  /// The quality of service of reads.
  public var readQoS: DispatchQoS { targetQueue?.qos ?? qos }

  /// The quality of service of writes.
  public var writeQoS: DispatchQoS { writeTargetQueue?.qos ?? targetQueue?.qos ?? qos }

  /// The quality of service of the connection.
  var connectionQoS: DispatchQoS { readonly ? readQoS : writeQoS }

  /// The target of the queue of the connection.
  var connectionTarget: DispatchQueue? { readonly ? targetQueue : writeTargetQueue ?? targetQueue }

  /// The configuration of a temporary database of the library's own, which is used inside an access
  /// to a database that has this configuration: see
  /// ``Database/withTemporaryDatabase(attached:_:)``.
  var forTemporaryDatabase: Configuration {
    var configuration = withoutTarget
    // This is the configuration of a read-only connection in a read.
    configuration.readonly = false
    configuration.journalMode = .default
    configuration.makeAccessObserver = nil
    configuration.makeEngine = nil
    return configuration
  }

  /// The configuration, for a connection that is used inside an access: the target queue may be
  /// serial.
  var withoutTarget: Configuration {
    var configuration = self
    configuration.targetQueue = nil
    configuration.writeTargetQueue = nil
    return configuration
  }

  /// Adds a function that is called for each new connection.
  ///
  /// ```swift
  /// configuration.prepareDatabase { db in
  ///   db.trace { print($0) }
  /// }
  /// ```
  ///
  /// An error thrown by the function closes the connection, and is thrown by the initialiser of the
  /// database, or by an access that opens another reader. Readers of a pool can't attach a file by
  /// a URI that allows to write: use `mode=ro`, or no mode.
  public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
    preparations.append(setup)
  }

  /// The treatment of requests that are valid, and hardly what was meant.
  public enum RequestTreatment: Sendable {
    /// The request is executed.
    case allowed
    /// The function is called with a message, and the request is executed.
    case reported(@Sendable (_ message: String) -> Void)
    /// The request throws `InvalidRequest` when it is prepared.
    case refused

    /// Debug builds report the request, to ``Database/logError`` or else to the standard error.
    /// Release builds allow it.
    public static var standard: RequestTreatment {
      #if DEBUG
        .reported { Database.warn($0) }
      #else
        .allowed
      #endif
    }
  }

  /// See ``conflictingAggregates``.
  public typealias ConflictingAggregates = RequestTreatment

  /// The journal mode of a ``DatabaseQueue``.
  public enum JournalModeConfiguration: Hashable, Sendable {
    /// The mode of the database file.
    case `default`
    /// The write-ahead log. See <https://www.sqlite.org/wal.html>.
    case wal
  }
}

/// An extension of SQLite, of the library QuarryTables.
package protocol LoadableExtension: Sendable {
  /// Loads the extension, for a connection.
  func load(on db: Database) throws
}

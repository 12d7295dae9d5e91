public import Quarry

/// An extension of SQLite: functions, collations and virtual tables in C, of others.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.extensions = [.file("/usr/lib/sqlite3/vec0.so")]
/// ```
///
/// An extension is loaded for one connection, by the program: statements can't load one, not even
/// with `load_extension()`. It is code that runs in the program, and can do what the program can.
///
/// See <https://www.sqlite.org/loadext.html>.
public struct SQLiteExtension: Sendable {
  /// The entry point of an extension that is linked with the program.
  ///
  /// It gets the connection, and a place for a message of `sqlite3_malloc`, and returns a result
  /// code.
  public typealias EntryPoint =
    @Sendable (
      _ connection: SQLiteConnection,
      _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> CInt

  @safe enum Source: Sendable {
    case file(path: String, entryPoint: String?)
    case linked(name: String, EntryPoint)
  }

  let source: Source

  /// An extension in a shared library.
  ///
  /// ```swift
  /// configuration.extensions = [
  ///   .file("/usr/lib/sqlite3/vec0.so", entryPoint: "sqlite3_vec_init")
  /// ]
  /// ```
  ///
  /// - parameters:
  ///   - path: The path of the library. SQLite adds the suffix of the system where there is no such
  ///     file; a name without a slash is searched for by the system.
  ///   - entryPoint: The name of its entry point. By default, SQLite tries
  ///     `sqlite3_extension_init`, and then a name made of that of the file.
  public static func file(_ path: String, entryPoint: String? = nil) -> SQLiteExtension {
    SQLiteExtension(source: .file(path: path, entryPoint: entryPoint))
  }

  /// An extension that is linked with the program.
  ///
  /// ```swift
  /// configuration.extensions = [
  ///   .linked("vec0") { connection, message in sqlite3_vec_init(connection, message, nil) }
  /// ]
  /// ```
  ///
  /// The C code is compiled with `SQLITE_CORE`, so that it calls the SQLite of the program.
  ///
  /// - parameters:
  ///   - name: The name of the extension, for errors.
  ///   - entryPoint: Calls the entry point.
  public static func linked(_ name: String, _ entryPoint: @escaping EntryPoint) -> SQLiteExtension {
    unsafe SQLiteExtension(source: .linked(name: name, entryPoint))
  }
}

extension Configuration {
  /// The extensions of SQLite that each connection loads before its functions of
  /// `prepareDatabase(_:)` run. None by default.
  ///
  /// ```swift
  /// configuration.extensions = [.file("/usr/lib/sqlite3/vec0.so")]
  /// ```
  ///
  /// An extension that can't be loaded closes the connection, and its error is thrown by the
  /// initializer of the database.
  public var extensions: [SQLiteExtension] {
    get { loadableExtensions.compactMap { $0 as? SQLiteExtension } }
    set { loadableExtensions = newValue }
  }
}

extension SQLiteExtension: LoadableExtension {
  package func load(on db: Database) throws { try db.load(self) }
}

import CSQLite
import Foundation

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
  public static func linked(
    _ name: String, _ entryPoint: @escaping EntryPoint
  ) -> SQLiteExtension {
    unsafe SQLiteExtension(source: .linked(name: name, entryPoint))
  }
}

extension Database {
  /// Loads an extension, for this connection.
  ///
  /// ```swift
  /// try db.load(.file("/usr/lib/sqlite3/vec0.so"))
  /// ```
  ///
  /// ``Configuration/extensions`` loads extensions for all connections. This method is for those
  /// that need something first, in ``Configuration/prepareDatabase(_:)``.
  ///
  /// - Throws: ``DatabaseError`` with the message of the system or of the extension when it can't
  ///   be loaded.
  public func load(_ anExtension: SQLiteExtension) throws {
    try checkHasNoEngine("an extension")
    let connection = try unsafe requireConnection()
    switch anExtension.source {
    case .file(let path, let entryPoint):
      try unsafe load(path, entryPoint, connection)
    case .linked(let name, let entryPoint):
      try unsafe load("the extension `\(name)`", advice: nil) { message in
        unsafe entryPoint(connection, message)
      }
    }
    // Its functions and tables may replace others.
    clearSchemaCache()
  }

  private func load(_ path: String, _ entryPoint: String?, _ connection: SQLiteConnection) throws {
    guard quarry_has_extensions() != 0 else {
      throw DatabaseError(
        message: """
          the extension at `\(path)` can't be loaded: this SQLite has no `sqlite3_load_extension` \
          (SQLITE_OMIT_LOAD_EXTENSION). Link the extension with the program, and use \
          `SQLiteExtension.linked`
          """)
    }
    try FilePath.check(path)
    guard !path.isEmpty else { throw DatabaseError(message: "the path of the extension is empty") }
    // For the C function alone: SQL can't load extensions.
    _ = unsafe quarry_db_config_int(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1)
    defer {
      _ = unsafe quarry_db_config_int(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    }
    let advice =
      entryPoint == nil
      ? "an entry point with another name is given with `entryPoint:`"
      : "the entry point is `\(entryPoint ?? "")`"
    try unsafe load(
      "the extension at `\(path)`", advice: Self.fault(ofLibrary: path) ?? advice
    ) { message in
      guard let entryPoint else {
        return unsafe quarry_load_extension(connection, path, nil, message)
      }
      return unsafe quarry_load_extension(connection, path, entryPoint, message)
    }
  }

  /// The reason why a file can't be loaded: SQLite reports that of the last path that it tries, the
  /// one with the suffix.
  private static func fault(ofLibrary path: String) -> String? {
    guard path.contains("/") else { return nil }
    guard FileManager.default.fileExists(atPath: path) else {
      return path.hasSuffix(".so") || path.hasSuffix(".dylib") ? "there is no such file" : nil
    }
    guard let handle = unsafe dlopen(path, RTLD_NOW) else {
      return unsafe dlerror().map { unsafe String(cString: $0) }
    }
    unsafe dlclose(handle)
    return nil
  }

  private func load(
    _ name: String, advice: @autoclosure () -> String?,
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt
  ) throws {
    var text: UnsafeMutablePointer<CChar>?
    let code = unsafe body(&text)
    let message = unsafe text.map { unsafe String(cString: $0) }
    unsafe sqlite3_free(text)
    // SQLITE_OK_LOAD_PERMANENTLY, which Swift does not import.
    guard code != SQLITE_OK, code != SQLITE_OK | 1 << 8 else { return }
    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
      .detailed("while loading \(name)").detailed(advice())
  }
}

import CSQLite
import Foundation
public import Quarry

extension Database {
  /// Loads an extension, for this connection.
  ///
  /// ```swift
  /// try db.load(.file("/usr/lib/sqlite3/vec0.so"))
  /// ```
  ///
  /// `Configuration.extensions` loads extensions for all connections. This method is for those
  /// that need something first, in `Configuration.prepareDatabase(_:)`.
  ///
  /// - Throws: `DatabaseError` with the message of the system or of the extension when it can't
  ///   be loaded.
  public func load(_ anExtension: SQLiteExtension) throws {
    try checkHasNoEngine("an extension")
    let connection = try unsafe requireConnection()
    switch anExtension.source {
    case .file(let path, let entryPoint): try unsafe load(path, entryPoint, connection)
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
    defer { _ = unsafe quarry_db_config_int(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0) }
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

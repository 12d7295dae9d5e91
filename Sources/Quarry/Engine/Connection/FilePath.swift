/// Paths of files, as C functions and SQLite take them.
package enum FilePath {
  /// Throws for a path that ends before its last character: another file would be used.
  ///
  /// A NUL ends the path for C functions, and `%00` that of a URI for SQLite.
  ///
  /// See <https://www.sqlite.org/uri.html>.
  package static func check(_ path: String) throws {
    guard path.utf8.contains(0) || path.hasPrefix("file:") && path.contains("%00") else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: "the path contains a NUL character, and would be cut off there: remove it"
    ).detailed(nil, path: path)
  }

  /// The URI of a database in memory that connections share by its name, in which characters that
  /// have a meaning in a URI are encoded.
  ///
  /// See <https://www.sqlite.org/inmemorydb.html>.
  static func databaseInMemory(named name: String) -> String {
    var uri = "file:"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "/", "?", "#", "%": uri += "%" + String(scalar.value, radix: 16)
      default: uri.unicodeScalars.append(scalar)
      }
    }
    return uri + "?mode=memory&cache=shared"
  }
}

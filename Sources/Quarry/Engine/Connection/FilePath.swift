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
}

import CSQLite

/// The SQLite library that the application is linked with.
enum SQLiteLibrary {
  /// 3039004 for SQLite 3.39.4. See <https://www.sqlite.org/c3ref/libversion.html>.
  static let versionNumber = Int(sqlite3_libversion_number())
}

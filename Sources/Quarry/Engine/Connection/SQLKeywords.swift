import CSQLite

extension String {
  /// Whether SQLite takes the name for a keyword, unless it is quoted.
  ///
  /// See <https://www.sqlite.org/c3ref/keyword_check.html>.
  var isSQLKeyword: Bool {
    unsafe sqlite3_keyword_check(self, CInt(clamping: utf8.count)) != 0
  }
}

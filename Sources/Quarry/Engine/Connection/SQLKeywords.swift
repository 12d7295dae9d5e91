import CSQLite

extension String {
  /// Whether SQLite takes the name for a keyword, unless it is quoted.
  ///
  /// See <https://www.sqlite.org/c3ref/keyword_check.html>.
  private var isSQLKeyword: Bool {
    unsafe sqlite3_keyword_check(self, CInt(clamping: utf8.count)) != 0
  }

  /// The string as an SQL identifier, without quotes where it is a word that is no keyword.
  package var plainUnlessKeyword: String {
    isSQLKeyword ? quotedDatabaseIdentifier : plainOrQuotedIdentifier
  }
}

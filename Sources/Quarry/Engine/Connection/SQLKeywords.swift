import CSQLite

extension String {
  /// The string as an SQL identifier, without quotes where it is a word that is no keyword.
  ///
  /// See <https://www.sqlite.org/c3ref/keyword_check.html>.
  package var plainUnlessKeyword: String {
    let isKeyword = unsafe sqlite3_keyword_check(self, CInt(clamping: utf8.count)) != 0
    return isKeyword ? quotedDatabaseIdentifier : plainOrQuotedIdentifier
  }
}

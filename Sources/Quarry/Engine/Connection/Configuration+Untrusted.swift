extension Configuration {
  /// The configuration for a database file of strangers: one that was downloaded, or received from
  /// somebody else, and that may have been made to do harm.
  ///
  /// ```swift
  /// let catalog = try DatabaseQueue(path: path, configuration: .untrusted)
  /// ```
  ///
  /// - The file is only read, unless ``readonly`` is set to false.
  /// - It is checked when it is opened (`PRAGMA quick_check`).
  /// - Its views, triggers and tables call no function that was not registered as
  ///   ``SchemaTrust/innocuous``.
  /// - Statements can't damage it (`SQLITE_DBCONFIG_DEFENSIVE`), load no extension, and check the
  ///   cells of each page.
  /// - Values and rows have 10,000,000 bytes at most; views, expressions and triggers have limits
  ///   of their size. ``Database/setLimit(_:to:)`` sets others, in ``prepareDatabase(_:)``.
  /// - An access takes ten seconds at most, and so does the opening: ``accessTimeLimit``.
  ///
  /// - important: Open such a file alone. Attached to another database, it is a part of a
  ///   connection that trusts it.
  ///
  /// See <https://www.sqlite.org/security.html>.
  public static var untrusted: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.isUntrusted = true
    configuration.checksContent = true
    configuration.accessTimeLimit = .seconds(10)
    return configuration
  }
}

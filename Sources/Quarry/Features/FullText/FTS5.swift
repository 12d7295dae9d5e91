/// The module of FTS5 tables, the full-text tables with ranking.
///
/// ```swift
/// // CREATE VIRTUAL TABLE "document" USING fts5(title, body, tokenize='''porter''')
/// try db.create(virtualTable: "document", using: FTS5()) { t in
///   t.tokenizer = .porter()
///   t.column("title")
///   t.column("body")
/// }
/// ```
///
/// See <https://www.sqlite.org/fts5.html>.
public struct FTS5: VirtualTableModule {
  /// The treatment of diacritics by a tokenizer.
  public typealias Diacritics = FTS3.Diacritics

  /// Creates the module.
  public init() {}

  /// The name of the module.
  public var moduleName: String { "fts5" }

  /// A new definition.
  public func makeTableDefinition(configuration: VirtualTableConfiguration) -> FTS5TableDefinition {
    FTS5TableDefinition(configuration)
  }

  /// The columns, and the options.
  ///
  /// - throws: An error if there is no column, or if the table can't be synchronized with its
  ///   content table.
  public func moduleArguments(
    for definition: FTS5TableDefinition, in db: Database
  ) throws -> [String] {
    guard !definition.columns.isEmpty else {
      throw InvalidRequest("FTS5 virtual table requires at least one column.")
    }
    var arguments = definition.columns.map(\.argument)
    var content = definition.content
    var contentRowID = definition.contentRowID
    if let synchronization = try definition.synchronization(in: db) {
      content = synchronization.contentName
      contentRowID = synchronization.rowID == "rowid" ? nil : synchronization.rowID
    }
    let texts: [(String, String?)] = [
      ("tokenize", definition.tokenizer?.sql), ("content", content),
      ("content_rowid", contentRowID),
      ("prefix", definition.prefixes?.prefixList(separator: " ")),
    ]
    for case (let name, let value?) in texts {
      arguments.append("\(name)=\(value.quotedDatabaseText)")
    }
    if let columnSize = definition.columnSize { arguments.append("columnSize=\(columnSize)") }
    if let detail = definition.detail { arguments.append("detail=\(detail)") }
    return arguments
  }

  /// Creates the triggers of a synchronized table, and indexes the rows of its content table.
  public func database(
    _ db: Database, didCreate tableName: String, using definition: FTS5TableDefinition
  ) throws {
    try definition.synchronization(in: db)?.start(
      in: db, table: tableName, configuration: definition.configuration)
  }
}

/// Defines an FTS5 table. See ``FTS5``.
public final class FTS5TableDefinition {
  let configuration: VirtualTableConfiguration
  var columns: [FTS5ColumnDefinition] = []
  /// Whether `content` is the table that triggers follow.
  private var isSynchronized = false

  init(_ configuration: VirtualTableConfiguration) { self.configuration = configuration }

  /// The tokenizer,
  /// ``FTS5TokenizerDescriptor/unicode61(diacritics:categories:separators:tokenCharacters:)`` if
  /// there is none.
  public var tokenizer: FTS5TokenizerDescriptor?

  /// The table that stores the texts. The empty string is a contentless table, which stores no
  /// text.
  ///
  /// The application has to keep the index in step with an external content table: see
  /// ``synchronize(withTable:)``.
  ///
  /// See <https://www.sqlite.org/fts5.html#external_content_and_contentless_tables>.
  public var content: String? { didSet { isSynchronized = false } }

  /// The integer primary key of an external content table. `rowid` if there is none.
  public var contentRowID: String? { didSet { if isSynchronized { content = nil } } }

  /// The lengths of the prefixes that are indexed, in characters.
  ///
  /// See <https://www.sqlite.org/fts5.html#prefix_indexes>.
  public var prefixes: Set<Int>?

  /// Whether the sizes of columns are stored: 0 or 1.
  ///
  /// See <https://www.sqlite.org/fts5.html#the_columnsize_option>.
  public var columnSize: Int?

  /// The places of words that the index stores: `full`, `column` or `none`.
  ///
  /// Without `full`, a search for a phrase throws `phrase queries are not supported`. A word of a
  /// pattern in which the tokenizer finds several is a phrase, too: `l’été`, with a typographic
  /// apostrophe. Catch the error of a search for a text that was typed.
  ///
  /// See <https://www.sqlite.org/fts5.html#the_detail_option>.
  public var detail: String?

  /// Adds a column.
  @discardableResult
  public func column(_ name: String) -> FTS5ColumnDefinition {
    let column = FTS5ColumnDefinition(name)
    columns.append(column)
    return column
  }

  /// Makes the table the index of another one: triggers keep it in step with all insertions,
  /// updates and deletions.
  ///
  /// ```swift
  /// try db.create(virtualTable: "bookIndex", using: FTS5()) { t in
  ///   t.synchronize(withTable: "book")
  ///   t.column("title")
  /// }
  /// ```
  ///
  /// The rows that the table has are indexed at once. The columns of the index are columns of the
  /// table.
  ///
  /// Some changes escape the triggers. `checkFullTextIndex(_:)` of the product `QuarryTables` finds
  /// what they have left, and `rebuildFullTextIndex(_:)` mends it:
  ///
  /// - Rows that `INSERT OR REPLACE`, `UPDATE OR REPLACE`, or a constraint that is declared with
  ///   `ON CONFLICT REPLACE` removes, unless ``Configuration/recursiveTriggersEnabled`` is set:
  ///   SQLite runs no delete trigger for them. See <https://www.sqlite.org/lang_conflict.html>.
  /// - For FTS4, rows that `UPDATE OR IGNORE` or `UPDATE OR FAIL` leaves as they are, because of a
  ///   conflict: their words go before it is found.
  /// - `VACUUM` gives new rowids to tables without `INTEGER PRIMARY KEY`. `vacuum()` of a writer
  ///   rebuilds the index of such tables, the SQL statement does not.
  ///
  /// The table can be no view, no temporary table, and no `WITHOUT ROWID` table.
  public func synchronize(withTable tableName: String) {
    contentRowID = nil
    content = tableName
    isSynchronized = true
  }

  func synchronization(in db: Database) throws -> FullTextSynchronization? {
    guard isSynchronized, let content else { return nil }
    return try FullTextSynchronization(
      .fts5, content: content, columns: columns.map(\.name), configuration, in: db)
  }
}

/// Defines a column of an FTS5 table.
public final class FTS5ColumnDefinition {
  let name: String
  private var isIndexed = true

  init(_ name: String) { self.name = name }

  /// Excludes the column from the index.
  ///
  /// See <https://www.sqlite.org/fts5.html#the_unindexed_column_option>.
  @discardableResult
  public func notIndexed() -> Self {
    isIndexed = false
    return self
  }

  var argument: String {
    isIndexed ? name.plainOrQuotedIdentifier : "\(name.plainOrQuotedIdentifier) UNINDEXED"
  }
}

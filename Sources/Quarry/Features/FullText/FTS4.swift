/// The module of FTS4 tables.
///
/// ```swift
/// // CREATE VIRTUAL TABLE "document" USING fts4(title, body, tokenize=porter)
/// try db.create(virtualTable: "document", using: FTS4()) { t in
///   t.tokenizer = .porter
///   t.column("title")
///   t.column("body")
/// }
/// ```
///
/// See <https://www.sqlite.org/fts3.html>.
public struct FTS4: VirtualTableModule {
  /// Creates the module.
  public init() {}

  /// The name of the module.
  public var moduleName: String { "fts4" }

  /// A new definition.
  public func makeTableDefinition(configuration: VirtualTableConfiguration) -> FTS4TableDefinition {
    FTS4TableDefinition(configuration)
  }

  /// The columns, and the options.
  ///
  /// - throws: An error if the table can't be synchronized with its content table.
  public func moduleArguments(
    for definition: FTS4TableDefinition, in db: Database
  ) throws -> [String] {
    var arguments = definition.columns.flatMap(\.arguments) + definition.tokenizer.arguments
    var content = definition.content
    if let synchronization = try definition.synchronization(in: db) {
      content = synchronization.contentName
      // FTS4 itself finds the rows of its content table by their rowid.
      guard synchronization.isKeyedByRowID else {
        throw InvalidRequest(
          "FTS4 can't be synchronized with table \(synchronization.content): "
            + "its column rowid is not the rowid")
      }
    }
    let options: [(String, String?)] = [
      ("content", content), ("compress", definition.compress),
      ("uncompress", definition.uncompress), ("matchinfo", definition.matchinfo),
      ("prefix", definition.prefixes?.prefixList(separator: ",")),
    ]
    for case (let name, let value?) in options {
      arguments.append("\(name)=\(value.quotedDatabaseIdentifier)")
    }
    return arguments
  }

  /// Creates the triggers of a synchronized table, and indexes the rows of its content table.
  public func database(
    _ db: Database, didCreate tableName: String, using definition: FTS4TableDefinition
  ) throws {
    try definition.synchronization(in: db)?.start(
      in: db, table: tableName, configuration: definition.configuration)
  }
}

/// Defines an FTS4 table. See ``FTS4``.
public final class FTS4TableDefinition {
  let configuration: VirtualTableConfiguration
  var columns: [FTS4ColumnDefinition] = []
  /// Whether `content` is the table that triggers follow.
  private var isSynchronized = false

  init(_ configuration: VirtualTableConfiguration) { self.configuration = configuration }

  /// The tokenizer, ``FTS3TokenizerDescriptor/simple`` if there is none.
  public var tokenizer: FTS3TokenizerDescriptor?

  /// The table that stores the texts. The empty string is a contentless table, which stores no
  /// text.
  ///
  /// The application has to keep the index in step with an external content table: see
  /// ``synchronize(withTable:)``.
  ///
  /// See <https://www.sqlite.org/fts3.html#_external_content_fts4_tables_>.
  public var content: String? { didSet { isSynchronized = false } }

  /// The SQL function that compresses the texts that the table stores.
  ///
  /// See <https://www.sqlite.org/fts3.html#the_compress_and_uncompress_options>.
  public var compress: String?

  /// The SQL function that uncompresses the texts that the table stores.
  public var uncompress: String?

  /// `"fts3"`, to store less for the function `matchinfo`.
  ///
  /// See <https://www.sqlite.org/fts3.html#the_matchinfo_option>.
  public var matchinfo: String?

  /// The lengths of the prefixes that are indexed, in bytes.
  ///
  /// See <https://www.sqlite.org/fts3.html#the_prefix_option>.
  public var prefixes: Set<Int>?

  /// Adds a column.
  @discardableResult
  public func column(_ name: String) -> FTS4ColumnDefinition {
    let column = FTS4ColumnDefinition(name)
    columns.append(column)
    return column
  }

  /// Makes the table the index of another one: triggers keep it in step with all insertions,
  /// updates and deletions.
  ///
  /// ```swift
  /// try db.create(virtualTable: "bookIndex", using: FTS4()) { t in
  ///   t.synchronize(withTable: "book")
  ///   t.column("title")
  /// }
  /// ```
  ///
  /// See ``FTS5TableDefinition/synchronize(withTable:)``, which has the limits too.
  public func synchronize(withTable tableName: String) {
    content = tableName
    isSynchronized = true
  }

  func synchronization(in db: Database) throws -> FullTextSynchronization? {
    guard isSynchronized, let content else { return nil }
    return try FullTextSynchronization(
      .fts4, content: content, columns: columns.map(\.name),
      languageIDs: columns.filter(\.isLanguageID).map(\.name), configuration, in: db)
  }
}

/// Defines a column of an FTS4 table.
public final class FTS4ColumnDefinition {
  let name: String
  private var isIndexed = true
  fileprivate private(set) var isLanguageID = false

  init(_ name: String) { self.name = name }

  /// Excludes the column from the index.
  ///
  /// See <https://www.sqlite.org/fts3.html#the_notindexed_option>.
  @discardableResult
  public func notIndexed() -> Self {
    isIndexed = false
    return self
  }

  /// Makes the column the hidden language identifier of the rows, an integer.
  ///
  /// See <https://www.sqlite.org/fts3.html#the_languageid_option>.
  @discardableResult
  public func asLanguageId() -> Self {
    isLanguageID = true
    return self
  }

  var arguments: [String] {
    if isLanguageID { return ["languageid=\(name.quotedDatabaseIdentifier)"] }
    let column = name.plainOrQuotedIdentifier
    return isIndexed ? [column] : [column, "notindexed=\(column)"]
  }
}

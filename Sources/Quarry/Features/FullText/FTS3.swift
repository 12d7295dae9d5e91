/// The module of FTS3 tables, the oldest full-text tables.
///
/// ```swift
/// // CREATE VIRTUAL TABLE "document" USING fts3(title, body, tokenize=porter)
/// try db.create(virtualTable: "document", using: FTS3()) { t in
///   t.tokenizer = .porter
///   t.column("title")
///   t.column("body")
/// }
/// ```
///
/// New tables are better made with ``FTS5``. See <https://www.sqlite.org/fts3.html>.
public struct FTS3: VirtualTableModule {
  /// The treatment of diacritics by a tokenizer.
  public enum Diacritics: Sendable {
    /// `é` and `e` are different letters.
    case keep
    /// `é` is `e`. Letters with several diacritics keep them.
    case removeLegacy
    /// `é` is `e`, and so is `ệ`.
    case remove
  }

  /// Creates the module.
  public init() {}

  /// The name of the module.
  public var moduleName: String { "fts3" }

  /// A new definition.
  public func makeTableDefinition(configuration: VirtualTableConfiguration) -> FTS3TableDefinition {
    FTS3TableDefinition()
  }

  /// The columns, and the tokenizer.
  public func moduleArguments(for definition: FTS3TableDefinition, in db: Database) -> [String] {
    definition.columns.map(\.plainOrQuotedIdentifier) + definition.tokenizer.arguments
  }

  /// Does nothing: there is nothing to complete.
  public func database(
    _ db: Database, didCreate tableName: String, using definition: FTS3TableDefinition
  ) {}
}

/// Defines an FTS3 table. See ``FTS3``.
public final class FTS3TableDefinition {
  var columns: [String] = []

  /// The tokenizer, ``FTS3TokenizerDescriptor/simple`` if there is none.
  public var tokenizer: FTS3TokenizerDescriptor?

  /// Adds a column.
  public func column(_ name: String) { columns.append(name) }
}

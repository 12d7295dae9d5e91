import Quarry
import QuarryTables

func fullTextDefinitions(_ db: Database) throws {
  try db.create(virtualTable: "doc", using: FTS3()) { t in
    t.tokenizer = .porter
    let _: FTS3TokenizerDescriptor? = t.tokenizer
    t.column("title")
  }
  try db.create(virtualTable: "doc", options: [.ifNotExists, .temporary], using: FTS4()) { t in
    t.tokenizer = .unicode61(diacritics: .keep, separators: ["."], tokenCharacters: ["-"])
    t.content = ""
    let _: String? = t.content
    t.compress = "pack"
    t.uncompress = "unpack"
    t.matchinfo = "fts3"
    t.prefixes = [2, 4]
    t.column("title")
    t.column("isbn").notIndexed()
    t.column("language").asLanguageId()
    t.synchronize(withTable: "book")
  }
  try db.create(virtualTable: "doc", using: FTS5()) { t in
    t.tokenizer = .porter(wrapping: .ascii(separators: ["."], tokenCharacters: ["-"]))
    t.content = "book"
    t.contentRowID = "id"
    let _: String? = t.contentRowID
    t.prefixes = [2, 4]
    t.columnSize = 0
    t.detail = "column"
    t.column("title")
    t.column("isbn").notIndexed()
    t.synchronize(withTable: "book")
  }
  try db.dropFTS4SynchronizationTriggers(forTable: "doc")
  try db.dropFTS5SynchronizationTriggers(forTable: "doc")
}

func fullTextModules(_ db: Database, _ configuration: VirtualTableConfiguration) throws {
  let _: [String] = [FTS3().moduleName, FTS4().moduleName, FTS5().moduleName]
  let fts3: FTS3TableDefinition = FTS3().makeTableDefinition(configuration: configuration)
  let fts4: FTS4TableDefinition = FTS4().makeTableDefinition(configuration: configuration)
  let fts5: FTS5TableDefinition = FTS5().makeTableDefinition(configuration: configuration)
  let _: [String] = FTS3().moduleArguments(for: fts3, in: db)
  let _: [String] = try FTS4().moduleArguments(for: fts4, in: db)
  let _: [String] = try FTS5().moduleArguments(for: fts5, in: db)
  FTS3().database(db, didCreate: "doc", using: fts3)
  try FTS4().database(db, didCreate: "doc", using: fts4)
  try FTS5().database(db, didCreate: "doc", using: fts5)
  let _: [Bool] = [
    configuration.isTemporary, configuration.ifNotExists, configuration.tableExists,
  ]
  let _: Set<FTS3.Diacritics> = [.keep, .removeLegacy, .remove]
  let _: Set<FTS5.Diacritics> = [.keep, .removeLegacy, .remove]
}

func fullTextPatterns(_ db: Database) throws {
  let _: [FTS3Pattern?] = [
    try FTS3Pattern(rawPattern: "sea"), FTS3Pattern(matchingAnyTokenIn: "sea"),
    FTS3Pattern(matchingAllTokensIn: "sea"), FTS3Pattern(matchingAllPrefixesIn: "sea"),
    FTS3Pattern(matchingPhrase: "sea"),
    FTS3Pattern(matchingAllTokensIn: "sea", lastTokenAsPrefix: true),
    FTS3Pattern.fromDatabaseValue("sea".databaseValue),
  ]
  let pattern = try FTS5Pattern(rawPattern: "sea", allowedColumns: ["title"])
  let _: [FTS5Pattern?] = [
    try FTS5Pattern(rawPattern: "sea"), FTS5Pattern(matchingAnyTokenIn: "sea"),
    FTS5Pattern(matchingAllTokensIn: "sea"), FTS5Pattern(matchingAllPrefixesIn: "sea"),
    FTS5Pattern(matchingPhrase: "sea"), FTS5Pattern(matchingPrefixPhrase: "sea"),
    FTS5Pattern(matchingAllTokensIn: "sea", lastTokenAsPrefix: true),
    FTS5Pattern.fromDatabaseValue("sea".databaseValue),
    try db.makeFTS5Pattern(rawPattern: "sea", forTable: "doc"),
    pattern && pattern, pattern || pattern, pattern.excluding(pattern),
    try pattern.inColumns(["title"]),
  ]
  let _: String = pattern.rawPattern
  let _: DatabaseValue = pattern.databaseValue
  let _: [any DatabaseValueConvertible & Sendable & Hashable] = [pattern]
}

func fullTextRequests(_ pattern: FTS5Pattern, _ oldPattern: FTS3Pattern?) {
  let _: QueryInterfaceRequest<Player> = Player.matching(pattern)
  let _: QueryInterfaceRequest<Player> = Player.matching(oldPattern)
  let _: QueryInterfaceRequest<Player> = Player.all().matching(pattern).order(Column.rank)
  let _: QueryInterfaceRequest<Player> = Player.all().matching(oldPattern)
  let _: QueryInterfaceRequest<Player> = Player.all().matching(pattern as FTS5Pattern?)
  let _: QueryInterfaceRequest<Row> = Table("doc").matching(pattern)
  let _: QueryInterfaceRequest<Row> = Table("doc").matching(oldPattern)
  let _: HasManyAssociation<Team, Player> = Team.players.matching(pattern)
  let _: HasManyAssociation<Team, Player> = Team.players.matching(oldPattern)
  let _: SQLExpression = Column("title").match(pattern)
  let _: SQLExpression = Column("title").match(oldPattern)
  let _: QueryInterfaceRequest<Player> = Player.all().ranked(byWeights: ["name": 2])
  let _: [SQLExpression] = [
    FTS5.highlight("name", open: "<", close: ">"),
    FTS5.highlight(Column("name"), open: "<", close: ">"),
    FTS5.snippet(open: "<", close: ">"),
    FTS5.snippet("name", open: "<", close: ">", ellipsis: "…", tokenCount: 3),
    FTS5.snippet(Column("name"), open: "<", close: ">"),
    FTS5.bm25(), FTS5.bm25(weights: ["name": 2]),
    FTS4.snippet("name", open: "<", close: ">", ellipsis: "…", tokenCount: 3),
  ]
}

func fullTextTokenizers(_ db: Database) throws {
  let _: [FTS3TokenizerDescriptor] = [.simple, .porter, .unicode61()]
  let _: [String] = try FTS3.tokenize("sea")
  let _: [String] = try FTS3.tokenize("sea", withTokenizer: .porter)
  let _: [FTS5TokenizerDescriptor] = [
    .ascii(), .porter(), .unicode61(), .trigram(), .trigram(caseSensitive: true),
    .unicode61(diacritics: .remove, categories: "L*", separators: ["."], tokenCharacters: ["-"]),
    FTS5TokenizerDescriptor(components: ["ascii"]), Letters.tokenizerDescriptor(),
    Letters.tokenizerDescriptor(arguments: ["a"]),
  ]
  let _: [String] = FTS5TokenizerDescriptor.ascii().components
  let _: [FTS5TokenizerDescriptor] = [
    .snowball(.french), .snowball(SnowballLanguage(rawValue: "irish"), wrapping: .ascii()),
  ]
  let _: [SnowballLanguage] = [
    .danish, .dutch, .english, .finnish, .french, .german, .hungarian, .italian, .norwegian,
    .portuguese, .romanian, .russian, .spanish, .swedish, .turkish,
  ]
  let _: Bool = SnowballTokenizer.isAvailable
  db.add(tokenizer: SnowballTokenizer.self)
  db.add(tokenizer: Letters.self)
  db.add(tokenizer: Lowercase.self)
  let tokenizer: any FTS5Tokenizer = try db.makeTokenizer(.ascii())
  let _: [(token: String, flags: FTS5TokenFlags)] = try tokenizer.tokenize(document: "sea")
  let _: [(token: String, flags: FTS5TokenFlags)] = try tokenizer.tokenize(query: "sea")
  let _: FTS5Tokenization = [.query, .prefix, .document, .aux]
  let _: CInt = FTS5Tokenization(rawValue: 1).rawValue
  let _: FTS5TokenFlags = [.colocated]
  let _: CInt = FTS5TokenFlags(rawValue: 1).rawValue
  let _ = try FTS5.api(db)
}

func fullTextMaintenance(_ db: Database) throws {
  let check: FullTextIndexCheck = try db.checkFullTextIndex("doc")
  let _: Bool = check.isSound
  let _: [Int?] = [check.missingRowCount, check.orphanRowCount]
  let _: String = check.table
  let _: String? = check.message
  try db.rebuildFullTextIndex("doc")
  try db.optimizeFullTextIndex("doc")
  try db.mergeFullTextIndex("doc", pages: 8)
  try db.dropFullTextTable("doc")
  let _: [String] = try db.fullTextTables(on: "book")
  var configuration = Configuration()
  configuration.recursiveTriggersEnabled = true
}

/// A tokenizer of an application.
final class Letters: FTS5CustomTokenizer {
  static let name = "letters"

  init(db: Database, arguments: [String]) throws {}

  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    tokenCallback(context, 0, pText, nText, 0, nText)
  }
}

/// A tokenizer of an application that wraps another one.
final class Lowercase: FTS5WrapperTokenizer {
  static let name = "lowercase"
  let wrappedTokenizer: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.ascii())
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    try tokenCallback(token.lowercased(), flags)
  }
}

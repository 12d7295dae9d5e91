/// A line of the table: one piece of work, done by every contender.
public enum Line: String, CaseIterable, Sendable {
  case index
  case name
  case codable
  case rows
  case strings
  case integers
  case key
  case filter
  case prepare
  case pairs
  case children
  case insertStatement = "insert-statement"
  case insertEncode = "insert-encode"
  case insertCodable = "insert-codable"
  case insertMany = "insert-many"
  case pairsByHand = "pairs-init"
  case childrenByHand = "children-init"
  case narrowIndex = "narrow-index"
  case narrowName = "narrow-name"
  case narrowCodable = "narrow-codable"
  case narrowRows = "narrow-rows"
  case narrowKey = "narrow-key"
  case narrowFilter = "narrow-filter"
  case narrowPairs = "narrow-pairs"
  case narrowPairsByHand = "narrow-pairs-init"
  case narrowChildren = "narrow-children"
  case narrowChildrenByHand = "narrow-children-init"
  case narrowInsertStatement = "narrow-insert-statement"
  case narrowInsertEncode = "narrow-insert-encode"
  case narrowInsertCodable = "narrow-insert-codable"
  case narrowInsertMany = "narrow-insert-many"
  case textIndex = "text-index"
  case textSearch = "text-search"
  case page
  case screen
  case screenCounts = "screen-counts"
  case search
  case commits
  case update
  case updateRecord = "update-record"
  case save
  case values
  case dates
  case uuids
  case decimals
  case valuesInsert = "values-insert"
  case json
  case jsonInsert = "json-insert"
  case open
  case macro
  case pairsByMacro = "pairs-macro"
  case childrenByMacro = "children-macro"
  case insertMacro = "insert-macro"
  case narrowMacro = "narrow-macro"
  case narrowPairsByMacro = "narrow-pairs-macro"
  case narrowChildrenByMacro = "narrow-children-macro"
  case narrowInsertMacro = "narrow-insert-macro"

  public var title: String {
    switch self {
    case .index: "fetch 200,000 records by index"
    case .name: "fetch 200,000 records by column name"
    case .codable: "fetch 200,000 Codable records"
    case .rows: "Row.fetchAll of 200,000"
    case .strings: "fetch 200,000 strings"
    case .integers: "fetch 200,000 integers"
    case .key: "fetch by primary key, Codable"
    case .filter: "filter and fetch one, Codable"
    case .prepare: "build and prepare a joined request"
    case .pairs: "joined fetch of 20,000 Codable pairs"
    case .children: "including(all:) 2,000 with 20,000"
    case .insertStatement: "insert 50,000 by statement"
    case .insertEncode: "insert 50,000 by encode(to:)"
    case .insertCodable: "insert 50,000 Codable records"
    case .insertMany: "insert(contentsOf:) 50,000 by encode(to:)"
    case .pairsByHand: "joined fetch of 20,000 pairs, init(row:)"
    case .childrenByHand: "including(all:), init(row:)"
    case .narrowIndex: "narrow: fetch 200,000 records by index"
    case .narrowName: "narrow: fetch 200,000 by column name"
    case .narrowCodable: "narrow: fetch 200,000 Codable records"
    case .narrowRows: "narrow: Row.fetchAll of 200,000"
    case .narrowKey: "narrow: fetch by primary key, Codable"
    case .narrowFilter: "narrow: filter and fetch one, Codable"
    case .narrowPairs: "narrow: joined 20,000 Codable pairs"
    case .narrowPairsByHand: "narrow: joined 20,000 pairs, init(row:)"
    case .narrowChildren: "narrow: including(all:) 2,000 with 20,000"
    case .narrowChildrenByHand: "narrow: including(all:), init(row:)"
    case .narrowInsertStatement: "narrow: insert 50,000 by statement"
    case .narrowInsertEncode: "narrow: insert 50,000 by encode(to:)"
    case .narrowInsertCodable: "narrow: insert 50,000 Codable records"
    case .narrowInsertMany: "narrow: insert(contentsOf:) 50,000"
    case .textIndex: "insert 100,000 records with an FTS5 index"
    case .textSearch: "search, and fetch the best 10 records"
    case .page: "page of 50 Codable, by an indexed column"
    case .screen: "screen: parent, children, two counts"
    case .screenCounts: "screen: the same as one request"
    case .search: "search by one to three filters, 20 Codable"
    case .commits: "1,000 transactions of one insert"
    case .update: "update one column by key, updateAll"
    case .updateRecord: "update one column by key, a record's"
    case .save: "save 20,000 Codable, half of them exist"
    case .values: "fetch 20,000: UUID, two dates, decimal"
    case .dates: "fetch 20,000 times two dates"
    case .uuids: "fetch 20,000 UUIDs"
    case .decimals: "fetch 20,000 decimals"
    case .valuesInsert: "insert 20,000: UUID, two dates, decimal"
    case .json: "fetch 20,000 with a JSON column"
    case .jsonInsert: "insert 20,000 with a JSON column"
    case .open: "open, 200 tables, first query"
    case .macro: "fetch 200,000 records by macro"
    case .pairsByMacro: "joined fetch of 20,000 pairs, macro"
    case .childrenByMacro: "including(all:), macro"
    case .insertMacro: "insert 50,000 records by macro"
    case .narrowMacro: "narrow: fetch 200,000 by macro"
    case .narrowPairsByMacro: "narrow: joined 20,000 pairs, macro"
    case .narrowChildrenByMacro: "narrow: including(all:), macro"
    case .narrowInsertMacro: "narrow: insert 50,000 by macro"
    }
  }

  /// How many calls one pass makes, where the time of a call says more than that of the pass.
  public var calls: Int? {
    switch self {
    case .key, .filter, .narrowKey, .narrowFilter: Dataset.lookupCount
    case .prepare: Dataset.preparationCount
    case .textSearch: Dataset.searchCount
    case .page: Dataset.pageCount
    case .screen, .screenCounts: Dataset.screenCount
    case .search: Dataset.bookSearchCount
    case .commits: Dataset.transactionCount
    case .update, .updateRecord: Dataset.updateCount
    case .open: Dataset.openingCount
    default: nil
    }
  }

  /// Whether a profiler counts its instructions. Searches take minutes there, nearly all of them in
  /// SQLite. The other lines that are left out are made of the work of these.
  public var isProfiled: Bool {
    switch self {
    case .textIndex, .textSearch, .screen, .search, .commits, .valuesInsert, .jsonInsert, .open:
      false
    default: true
    }
  }

  /// The most that Quarry may cost, as a multiple of the work by hand: the same for narrow rows as
  /// for wide ones.
  public var budget: Double {
    switch self {
    case .index, .narrowIndex: 1.15
    case .name, .narrowName: 1.25
    case .codable, .narrowCodable: 1.8
    case .rows, .narrowRows: 1.2
    case .strings, .integers: 1.05
    case .key, .filter, .narrowKey, .narrowFilter: 2.5
    case .prepare: 0.06
    case .pairs, .narrowPairs: 3
    case .pairsByHand, .narrowPairsByHand: 1.6
    case .children, .narrowChildren: 2.5
    case .childrenByHand, .narrowChildrenByHand: 1.6
    case .insertStatement, .narrowInsertStatement: 0.9
    case .insertEncode, .narrowInsertEncode: 1.1
    case .insertCodable, .narrowInsertCodable: 1.3
    // By hand, too, it is the loop of single rows.
    case .insertMany, .narrowInsertMany: 0.6
    case .textIndex: 1.1
    case .textSearch: 1.5
    // What an application does all day: the budget of the line above that is nearest.
    case .page, .values, .dates, .uuids, .decimals, .json: 1.8
    case .screen, .screenCounts, .search, .commits, .update, .updateRecord, .save, .open: 2.5
    case .valuesInsert, .jsonInsert: 1.3
    case .macro, .narrowMacro: 1.15
    case .pairsByMacro, .narrowPairsByMacro, .childrenByMacro, .narrowChildrenByMacro: 1.6
    case .insertMacro, .narrowInsertMacro: 1.05
    }
  }
}

extension Line {
  /// The lines of the table. Those of records by macro need swift-syntax, and so a trait of this
  /// package: `--traits Macros`.
  public static let built = allCases.filter { line in
    #if Macros
      true
    #else
      !line.isOfMacros
    #endif
  }

  private var isOfMacros: Bool {
    switch self {
    case .macro, .pairsByMacro, .childrenByMacro, .insertMacro, .narrowMacro, .narrowPairsByMacro,
      .narrowChildrenByMacro, .narrowInsertMacro:
      true
    default: false
    }
  }
}

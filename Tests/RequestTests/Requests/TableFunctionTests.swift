import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private let value = Column("value")
private let key = Column("key")
private let title = Column("title")
private let tags = Column("tags")

/// A tale with its tags, a JSON array.
private struct Tale: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "tale"
  static let tagRows = association(to: TableFunction<Tag>("json_each", Column("tags")))
  static let labels = hasMany(
    Label.self, through: tagRows,
    using: TableFunction<Tag>("json_each").association(to: Label.self) { $1["name"] == $0["value"] }
  )

  var id: Int64
  var title: String
  var tags: String?
}

private struct Tag: Decodable, Equatable, FetchableRecord, TableRecord {
  static let guessedLabels = hasMany(Label.self, key: "labels")
  static let labels = hasMany(Label.self, using: ForeignKey(["name"], to: ["value"]))

  var key: Int
  var value: String
}

private struct Label: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "label"
  var name: String
  var color: String
}

private func makeDatabase() throws -> AnyDatabaseWriter {
  let database = try makeEmptyDatabase()
  try database.write { db throws in
    try db.execute(
      sql: """
        CREATE TABLE tale (id INTEGER PRIMARY KEY, title TEXT, tags TEXT);
        INSERT INTO tale VALUES
          (1, 'Voyage', '["sea", "night"]'), (2, 'Harbor', '["sea"]'), (3, 'Silence', '[]'),
          (4, 'Draft', NULL), (5, 'Echo', '["night", "night"]');
        CREATE TABLE label (name TEXT PRIMARY KEY, color TEXT);
        INSERT INTO label VALUES ('sea', 'blue'), ('night', 'black'), ('wind', 'gray');
        """)
  }
  return database
}

private let tales = LiteralSchemaReader([
  LiteralTable(
    "tale", ["id": "INTEGER", "title": "TEXT", "tags": "TEXT"], primaryKey: ["id"]),
  LiteralTable("label", ["name": "TEXT", "color": "TEXT"], primaryKey: ["name"]),
  LiteralTable("json_each", ["key": "TEXT", "value": "TEXT"]),
])

struct TableFunctionSQLTests {
  static let list = #"["a", "b"]"#
  static let each = TableFunction("json_each", list)

  @Test(arguments: [
    RequestCase(each.all(), #"SELECT * FROM "json_each"(?)"#, [list]),
    RequestCase(
      TableFunction("json_each", list, "$").all(), #"SELECT * FROM "json_each"(?, ?)"#, [list, "$"]),
    RequestCase(TableFunction("json_each", nil).all(), #"SELECT * FROM "json_each"(NULL)"#),
    RequestCase(TableFunction("json_each").all(), #"SELECT * FROM "json_each"()"#),
    RequestCase(
      TableFunction("json_each", Author.select(SQL(sql: "json_array(name)")).limit(1)).all(),
      #"SELECT * FROM "json_each"((SELECT json_array(name) FROM "author" LIMIT 1))"#),
    RequestCase(
      each.filter(value == "a").order(key.desc).limit(1, offset: 2),
      #"SELECT * FROM "json_each"(?) WHERE "value" = ? ORDER BY "key" DESC LIMIT 1 OFFSET 2"#,
      [list, "a"]),
    RequestCase(
      each.select(value, count(key)).group(value).having(count(key) > 1),
      #"SELECT "value", COUNT("key") FROM "json_each"(?) GROUP BY "value" HAVING COUNT("key") > ?"#,
      [list, 1]),
    RequestCase(
      each.aliased(TableAlias(name: "e")).select(value),
      #"SELECT "e"."value" FROM "json_each"(?) "e""#, [list]),
    RequestCase(
      Author.filter(each.select(value).contains(Column("name"))),
      #"SELECT * FROM "author" WHERE "name" IN (SELECT "value" FROM "json_each"(?))"#, [list]),
    RequestCase(
      each.select(value).union(Author.select(Column("name"))),
      #"SELECT "value" FROM "json_each"(?) UNION SELECT "name" FROM "author""#, [list]),
  ])
  func `roots`(_ test: RequestCase) throws { try test.check() }

  @Test func `columns of arguments are those of the parent`() throws {
    #expect(
      try sql(of: Tale.joining(required: Tale.tagRows.filter(value == "sea")), schema: tales)
        == RenderedSQL(
          #"SELECT "tale".* FROM "tale" JOIN "json_each"("tale"."tags") ON "json_each"."value" = ?"#,
          ["sea"]))
    #expect(
      try sql(of: Tale.including(optional: Tale.tagRows), schema: tales).sql
        == #"SELECT "tale".*, "json_each".* FROM "tale" LEFT JOIN "json_each"("tale"."tags")"#)
    let values = TableFunction<Tag>("json_each", tags).association(
      to: TableFunction<Row>("json_each", value, "$"))
    #expect(
      try sql(of: Tale.joining(required: Tale.tagRows.joining(required: values)), schema: tales)
        == RenderedSQL(
          """
          SELECT "tale".* FROM "tale" JOIN "json_each"("tale"."tags") "json_each1" \
          JOIN "json_each"("json_each1"."value", ?) "json_each2"
          """, ["$"]))
  }

  @Test func `an alias refers to the enclosing query`() throws {
    let tale = TableAlias<Tale>()
    let rows = TableFunction("json_each", tale[tags]).filter(value == "sea")
    #expect(
      try sql(of: Tale.aliased(tale).filter(rows.exists()), schema: tales)
        == RenderedSQL(
          """
          SELECT * FROM "tale" \
          WHERE EXISTS (SELECT * FROM "json_each"("tale"."tags") WHERE "value" = ?)
          """, ["sea"]))
  }

  @Test func `a function with the name of its schema`() throws {
    let database = try makeDatabase()
    let rows = Tale.association(to: TableFunction<Tag>("main.json_each", tags))
    let titles = try database.read { db in
      try Tale.joining(required: rows.filter(value == "sea")).order(Column("id")).fetchAll(db)
        .map(\.title)
    }
    #expect(titles == ["Voyage", "Harbor"])
  }

  @Test func `required behind optional`() throws {
    let label = TableFunction<Tag>("json_each", tags).association(to: Label.self) {
      $1["name"] == $0["value"]
    }
    #expect(
      try sql(of: Tale.joining(optional: Tale.tagRows.joining(required: label)), schema: tales).sql
        == """
        SELECT "tale".* FROM "tale" LEFT JOIN "json_each"("tale"."tags") \
        ON EXISTS (SELECT 1 FROM "label" WHERE "label"."name" = "json_each"."value") \
        LEFT JOIN "label" ON "label"."name" = "json_each"."value"
        """)
  }
}

@Suite(.onQueueAndPool)
struct TableFunctionTests {
  @Test func `rows are decoded as any type`() throws {
    try makeDatabase().read { db throws in
      let each = TableFunction<Tag>("json_each", #"["sea", "night"]"#)
      #expect(
        try each.order(key).fetchAll(db)
          == [Tag(key: 0, value: "sea"), Tag(key: 1, value: "night")])
      #expect(try each.select(value, as: String.self).fetchSet(db) == ["sea", "night"])
      #expect(try each.all().fetchCount(db) == 2)
      #expect(try each.filter(value == "wind").isEmpty(db))
      #expect(try each.all().fetchOne(db)?.value == "sea")
      #expect(
        try TableFunction("json_each", #"[1, 2]"#).select(sum(value), as: Int.self).fetchOne(db)
          == 3)
    }
  }

  @Test func `hidden columns are selected by name`() throws {
    try makeDatabase().read { db throws in
      let each = TableFunction("json_each", "[7]")
      #expect(try Array(each.all().fetchOne(db)!.columnNames.prefix(2)) == ["key", "value"])
      #expect(try each.all().fetchOne(db)!.columnNames.contains("json") == false)
      #expect(try each.select(Column("json"), as: String.self).fetchOne(db) == "[7]")
    }
  }

  @Test func `joined rows`() throws {
    struct TaggedTale: Decodable, Equatable, FetchableRecord {
      var tale: Tale
      var tag: Tag?
    }
    try makeDatabase().read { db throws in
      let tagged = try Tale.including(optional: Tale.tagRows.forKey("tag")).order(Column("id"))
        .asRequest(of: TaggedTale.self).fetchAll(db)
      #expect(
        tagged.map { "\($0.tale.id) \($0.tag?.value ?? "none")" }.sorted()
          == ["1 night", "1 sea", "2 sea", "3 none", "4 none", "5 night", "5 night"])
      let tag = TableAlias<Tag>()
      let missing = Tale.joining(optional: Tale.tagRows.aliased(tag)).filter(!tag.exists)
      #expect(try missing.fetchAll(db).map(\.id) == [3, 4])
    }
  }

  @Test func `correlated subqueries`() throws {
    try makeDatabase().read { db throws in
      let tale = TableAlias<Tale>()
      let values = TableFunction("json_each", tale[tags]).select(value)
      #expect(
        try Tale.aliased(tale).filter(values.contains("night")).fetchAll(db).map(\.id) == [1, 5])
      let number = TableFunction("json_each", tale[tags]).select(count(value))
      #expect(try Tale.aliased(tale).filter(number > 1).fetchAll(db).map(\.id) == [1, 5])
    }
  }

  @Test func `records behind a function are prefetched`() throws {
    struct LabeledTale: Decodable, FetchableRecord {
      var id: Int64
      var labels: [Label]
    }
    try makeDatabase().read { db throws in
      for _ in 1...3 {
        let tales = try Tale.including(all: Tale.labels.order(Column("name"))).order(Column("id"))
          .asRequest(of: LabeledTale.self).fetchAll(db)
        #expect(
          tales.map { "\($0.id) \($0.labels.map(\.color))" } == [
            #"1 ["black", "blue"]"#, #"2 ["blue"]"#, "3 []", "4 []", #"5 ["black", "black"]"#,
          ])
      }
      #expect(
        try Tale.joining(required: Tale.labels.filter(Column("color") == "black"))
          .fetchAll(db).map(\.id) == [1, 5, 5])
    }
  }

  @Test func `the rows of a function are prefetched and joined`() throws {
    struct TaggedTale: Decodable, FetchableRecord {
      var id: Int64
      var tags: [Tag]
    }
    let all = Tale.hasMany(TableFunction<Tag>("json_each", Column("tags")), key: "tags")
    try makeDatabase().read { db throws in
      let lists = { (request: QueryInterfaceRequest<Tale>) in
        try request.order(Column("id")).select(Column("id")).asRequest(of: TaggedTale.self)
          .fetchAll(db)
          .map { "\($0.id) \($0.tags.map(\.value).joined(separator: ","))" }
      }
      #expect(
        try lists(Tale.including(all: all.order(key)))
          == ["1 sea,night", "2 sea", "3 ", "4 ", "5 night,night"])
      #expect(
        try lists(Tale.including(all: all.filter(value == "sea")))
          == ["1 sea", "2 sea", "3 ", "4 ", "5 "])
      #expect(
        try Tale.joining(required: all.filter(value == "sea")).order(Column("id")).fetchAll(db)
          .map(\.id) == [1, 2])
      // A row without key can't be distinguished from another one.
      #expect(throws: InvalidRequest.self) { try Tale.annotated(with: all.count).fetchAll(db) }
      #expect(throws: InvalidRequest.self) { try Tale.having(all.isEmpty).fetchAll(db) }
      let tale = try Tale.find(db, key: 5)
      // The function itself, with the value of the record, is the request.
      #expect(throws: InvalidRequest.self) { try tale.request(for: all).fetchAll(db) }
      #expect(
        try invalidity(of: tale.request(for: Tale.labels).fetchAll(db)) == """
          The request for the associated records of a record needs a foreign key: filter a request \
          by the values of the record instead
          """)
      #expect(
        try Table<Tale>("tale").select(Column("id")).including(
          all: Table<Tale>("tale").hasMany(
            TableFunction<Tag>("json_each", Column("tags")), key: "tags")
        ).order(Column("id"))
          .asRequest(of: TaggedTale.self).fetchAll(db)[1].tags == [Tag(key: 0, value: "sea")])
      #expect(throws: InvalidRequest.self) {
        try lists(Tale.including(all: all.limit(1)))
      }
    }
  }

  @Test func `a common table expression and a table function`() throws {
    try makeDatabase().read { db throws in
      let sea = CommonTableExpression<Tale>(named: "sea", request: Tale.filter(title == "Voyage"))
      let rows = sea.association(to: TableFunction<Tag>("json_each", tags))
      #expect(
        try sea.all().with(sea).joining(required: rows.filter(value == "night")).fetchCount(db) == 1
      )
    }
  }

  @Test func `the name may have that of a schema`() throws {
    try makeDatabase().read { db throws in
      let request = TableFunction("main.json_each", "[1, 2]").select(value)
      #expect(
        try sql(of: request, in: db).sql
          == #"SELECT "value" FROM "main"."json_each"(?)"#)
      #expect(try request.fetchCount(db) == 2)
    }
  }

  @Test func `virtual tables are functions of their hidden columns`() throws {
    guard SQLiteFeature.fullText.isAvailable else { return }
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE page USING fts5(body);
          INSERT INTO page VALUES ('gray sea'), ('black night');
          CREATE VIRTUAL TABLE word USING fts5vocab(page, row);
          """)
      let pages = TableFunction("page", "sea").select(Column("body"), as: String.self)
      #expect(try pages.fetchAll(db) == ["gray sea"])
      #expect(
        try Table("word").select(Column("term"), as: String.self).fetchAll(db)
          == ["black", "gray", "night", "sea"])
      #expect(try TableFunction("main.page", "sea").all().fetchCount(db) == 1)
    }
  }

  @Test func `a warm request has the rows of its own arguments`() throws {
    try makeDatabase().read { db throws in
      for (text, path) in [("a", "$"), ("b", "$"), ("c", "$.x"), ("d", "$")] {
        let json = path == "$" ? #"["\#(text)"]"# : #"{"x": ["\#(text)"]}"#
        let request = TableFunction("json_each", json, path).select(value, as: String.self)
        #expect(try request.fetchAll(db) == [text])
      }
      for position in [0, 1, 0, 1] {
        let rows = Tale.association(
          to: TableFunction<Tag>("json_each", tags, "$[\(position)]"))
        let request = Tale.joining(required: rows.filter(value == "night"))
        #expect(try request.fetchAll(db).map(\.id) == (position == 0 ? [5] : [1, 5]))
      }
      // The structure has the number of arguments, their nulls, and the name.
      let list = "[1]"
      for _ in 1...3 {
        #expect(try TableFunction("json_each", list).all().fetchCount(db) == 1)
        #expect(try TableFunction("json_each", list, "$.x").all().fetchCount(db) == 0)
        #expect(try TableFunction("json_each", nil).all().fetchCount(db) == 0)
        #expect(try TableFunction("json_tree", list).all().fetchCount(db) == 2)
      }
      #expect(db.compiledQueries.count > 4)
    }
  }

  @Test func `the region has the tables of the arguments`() throws {
    try makeDatabase().read { db throws in
      func region<T>(_ request: QueryInterfaceRequest<T>) throws -> String {
        try request.makePreparedRequest(db).statement.databaseRegion.description
      }
      let rows = Tale.tagRows.filter(value == "sea")
      let joined = try region(Tale.select(title).joining(required: rows))
      // The first use of a function in a connection also reads the schema table.
      #expect(joined.hasPrefix("json_each(") && joined.hasSuffix("tale(tags,title)"))
      let texts = TableFunction("json_each", Tale.select(tags).limit(1)).select(value)
      #expect(try region(texts) == "json_each(value),tale(tags)")
    }
  }

  @Test func `an observation follows the arguments`() async throws {
    let database = try makeDatabase()
    let observation = ValueObservation.tracking { db throws in
      try TableFunction("json_each", Tale.filter(key: 2).select(tags)).select(value)
        .asRequest(of: String.self).fetchAll(db)
    }
    var values = observation.values(in: database).makeAsyncIterator()
    #expect(try await values.next() == ["sea"])
    try await database.write { db throws in
      try db.execute(sql: #"UPDATE tale SET tags = '["wind"]' WHERE id = 2"#)
    }
    #expect(try await values.next() == ["wind"])
  }
}

struct TableFunctionErrorTests {
  private func text<T>(_ body: (Database) throws -> T) throws -> String {
    let database = try makeDatabase()
    return try #require(errorText { try database.write(body) })
  }

  @Test func `unknown functions`() throws {
    // Some versions of SQLite list a function once it was used.
    func used(_ db: Database) throws {
      _ = try Row.fetchAll(db, sql: "SELECT * FROM json_each('[]')")
    }
    let unknown = try text { db throws in
      try used(db)
      return try TableFunction("json_eech", "[1]").all().fetchAll(db)
    }
    #expect(unknown.contains("no such table: json_eech"))
    #expect(unknown.contains(#"did you mean "json_each"?"#))
    let joined = try text { db throws in
      try used(db)
      return try Tale.including(
        required: Tale.association(to: TableFunction<Tag>("jsn_each", tags))
      )
      .fetchAll(db)
    }
    #expect(joined.contains(#"did you mean "json_each"?"#))
    let other = try text { try TableFunction("split_words", "a b").all().fetchAll($0) }
    #expect(other.contains("register them in `prepareDatabase`"))
  }

  @Test func `tables and arguments`() throws {
    let table = try text { try TableFunction("tale", 1).all().fetchAll($0) }
    #expect(table.contains("'tale' is not a function"))
    #expect(table.contains(#"Table("tale") reads it"#))
    let many = try text { try TableFunction("json_each", 1, 2, 3).all().fetchAll($0) }
    #expect(many.contains("too many arguments on json_each() - max 2"))
    #expect(many.contains(#"its parameters are: "json", "root""#))
    #expect(
      try text { try TableFunction("json_each", "[").all().fetchAll($0) }.contains("malformed JSON")
    )
  }

  @Test func `columns of no parent`() throws {
    let root = try text { try TableFunction("json_each", tags).all().fetchAll($0) }
    #expect(
      root == """
        The arguments of the table function "json_each" contain columns of the source that it is \
        joined to, but it begins a request. To fix this error, join it with association(to:), or \
        refer to the source with a TableAlias. - in request SELECT … FROM "json_each" …
        """)
    let subquery = try text { db throws in
      try Tale.filter(TableFunction("json_each", tags).filter(value == "sea").exists()).fetchAll(db)
    }
    #expect(subquery.contains("refer to the source with a TableAlias"))
    let misspelled = try text { db throws in
      try Tale.joining(
        required: Tale.association(to: TableFunction<Tag>("json_each", Column("tag")))
      )
      .fetchAll(db)
    }
    #expect(misspelled.contains("no such column: tale.tag"))
    #expect(misspelled.contains(#"did you mean "tags"?"#))
  }

  @Test func `right and full joins`() throws {
    let message = "The table function \"json_each\" can't be in a right or full join"
    #expect(try text { try Tale.joining(right: Tale.tagRows).fetchAll($0) }.contains(message))
    #expect(try text { try Tale.joining(full: Tale.tagRows).fetchAll($0) }.contains(message))
  }

  @Test func `requests that need a key`() throws {
    let each = TableFunction<Tag>("json_each", "[1]")
    let message = "The table function \"json_each\" has no primary key"
    #expect(try text { try each.all().filter(key: 1).fetchAll($0) }.contains(message))
    #expect(try text { try each.all().orderByPrimaryKey().fetchAll($0) }.contains(message))
    #expect(try text { try each.all().groupByPrimaryKey().fetchAll($0) }.contains(message))
  }

  @Test func `updates and deletions`() throws {
    let each = TableFunction<Tag>("json_each", "[1]")
    let message = "rows of the table function \"json_each\": they are computed"
    #expect(try text { try each.all().deleteAll($0) }.contains("Can't delete \(message)"))
    #expect(
      try text { try each.all().updateAll($0, [value.set(to: 1)]) }.contains(
        "Can't update \(message)"))
  }

  @Test func `prefetches along a foreign key`() throws {
    struct LabelsOfTag: Decodable, FetchableRecord {
      var value: String
      var labels: [Label]
    }
    let each = TableFunction<Tag>("json_each", #"["wind", "sun"]"#)
    let guess = try text { try each.all().including(all: Tag.guessedLabels).fetchAll($0) }
    #expect(guess.contains("Could not infer foreign key from 'label' to 'json_each'"))
    let known = try makeDatabase().read { db throws in
      try each.all().including(all: Tag.labels).asRequest(of: LabelsOfTag.self).fetchAll(db)
    }
    #expect(known.map { "\($0.value) \($0.labels.map(\.color))" } == [#"wind ["gray"]"#, "sun []"])
    let limited = try text { db throws in
      try each.all().including(all: Tag.labels.limit(1)).fetchAll(db)
    }
    #expect(limited.contains("needs a primary key in table function \"json_each\""))
  }

  @Test func `one key for two functions`() throws {
    let first = Tale.association(to: TableFunction<Tag>("json_each", tags))
    let other = Tale.association(to: TableFunction<Tag>("json_each", title))
    let ambiguous = try text {
      try Tale.joining(required: first).joining(required: other).fetchAll($0)
    }
    #expect(ambiguous.contains("is ambiguous. Use the Association.forKey(_:) method"))
    #expect(ambiguous.contains("different rows of the table function \"json_each\""))
    try makeDatabase().read { db throws in
      for word in ["sea", "night", "sea"] {
        let same = Tale.association(to: TableFunction<Tag>("json_each", tags))
        let request = Tale.joining(required: first).joining(required: same.filter(value == word))
        #expect(try request.fetchCount(db) == (word == "sea" ? 2 : 3))
      }
      let paths = Tale.association(to: TableFunction<Tag>("json_each", tags, "$[0]"))
      for path in ["$[0]", "$[1]", "$[0]", "$[1]"] {
        let other = Tale.association(to: TableFunction<Tag>("json_each", tags, path))
        let request = Tale.joining(required: paths).joining(required: other)
        #expect((errorText { try request.fetchCount(db) } == nil) == (path == "$[0]"))
      }
    }
  }
}

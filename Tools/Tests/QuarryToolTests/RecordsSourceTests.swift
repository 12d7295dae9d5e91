import Testing

/// What `quarry records` writes, and what it leaves out.
struct RecordsSourceTests {
  @Test func `records can be public`() throws {
    try withScratch { scratch in
      let run = try Tool.quarry(
        "records", scratch.database("shop.sqlite", Schemas.shop), "--access", "public")
      #expect(run.lines.first == "public import Quarry")
      #expect(run.lines.contains("  public static let books = hasMany(Book.self)"))
    }
  }

  @Test func `what the library does by itself is not written`() throws {
    try withScratch { scratch in
      let path = try scratch.database("shop.sqlite", Schemas.shop)
      try #expect(
        Tool.quarry("records", path).output.hasPrefix(
          """
          import Quarry

          /// A row of the table `author`.
          struct Author: Codable, Hashable, Sendable, FetchableRecord, MutablePersistableRecord {
            var id: Int64?
            var name: String
            var country: String?

            mutating func didInsert(_ inserted: InsertionSuccess) {
              id = inserted.rowID
            }

            enum Columns {
              static let id = Column(CodingKeys.id)
              static let name = Column(CodingKeys.name)
              static let country = Column(CodingKeys.country)
            }

            static let books = hasMany(Book.self)
          }

          """))
    }
  }

  @Test func `a column with the name of a member of all records gets another one`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "files.sqlite",
        "CREATE TABLE file (id INTEGER PRIMARY KEY, hash_value TEXT NOT NULL, self TEXT)")
      let run = try Tool.quarry("records", path)
      for line in [
        "  var hashValueValue: String", "  var selfValue: String?",
        "    case hashValueValue = \"hash_value\"", "    case selfValue = \"self\"",
      ] {
        #expect(run.lines.contains(line), "\(line)")
      }
    }
  }

  @Test func `keys are written where the default is another one`() throws {
    try withScratch { scratch in
      let run = try Tool.quarry("records", scratch.database("odd.sqlite", Schemas.odd))
      let links = run.lines.filter { $0.contains(" = belongsTo(") || $0.contains(" = has") }
      #expect(
        links == [
          "  static let orderDetails = hasMany(OrderDetail.self, key: \"orderDetails\")",
          "  static let orderLink = belongsTo(Order.self, key: \"order\")",
          "  static let person = belongsTo(Person.self)",
          "  static let passport = hasOne(Passport.self)",
          "  static let boss = belongsTo(Person.self, key: \"boss\", using: ForeignKey([\"boss\"]))",
          "  static let peopleAsBoss = hasMany(Person.self, key: \"peopleAsBoss\", using: ForeignKey([\"boss\"]))",
          "  static let mother = belongsTo(Person.self, key: \"mother\", using: ForeignKey([\"mother_id\"]))",
          "  static let peopleAsMother = hasMany(Person.self, key: \"peopleAsMother\", using: ForeignKey([\"mother_id\"]))",
          "  static let personTags = hasMany(PersonTag.self, key: \"personTags\")",
          "  static let tags = hasMany(Tag.self, through: personTags, using: PersonTag.tag)",
          "  static let person = belongsTo(Person.self)",
          "  static let tag = belongsTo(Tag.self)",
          "  static let personTags = hasMany(PersonTag.self, key: \"personTags\")",
          "  static let people = hasMany(Person.self, through: personTags, using: PersonTag.person)",
        ])
    }
  }

  @Test func `tables whose names differ in normalization have their own types`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "twins.sqlite",
        "CREATE TABLE \"caf\u{E9}\" (a INTEGER); CREATE TABLE \"cafe\u{301}\" (b REAL, c DATE);")
      let run = try Tool.quarry("records", path)
      #expect(
        run.lines.filter { $0.contains("  var ") }
          == ["  var a: Int?", "  var b: Double?", "  var c: Date?"])
    }
  }

  @Test func `columns of a wide table have their types`() throws {
    try withScratch { scratch in
      let columns = (0..<401).map { "c\($0) INTEGER" }.joined(separator: ", ")
      let path = try scratch.database(
        "wide.sqlite", "CREATE TABLE wide (\(columns)); INSERT INTO wide (c400) VALUES ('x');")
      let run = try Tool.quarry("records", path)
      #expect(
        run.lines.filter { $0.hasPrefix("  var ") } == (0..<401).map { "  var c\($0): Int?" })
      #expect(
        run.output.contains(
          "  // 1 value of another type: reading them as Int may throw.\n  var c400: Int?\n"))
    }
  }

  /// SQLite takes all of these texts for dates.
  @Test(arguments: [
    ("DATETIME", "('2024-02-29'), ('2024-02-29T12:00:00.5Z'), (NULL)", "Date"),
    ("TIME", "('09:00')", "String"),
    ("DATETEXT", "('2024-02-29'), ('2024')", "String"),
    ("DATETIME", "('2024-02-29'), ('2024-02-29  12:00')", "String"),
  ])
  func `a column is one of dates if the library reads its texts as dates`(
    type: String, values: String, expected: String
  ) throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "dates.sqlite", "CREATE TABLE t (d \(type)); INSERT INTO t VALUES \(values);")
      let run = try Tool.quarry("records", path)
      #expect(run.lines.contains("  var d: \(expected)?"))
      #expect(!run.output.contains("  // "))
    }
  }

  @Test func `numbers in a column of dates are mentioned`() throws {
    try withScratch { scratch in
      // 2024 is an integer in a column of the affinity NUMERIC.
      let path = try scratch.database(
        "dates.sqlite", "CREATE TABLE t (d DATE); INSERT INTO t VALUES ('2024-02-29'), ('2024');")
      let run = try Tool.quarry("records", path)
      #expect(
        run.output.contains("  // 1 number: read as seconds since 1970.\n  var d: Date?\n"))
    }
  }

  @Test func `values of another type than their column are mentioned`() throws {
    try withScratch { scratch in
      let path = try scratch.database(
        "mixed.sqlite",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (1, 'x');")
      let run = try Tool.quarry("records", path)
      #expect(
        run.output.contains(
          "  // 1 value of another type: reading them as Int may throw.\n  var n: Int?\n"))
    }
  }
}

import QuarryTestSupport
import Testing

@testable import Quarry

private struct Shop: TableRecord {
  static let sellers = hasMany(Seller.self)
}

private struct Seller: TableRecord {
  static let shop = belongsTo(Shop.self)
  static let colleagues = hasMany(
    Seller.self, through: shop, using: Shop.sellers, key: "colleagues")
}

private struct Box: TableRecord {
  static let items = hasMany(Item.self)
  static let notes = hasMany(Note.self)
}

private struct Item: TableRecord {}
private struct Note: TableRecord {}
private struct Code: TableRecord {}
private struct Mark: TableRecord {}
private struct Crate: TableRecord {}
private struct Lid: TableRecord {}

/// Keys that SQLite compares as equal, and that are other values.
@Suite(.onQueueAndPool)
struct EqualKeyPrefetchTests {
  private static let schema = """
    CREATE TABLE shop (city TEXT COLLATE NOCASE, number INTEGER, PRIMARY KEY (city, number));
    CREATE TABLE seller (
      id INTEGER PRIMARY KEY, city TEXT COLLATE NOCASE, number INTEGER,
      FOREIGN KEY (city, number) REFERENCES shop(city, number));
    CREATE TABLE box (id INTEGER PRIMARY KEY, label TEXT COLLATE NOCASE UNIQUE);
    CREATE TABLE item (id INTEGER PRIMARY KEY, boxId TEXT REFERENCES box(id), label TEXT);
    CREATE TABLE crate (id INTEGER PRIMARY KEY, label TEXT UNIQUE);
    CREATE TABLE lid (id INTEGER PRIMARY KEY, label TEXT COLLATE NOCASE);
    INSERT INTO crate VALUES (1, 'Pears'), (2, 'PEARS'), (3, 'Figs'), (4, '012'), (5, '12');
    INSERT INTO lid VALUES (1, 'pears'), (2, 'Figs'), (3, '012'), (4, '12');
    INSERT INTO shop VALUES ('Lyon', 1), ('Lyon', 2), ('Rome', 1);
    INSERT INTO seller VALUES
      (1, 'LYON', 1), (2, 'Lyon', 1), (3, 'Rome', 1), (4, NULL, 1), (5, 'Lyon', 2);
    INSERT INTO box VALUES (1, 'Nails'), (20, 'Screws'), (3, NULL);
    CREATE TABLE note (id INTEGER PRIMARY KEY, boxId REFERENCES box(id));
    INSERT INTO note VALUES (1, '1'), (2, 1), (3, 20.0), (4, NULL);
    INSERT INTO item VALUES (1, '1', 'nails'), (2, '20', 'Screws'), (3, '20', NULL), (4, NULL, 'x'),
      (5, '01', NULL);
    CREATE TABLE code (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE mark (id INTEGER PRIMARY KEY, codeName REFERENCES code(name));
    INSERT INTO code VALUES (1, '7');
    INSERT INTO mark VALUES (1, 7), (2, '7');
    CREATE TABLE sticker (label TEXT, number INTEGER);
    INSERT INTO sticker VALUES ('Figs', 20), ('pears', 1), ('PEARS', NULL);
    CREATE TABLE cover (id INTEGER PRIMARY KEY, label TEXT COLLATE swiftCaseInsensitiveCompare);
    INSERT INTO cover VALUES (1, 'figs');
    CREATE VIEW itemView AS SELECT id, boxId FROM item;
    CREATE VIEW lidView AS SELECT id, label FROM lid;
    CREATE VIEW crateView AS SELECT id, label FROM crate;
    CREATE TABLE tag (id INTEGER PRIMARY KEY, number INTEGER COLLATE NOCASE);
    INSERT INTO tag VALUES (1, 'a'), (2, 'B'), (3, 7);
    CREATE VIEW tagView AS SELECT id, number FROM tag;
    CREATE TABLE ticket (id INTEGER PRIMARY KEY, number INTEGER);
    INSERT INTO ticket VALUES (1, 'a'), (2, 'A'), (3, 7), (4, 'b'), (5, 2.5);
    CREATE VIEW ticketView AS SELECT id, number FROM ticket;
    CREATE VIEW shopView AS SELECT city, number FROM shop;
    CREATE VIEW codeView (id, name) AS
      VALUES (1, '7'), (2, 7), (3, '2.5'), (4, 2.5), (5, '1-2'), (6, '20');
    """

  private func ids(
    _ request: QueryInterfaceRequest<some Any>, _ key: String
  ) throws -> [[Int]?] {
    let database = try makeDatabase(sql: Self.schema)
    // A request that is known finds the same.
    let found = try (1...3).map { _ in
      try database.read { db throws in
        try request.asRequest(of: Row.self).fetchAll(db)
          .map { $0.prefetchedRows[key]?.map { $0["id"] as Int } }
      }
    }
    #expect(found[1] == found[0] && found[2] == found[0])
    return found[0]
  }

  @Test func `texts that a collation takes for equal`() throws {
    let sellers = Shop.sellers.order(Column("id"))
    let request = Shop.order(Column("city"), Column("number")).including(all: sellers)
    #expect(try ids(request, "sellers") == [[1, 2], [5], [3]])
    #expect(try ids(request.limit(1), "sellers") == [[1, 2]])
    let labels = Box.hasMany(
      Item.self, key: "labelled", using: ForeignKey(["label"], to: ["label"]))
    // As in a join to the items, their column compares, which has no collation.
    #expect(
      try ids(Box.order(Column("id")).including(all: labels), "labelled") == [[], [], [2]])
  }

  /// The shop is joined, so that the order is one by the column, which has a qualifier.
  @Test func `the first record is that without a limit`() throws {
    let sellers = Shop.sellers.select((Column("id") * -1).forKey("id"), Column("city"))
      .order(Column("id"))
    let request = Shop.order(Column("city"), Column("number"))
    #expect(try ids(request.including(all: sellers), "sellers") == [[-1, -2], [-5], [-3]])
    #expect(try ids(request.including(all: sellers.limit(1)), "sellers") == [[-1], [-5], [-3]])
  }

  /// A row that has two parents is there for both.
  @Test func `the collation of the associated column compares`() throws {
    let lids = Crate.hasMany(Lid.self, using: ForeignKey(["label"], to: ["label"]))
    let request = Crate.filter(Column("id") < 4).order(Column("id"))
    #expect(try ids(request.including(all: lids), "lids") == [[1], [1], [2]])
    let joined = request.joining(required: lids).select(Column("id"), as: Int.self)
    #expect(try makeDatabase(sql: Self.schema).read { try joined.fetchAll($0) } == [1, 2, 3])
  }

  @Test func `limited ones, and those that refer to the parent, compare the same way`() throws {
    let lids = Crate.hasMany(Lid.self, using: ForeignKey(["label"], to: ["label"]))
    let crate = TableAlias()
    let request = Crate.aliased(crate).filter(Column("id") < 4).order(Column("id"))
    for association in [
      lids.limit(1), lids.order(Column("id").desc).limit(2),
      lids.filter(crate[Column("id")] > 0), lids.filter(crate[Column("id")] > 0).limit(1),
    ] {
      #expect(try ids(request.including(all: association), "lids") == [[1], [1], [2]])
    }
    let box = TableAlias()
    let items = Box.items.order(Column("id"))
    let boxes = Box.aliased(box).order(Column("id"))
    #expect(
      try ids(boxes.including(all: items.filter(box[Column("id")] > 0)), "items")
        == [[1, 5], [], [2, 3]])
    #expect(
      try ids(boxes.including(all: items.filter(box[Column("id")] > 0).limit(1)), "items")
        == [[1], [], [2]])
    #expect(try ids(boxes.including(all: items.limit(1)), "items") == [[1], [], [2]])
  }

  /// The crate of a lid has the label of the lid, in its own collation.
  @Test func `a belonging record through the lids`() throws {
    let crate = TableAlias()
    let crates = Crate.hasMany(
      Crate.self,
      through: Crate.hasMany(Lid.self, using: ForeignKey(["label"], to: ["label"])),
      using: Lid.belongsTo(Crate.self, using: ForeignKey(["label"], to: ["label"])))
    let request = Crate.aliased(crate).filter(Column("id") < 4).order(Column("id"))
    // 'pears' is no label of a crate, for the collation of crates.
    let expected: [[Int]?] = [[], [], [3]]
    #expect(try ids(request.including(all: crates), "crates") == expected)
    #expect(try ids(request.including(all: crates.limit(1)), "crates") == expected)
    #expect(
      try ids(request.including(all: crates.filter(crate[Column("id")] > 0)), "crates") == expected)
  }

  @Test func `the collation of a column of a view`() throws {
    let lids = Crate.hasMany(
      Table("lidView"), key: "lids", using: ForeignKey(["label"], to: ["label"]))
    let request = Crate.filter(Column("id") < 4).order(Column("id")).including(all: lids)
    #expect(try ids(request, "lids") == [[1], [1], [2]])
    #expect(try ids(request.filter(keys: [1, 3]), "lids") == [[1], [2]])
    let key = ForeignKey(["number"], to: ["number"])
    let tickets = Table("ticket").order(Column("id"))
    let tags = Table("ticket").hasMany(Table("tagView"), key: "tags", using: key)
    #expect(try ids(tickets.including(all: tags), "tags") == [[1], [1], [3], [2], []])
    #expect(
      try ids(tickets.filter(Column("id") > 1).including(all: tags), "tags") == [[1], [3], [2], []])
  }

  @Test func `the collation of a column of a query`() throws {
    let key = ForeignKey(["label"], to: ["label"])
    let cte = CommonTableExpression(named: "lids", request: Lid.all())
    let request = Crate.with(cte).filter(Column("id") < 4).order(Column("id"))
    #expect(
      try ids(request.including(all: Crate.hasMany(cte, key: "lids", using: key)), "lids")
        == [[1], [1], [2]])
    // The column that identifies a lid is not needed, where no key is like another one.
    let crates = Table("lid").hasMany(Table("crateView"), key: "crates", using: key)
    let lids = Table("lid").filter(Column("id") < 3).select(Column("label")).order(Column("id"))
    #expect(try ids(lids.including(all: crates), "crates") == [[], [3]])
  }

  /// A view without primary key can't be joined: its keys have to be those of the associated rows.
  @Test func `keys of a view that only a collation takes for equal`() throws {
    let crates = Table("crateView")
    let lids = crates.hasMany(Lid.self, using: ForeignKey(["label"], to: ["label"]))
    func found(_ filter: SQLExpression) throws -> [[Int]?] {
      try ids(crates.filter(filter).order(Column("id")).including(all: lids), "lids")
    }
    #expect(try found(Column("id") == 3) == [[2]])
    for filter in [Column("id") <= 2, Column("id") == 1] {
      let error = try invalidity(of: found(filter))
      #expect(
        error?.contains(#"needs a primary key in table "crateView""#) == true, "\(error ?? "")")
    }
    // Texts that are the same number, and other texts.
    let digits = crates.filter([4, 5].contains(Column("id"))).order(Column("id"))
    #expect(try ids(digits.including(all: lids), "lids") == [[3], [4]])
    let tags = Table("ticketView").hasMany(
      Table("tagView"), key: "tags", using: ForeignKey(["number"], to: ["number"]))
    let tickets = Table("ticketView").order(Column("id")).including(all: tags)
    #expect(try ids(tickets.filter(Column("id") > 2 && Column("id") != 4), "tags") == [[3], []])
    #expect(try invalidity(of: ids(tickets.filter(Column("id") < 4), "tags")) != nil)
    // '01' is the number 1 for SQLite.
    let items = Table("ticketView").hasMany(Item.self, using: ForeignKey(["boxId"], to: ["id"]))
    let numbers = Table("ticketView").filter(Column("id") == 1).including(all: items)
    #expect(try invalidity(of: ids(numbers, "items"))?.contains("needs a primary key in") == true)
    // Texts and numbers that a text takes for equal.
    let coded = Table("codeView").hasMany(
      Item.self, key: "items", using: ForeignKey(["boxId"], to: ["name"]))
    func codes(_ ids: ClosedRange<Int>) throws -> [[Int]?] {
      try self.ids(
        Table("codeView").filter(ids.contains(Column("id"))).order(Column("id"))
          .including(all: coded), "items")
    }
    #expect(try codes(4...6) == [[], [], [2, 3]])
    for ids in [1...2, 3...4] {
      #expect(try invalidity(of: codes(ids))?.contains("needs a primary key in") == true)
    }
    let sellers = Table("shopView").hasMany(
      Seller.self, using: ForeignKey(["city", "number"], to: ["city", "number"]))
    func shops(_ filter: SQLExpression) throws -> [[Int]?] {
      try ids(Table("shopView").filter(filter).including(all: sellers), "sellers")
    }
    #expect(try shops(Column("city") == "Rome") == [[3]])
    #expect(try shops(Column("number") == 2) == [[5]])
    #expect(try invalidity(of: shops(Column("number") == 1))?.contains("primary key") == true)
    let rows = crates.select(Column("id"), Column("label")).asTable()
    let error = try invalidity(of: ids(rows.including(all: lids), "lids"))
    #expect(error?.contains("needs a primary key in") == true, "\(error ?? "")")
  }

  /// The rowid of a table without primary key is needed only where values are not enough.
  @Test func `keys of a table without primary key`() throws {
    let stickers = Table("sticker").order(Column("label"))
    let key = ForeignKey(["label"], to: ["label"])
    let lids = Table("sticker").hasMany(Lid.self, using: key)
    func found(_ filter: SQLExpression) throws -> [[Int]?] {
      try ids(stickers.filter(filter).including(all: lids), "lids")
    }
    #expect(try found(Column("label") == "Figs") == [[2]])
    #expect(try found(Column("label") == "pears") == [[1]])
    #expect(try found(Column("label") != "PEARS") == [[2], [1]])
    let advice = "the rowid identifies the records of a table without primary key"
    for filter in [Column("label") == "PEARS", Column("label") != "Figs"] {
      let error = errorText { try found(filter) }
      #expect(error?.contains("Missing column: rowid") == true, "\(error ?? "")")
      #expect(error?.contains(advice) == true, "\(error ?? "")")
    }
    let withRowID = stickers.select(Column("label"), Column("number"), Column.rowID)
    #expect(try ids(withRowID.including(all: lids), "lids") == [[2], [1], [1]])
    // '01' is the number 1 for SQLite, and collations of applications are not known.
    let items = Table("sticker").hasMany(
      Item.self, using: ForeignKey(["boxId"], to: ["number"])
    ).order(Column("id"))
    let covers = Table("sticker").hasMany(Table("cover"), key: "covers", using: key)
    for request in [stickers.including(all: items), stickers.including(all: covers)] {
      let error = errorText { try ids(request, "items") }
      #expect(error?.contains(advice) == true, "\(error ?? "")")
    }
    #expect(try ids(withRowID.including(all: items), "items") == [[2, 3], [], [1, 5]])
    #expect(try ids(withRowID.including(all: covers), "covers") == [[1], [], []])
    let limited = errorText { try ids(stickers.including(all: lids.limit(1)), "lids") }
    #expect(limited?.contains(advice) == true, "\(limited ?? "")")
  }

  @Test func `numbers, and texts of digits`() throws {
    let request = Box.order(Column("id")).including(all: Box.items.order(Column("id")))
    #expect(try ids(request, "items") == [[1, 5], [], [2, 3]])
    #expect(try ids(Box.filter(key: 20).including(all: Box.items), "items") == [[2, 3]])
    // A column without type has the affinity BLOB, which texts don't convert.
    let marks = Code.hasMany(Mark.self, using: ForeignKey(["codeName"], to: ["name"]))
    #expect(try ids(Code.including(all: marks.order(Column("id"))), "marks") == [[2]])
    let seen = Box.hasMany(Table("itemView"), key: "seen", using: ForeignKey(["boxId"], to: ["id"]))
    #expect(
      try ids(Box.order(Column("id")).including(all: seen.order(Column("id"))), "seen")
        == [[1, 5], [], [2, 3]])
    let notes = Box.order(Column("id")).including(all: Box.notes.order(Column("id")))
    #expect(try ids(notes, "notes") == [[1, 2], [], [3]])
  }

  /// In a strict table, `ANY` is no affinity, and texts of digits stay texts.
  @Test(.enabled(if: SQLiteBuild.version >= 3_037_000))
  func `columns of any type`() throws {
    let database = try makeDatabase(
      sql: """
        CREATE TABLE box (id INTEGER PRIMARY KEY);
        CREATE TABLE note (id INTEGER PRIMARY KEY, boxId ANY REFERENCES box(id)) STRICT;
        CREATE TABLE item (id INTEGER PRIMARY KEY, boxId ANY REFERENCES box(id));
        INSERT INTO box VALUES (1), (20);
        INSERT INTO note VALUES (1, '1'), (2, 1), (3, 20.0), (4, NULL);
        INSERT INTO item SELECT * FROM note;
        """)
    let request = Box.order(Column("id"))
      .including(all: Box.notes.order(Column("id")))
      .including(all: Box.items.order(Column("id"))).asRequest(of: Row.self)
    try database.read { db throws in
      #expect(
        try String.fetchAll(db, sql: "SELECT typeof(boxId) FROM note ORDER BY id") == [
          "text", "integer", "real", "null",
        ])
      for _ in 1...3 {
        let boxes = try request.fetchAll(db)
        for key in ["notes", "items"] {
          #expect(
            boxes.map { $0.prefetchedRows[key]?.map { $0["id"] as Int } } == [[1, 2], [3]])
        }
      }
      // As the joins find them.
      #expect(try Box.joining(required: Box.notes).fetchCount(db) == 3)
    }
  }

  @Test func `a record that refers to the pivot`() throws {
    let request = Seller.order(Column("id"))
      .including(all: Seller.colleagues.order(Column("id")))
    #expect(try ids(request, "colleagues") == [[1, 2], [1, 2], [3], [], [5]])
  }

  @Test func `the key that identifies the parents is selected`() throws {
    let request = Seller.select(Column("city"), Column("number"))
      .including(all: Seller.colleagues)
    let database = try makeDatabase(sql: Self.schema)
    try database.read { db throws in
      #expect(
        errorText { try request.asRequest(of: Row.self).fetchAll(db) }?
          .contains("Missing column: id") == true)
    }
  }
}

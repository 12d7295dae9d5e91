import QuarryMigrations
import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let name = Column("name")

/// The association of a table to itself has the name of the table as its key, and so has the record
/// itself.
@Suite(.onQueueAndPool)
struct HiddenRecordTests {
  private static let boss = Employee.belongsTo(Employee.self)
  private static let deputy = Employee.hasOne(Employee.self)

  private struct Info: Decodable, FetchableRecord {
    var employee: Employee
    var boss: Employee?
  }

  private struct Pair: Decodable, FetchableRecord {
    var employee: Employee
    var boss: Employee
  }

  private struct Annotated: Decodable, FetchableRecord {
    var employee: Employee
    var boss: Employee?
    var teamSize: Int
  }

  private func refusal<Record: FetchableRecord & Decodable>(
    _ type: Record.Type, _ request: QueryInterfaceRequest<Employee>
  ) throws -> String? {
    try makeBookshopDatabase().read { db throws in
      let request = request.order(id).asRequest(of: Record.self)
      let differences = try db.schemaDifferences(of: request)
        .filter { $0.kind == .ambiguousAssociation }
      do {
        _ = try request.fetchAll(db)
        #expect(differences.isEmpty)
        return nil
      } catch let error as RowDecodingError {
        let text = "\(error)"
        #expect(differences.count == 1)
        let reason = differences.first?.description ?? ""
        #expect(text.hasPrefix(reason.split(separator: ": ", maxSplits: 1).last ?? "-"))
        #expect(text.contains("sql: `SELECT "))
        // Optimized code describes a private type otherwise than the runtime.
        #expect(reason.hasPrefix("\(error.recordType ?? "-"): "))
        return reason
      }
    }
  }

  private static let hint = """
    the association key "employee" hides the record of the row itself, which property "employee" \
    may be as well: give the association another key, with `key:` or `forKey(_:)`
    """

  @Test func `a property that may be the record itself is refused`() throws {
    let aggregate = Employee.subordinates.count.forKey("teamSize")
    for request in [
      Employee.including(required: Self.boss), Employee.including(optional: Self.boss),
      Employee.including(optional: Self.deputy),
      Employee.including(optional: Employee.manager.forKey("employee")),
      Employee.including(optional: Self.boss).filter(id > 1),
    ] {
      #expect(try refusal(Info.self, request) == "Info: \(Self.hint)")
      #expect(try refusal(Pair.self, request) == "Pair: \(Self.hint)")
      #expect(
        try refusal(Annotated.self, request.annotated(with: aggregate))
          == "Annotated: \(Self.hint)")
    }
  }

  @Test func `a key of its own resolves it`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = Employee.including(optional: Self.boss.forKey("boss")).order(id)
        .asRequest(of: Info.self)
      let infos = try request.fetchAll(db)
      #expect(infos.map(\.employee.name) == ["Ada", "Bo", "Cy", "Di"])
      #expect(infos.map(\.boss?.name) == [nil, "Ada", "Ada", "Bo"])
      #expect(try db.schemaDifferences(of: request).isEmpty)
    }
  }

  @Test func `a record that takes columns of the row is the record itself`() throws {
    struct Flat: Decodable, FetchableRecord {
      var employee: Employee?
      var name: String
    }
    struct Renamed: Decodable, FetchableRecord {
      var worker: String
      var employee: Employee?
    }
    #expect(try refusal(Flat.self, Employee.including(optional: Self.boss)) == nil)
    let renamed = Employee.select(name.forKey("worker")).including(optional: Self.boss)
    #expect(try refusal(Renamed.self, renamed) == nil)
    try makeBookshopDatabase().read { db throws in
      let flat = try Employee.including(optional: Self.boss).order(id).asRequest(of: Flat.self)
        .fetchAll(db)
      #expect(flat.map(\.name) == ["Ada", "Bo", "Cy", "Di"])
      #expect(flat.map(\.employee?.name) == [nil, "Ada", "Ada", "Bo"])
    }
  }

  @Test func `what hides nothing is not refused`() throws {
    struct Worker: Decodable, FetchableRecord {
      var worker: Employee
      var boss: Employee?
    }
    struct Team: Decodable, FetchableRecord {
      var employee: Employee
      var employees: [Employee]
    }
    let team = Employee.including(all: Employee.hasMany(Employee.self))
    #expect(try refusal(Info.self, Employee.all()) == nil)
    #expect(try refusal(Info.self, Employee.joining(required: Self.boss)) == nil)
    #expect(try refusal(Worker.self, Employee.including(optional: Self.boss)) == nil)
    #expect(try refusal(Employee.self, Employee.including(optional: Self.boss)) == nil)
    #expect(try refusal(Team.self, team) == nil)
    try makeBookshopDatabase().read { db throws in
      let teams = try team.order(id).asRequest(of: Team.self).fetchAll(db)
      #expect(teams.map(\.employee.name) == ["Ada", "Bo", "Cy", "Di"])
      #expect(teams.map { $0.employees.map(\.id) } == [[2, 3], [4], [], []])
      // Rows read by hand have scopes by their keys.
      let row = try #require(
        try Row.fetchOne(db, Employee.including(required: Self.boss).filter(id == 2)))
      #expect((row["employee"] as Employee).name == "Ada")
    }
  }

  @Test func `prefetched and nested records`() throws {
    struct Team: Decodable, FetchableRecord {
      var employee: Employee
      var subordinates: [Info]
    }
    struct Chain: Decodable, FetchableRecord {
      struct Above: Decodable {
        var employee: Employee
        var boss: Employee?
      }
      var employee: Employee
      var manager: Above?
    }
    let prefetched = Employee.including(
      all: Employee.subordinates.including(required: Self.boss))
    let nested = Employee.including(
      optional: Employee.manager.including(optional: Self.boss))
    try makeBookshopDatabase().read { db throws in
      let team = prefetched.order(id).asRequest(of: Team.self)
      #expect(throws: RowDecodingError.self) { try team.fetchAll(db) }
      #expect(
        try db.schemaDifferences(of: team).map(\.description) == ["Info: \(Self.hint)"])
      let chain = nested.order(id).asRequest(of: Chain.self)
      let error = #expect(throws: RowDecodingError.self) { try chain.fetchAll(db) }
      #expect(error?.description.contains(Self.hint) == true)
      #expect(
        try db.schemaDifferences(of: chain).filter { $0.kind == .ambiguousAssociation }
          .map(\.description) == ["Chain: \(Self.hint)", "Above: \(Self.hint)"])
    }
  }

  @Test func `an association of an association hides the record`() throws {
    struct BookInfo: Decodable, FetchableRecord {
      var book: Book
      var author: Author
    }
    let debut = Author.hasOne(Book.self)
    try makeBookshopDatabase().read { db throws in
      let request = Book.including(required: Book.author.including(required: debut))
        .asRequest(of: BookInfo.self)
      #expect(throws: RowDecodingError.self) { try request.fetchAll(db) }
      #expect(try db.schemaDifferences(of: request).map(\.kind) == [.ambiguousAssociation])
      let named = Book.including(
        required: Book.author.including(required: debut.forKey("debut")))
      #expect(try named.asRequest(of: BookInfo.self).fetchAll(db).map(\.book.id).max() == 3)
    }
  }

  @Test func `a decoder by hand`() throws {
    struct ByHand: Decodable, FetchableRecord {
      enum CodingKeys: CodingKey { case employee }
      enum EmployeeKeys: CodingKey { case name }
      var name: String?
      init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self)
          .nestedContainer(keyedBy: EmployeeKeys.self, forKey: .employee)
          .decodeIfPresent(String.self, forKey: .name)
      }
    }
    try makeBookshopDatabase().read { db throws in
      let request = Employee.including(required: Self.boss).asRequest(of: ByHand.self)
      #expect(throws: RowDecodingError.self) { try request.fetchAll(db) }
    }
  }

  @Test func `rows of a right join have a scope of themselves`() throws {
    struct BookInfo: Decodable, FetchableRecord {
      var book: Book?
      var author: Author
    }
    guard SQLiteVersion.linked >= SQLiteVersion(3, 39) else { return }
    try makeBookshopDatabase().read { db throws in
      let request = Book.including(right: Book.author).asRequest(of: BookInfo.self)
      #expect(try !request.fetchAll(db).isEmpty)
    }
  }
}

/// Two associations of one request that have one key.
@Suite(.onQueueAndPool)
struct SharedKeyTests {
  private struct Place: Codable, FetchableRecord, TableRecord { var name: String }

  private struct Person: Codable, FetchableRecord, TableRecord {
    static let place = belongsTo(Place.self)
    var id: Int64
  }

  private struct Letter: Codable, FetchableRecord, TableRecord {
    static let sender = belongsTo(Person.self, key: "sender", using: ForeignKey(["senderId"]))
    static let reader = belongsTo(Person.self, key: "reader", using: ForeignKey(["readerId"]))
    static let origin = hasOne(Place.self, through: sender, using: Person.place)
    static let target = hasOne(Place.self, through: reader, using: Person.place)
    var id: Int64
  }

  private struct Flat: Decodable, FetchableRecord {
    var letter: Letter
    var place: Place?
  }

  private func read<T>(_ body: (Database) throws -> T) throws -> T {
    try makeDatabase(
      sql: """
        CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE person (id INTEGER PRIMARY KEY, placeId INTEGER REFERENCES place(id));
        CREATE TABLE letter (
          id INTEGER PRIMARY KEY, senderId INTEGER REFERENCES person(id),
          readerId INTEGER REFERENCES person(id));
        INSERT INTO place VALUES (1, 'Oslo'), (2, 'Rome');
        INSERT INTO person VALUES (1, 1), (2, 2);
        INSERT INTO letter VALUES (1, 1, 2);
        """
    ).read(body)
  }

  @Test func `a property that may be one or the other is refused`() throws {
    let message = """
      property "place" may be any of several associations: sender.place, reader.place. Give them \
      different keys, with `key:` or `forKey(_:)`, or decode each one in a property of its parent
      """
    try read { db throws in
      for request in [
        Letter.including(required: Letter.origin).including(required: Letter.target),
        Letter.including(required: Letter.sender.including(required: Person.place))
          .including(required: Letter.reader.including(optional: Person.place)),
      ] {
        let flat = request.asRequest(of: Flat.self)
        let error = #expect(throws: RowDecodingError.self) { try flat.fetchAll(db) }
        #expect(error?.description.hasPrefix(message) == true)
        #expect(
          try db.schemaDifferences(of: flat).filter { $0.kind == .ambiguousAssociation }
            .map(\.description) == ["Flat: \(message)"])
      }
    }
  }

  @Test func `different keys, and properties of the parents`() throws {
    struct Named: Decodable, FetchableRecord {
      var letter: Letter
      var origin: Place
      var target: Place
    }
    struct Nested: Decodable, FetchableRecord {
      struct PersonInfo: Decodable {
        var person: Person
        var place: Place?
      }
      var letter: Letter
      var sender: PersonInfo
      var reader: PersonInfo
    }
    try read { db throws in
      let named = Letter.including(required: Letter.origin.forKey("origin"))
        .including(required: Letter.target.forKey("target")).asRequest(of: Named.self)
      let letter = try #require(try named.fetchOne(db))
      #expect([letter.origin.name, letter.target.name] == ["Oslo", "Rome"])
      #expect(try db.schemaDifferences(of: named).isEmpty)
      let nested = Letter.including(required: Letter.sender.including(required: Person.place))
        .including(required: Letter.reader.including(optional: Person.place))
        .asRequest(of: Nested.self)
      let info = try #require(try nested.fetchOne(db))
      #expect([info.sender.place?.name, info.reader.place?.name] == ["Oslo", "Rome"])
      #expect([info.sender.person.id, info.reader.person.id] == [1, 2])
      #expect(
        try !db.schemaDifferences(of: nested).contains { $0.kind == .ambiguousAssociation })
    }
  }

  @Test func `the nearest association wins`() throws {
    try read { db throws in
      let own = Letter.hasOne(Place.self, through: Letter.sender, using: Person.place)
        .forKey("place")
      let request = Letter.including(
        required: Letter.belongsTo(Place.self, using: ForeignKey(["id"]))
      ).including(required: own.forKey("far")).asRequest(of: Flat.self)
      #expect(try request.fetchAll(db).map(\.place?.name) == ["Oslo"])
    }
  }
}

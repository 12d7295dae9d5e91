import Quarry
import QuarryTestSupport
import Testing

/// 'Self Joins': the subjects of a thesaurus, with broader and narrower ones.
struct SelfJoins {
  struct Subject: Codable, Hashable, FetchableRecord, PersistableRecord {
    static let narrower = hasMany(Subject.self, key: "narrower")
    static let broader = belongsTo(Subject.self, key: "broader")

    var id: Int64
    var broaderId: Int64?
    var name: String
  }

  struct SubjectInfo: FetchableRecord, Decodable, Equatable {
    var subject: Subject
    var broader: Subject?
    var narrower: Set<Subject>
  }

  static let science = Subject(id: 1, broaderId: nil, name: "Science")
  static let botany = Subject(id: 2, broaderId: 1, name: "Botany")
  static let physics = Subject(id: 3, broaderId: 1, name: "Physics")

  static func makeThesaurus() throws -> DatabaseQueue {
    let dbQueue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Subjects") { db in
      try db.create(table: "subject") { t in
        t.column("name", .text)
        t.autoIncrementedPrimaryKey("id")
        t.column("broaderId", .integer).references("subject", onDelete: .restrict).indexed()
      }
    }
    try migrator.migrate(dbQueue)
    try dbQueue.write { db in
      for subject in [science, botany, physics] { try subject.insert(db) }
    }
    return dbQueue
  }

  @Test func `a table is joined with itself in both directions`() throws {
    try Self.makeThesaurus().read { db in
      let request =
        Subject
        .including(optional: Subject.broader)
        .including(all: Subject.narrower)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "subject1".*, "subject2".* FROM "subject" "subject1" \
            LEFT JOIN "subject" "subject2" ON "subject2"."id" = "subject1"."broaderId"
            """))
      let subjectInfos: [SubjectInfo] =
        try SubjectInfo
        .fetchAll(db, request.orderByPrimaryKey())
      #expect(
        subjectInfos == [
          SubjectInfo(subject: Self.science, broader: nil, narrower: [Self.botany, Self.physics]),
          SubjectInfo(subject: Self.botany, broader: Self.science, narrower: []),
          SubjectInfo(subject: Self.physics, broader: Self.science, narrower: []),
        ])
    }
  }

  @Test func `a restricted foreign key keeps a subject that has narrower ones`() throws {
    try Self.makeThesaurus().write { db in
      let error = databaseError { try Self.science.delete(db) }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      try #expect(Self.physics.delete(db))
      try #expect(Subject.fetchCount(db) == 2)
    }
  }
}

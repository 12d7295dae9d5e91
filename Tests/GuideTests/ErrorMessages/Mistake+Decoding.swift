import Foundation
import Quarry
import QuarryTestSupport

extension Mistake {
  static let decoding = [
    Mistake("a property `title: String` of a column that is NULL") {
      _ = try $0.read { db in
        try Titled.fetchAll(db, sql: "SELECT NULL AS title FROM book LIMIT 1")
      }
    },
    Mistake("a property `titel`") {
      _ = try $0.read { db in try Misspelt.fetchAll(db, sql: "SELECT id, title FROM book") }
    },
    Mistake("a property `firstName` of a column in snake case") {
      _ = try $0.read { db in try Person.fetchAll(db, sql: "SELECT 'Ann' AS first_name") }
    },
    Mistake("a property `bookCount` without `annotated(with: Author.books.count)`") {
      _ = try $0.read { db in try Author.all().asRequest(of: Counted.self).fetchAll(db) }
    },
    Mistake("a property `editor: Author` without such an association") {
      _ = try $0.read { db in try Book.all().asRequest(of: Edited.self).fetchAll(db) }
    },
    Mistake("a property `author: Author` with `joining(required: Book.author)`") {
      _ = try $0.read { db in
        try Book.joining(required: Book.author).asRequest(of: Written.self).fetchAll(db)
      }
    },
    Mistake("a property `books: [Book]` without `including(all: Author.books)`") {
      _ = try $0.read { db in try Author.all().asRequest(of: Prolific.self).fetchAll(db) }
    },
    Mistake(#"a property `children: [Employee]` of `hasMany(Employee.self)` without `key:`"#) {
      _ = try $0.read { db in
        try Employee.including(all: Employee.hasMany(Employee.self)).asRequest(of: Boss.self)
          .fetchAll(db)
      }
    },
    Mistake("a property `employee: Employee` of `belongsTo(Employee.self)` without `key:`") {
      _ = try $0.read { db in
        try Employee.including(optional: Employee.belongsTo(Employee.self))
          .asRequest(of: Subordinate.self).fetchAll(db)
      }
    },
    Mistake("a property `mentor: Employee?` that may be the mentor of two records") {
      _ = try $0.read { db in
        let mentor = Employee.belongsTo(Employee.self, key: "mentor")
        let boss = Employee.belongsTo(Employee.self, key: "boss").including(optional: mentor)
        let deputy = Employee.hasOne(Employee.self, key: "deputy").including(optional: mentor)
        return try Employee.including(optional: boss).including(optional: deputy)
          .asRequest(of: Mentored.self).fetchAll(db)
      }
    },
    Mistake(#"`row["author"] as Author` without the association"#) {
      _ = try $0.read { db in try Credit.fetchAll(db, Book.limit(1)) }
    },
    Mistake("malformed JSON") {
      _ = try $0.read { db in try Document.fetchAll(db, sql: "SELECT '{pages: 1' AS meta") }
    },
    Mistake("JSON with another key") {
      _ = try $0.read { db in
        try Document.fetchAll(db, sql: #"SELECT '{"page": 1}' AS meta"#)
      }
    },
    Mistake("JSON with a value of another type") {
      _ = try $0.read { db in
        try Document.fetchAll(db, sql: #"SELECT '{"pages": "ten"}' AS meta"#)
      }
    },
    Mistake("a date as `01.03.2024`") {
      _ = try $0.read { db in try Loan.fetchAll(db, sql: "SELECT '01.03.2024' AS due") }
    },
    Mistake("a date of SQLite for the strategy `.iso8601`") {
      _ = try $0.read { db in
        try ISOLoan.fetchAll(db, sql: "SELECT '2024-03-01 10:30:00' AS due")
      }
    },
  ]

  private struct Titled: Decodable, FetchableRecord {
    var title: String
  }

  private struct Misspelt: Decodable, FetchableRecord {
    var titel: String
  }

  private struct Person: Decodable, FetchableRecord {
    var firstName: String
  }

  private struct Counted: Decodable, FetchableRecord {
    var author: Author
    var bookCount: Int
  }

  private struct Edited: Decodable, FetchableRecord {
    var book: Book
    var editor: Author
  }

  private struct Written: Decodable, FetchableRecord {
    var book: Book
    var author: Author
  }

  private struct Prolific: Decodable, FetchableRecord {
    var author: Author
    var books: [Book]
  }

  private struct Employee: Codable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String
  }

  private struct Boss: Decodable, FetchableRecord {
    var employee: Employee
    var children: [Employee]
  }

  private struct Subordinate: Decodable, FetchableRecord {
    var employee: Employee
    var boss: Employee?
  }

  private struct Mentored: Decodable, FetchableRecord {
    var employee: Employee
    var mentor: Employee?
  }

  private struct Credit: FetchableRecord {
    var author: Author
    init(row: Row) { author = row["author"] }
  }

  private struct Document: Decodable, FetchableRecord {
    struct Meta: Decodable {
      var pages: Int
    }
    var meta: Meta
  }

  private struct Loan: Decodable, FetchableRecord {
    var due: Date
  }

  private struct ISOLoan: Decodable, FetchableRecord {
    var due: Date

    static func databaseDateDecodingStrategy(
      for column: String
    ) -> DatabaseDateDecodingStrategy {
      .iso8601
    }
  }
}

import Quarry

/// Loads the four CSV files of a directory into a database, in place of what it contains.
struct Import {
  var directory: String

  func run(_ db: Database) throws {
    for table in [Work.self, Author.self, Language.self, Country.self] as [any TableRecord.Type] {
      try table.deleteAll(db)
    }
    try load("countries", columns: ["code", "name"], db) {
      Country(code: try $0.text("code"), name: try $0.text("name"))
    }
    try load("languages", columns: ["code", "name"], db) {
      Language(code: try $0.text("code"), name: try $0.text("name"))
    }
    try load("authors", columns: ["name", "country", "born", "died"], db) { record in
      Author(
        name: try record.text("name"),
        countryCode: try record.find(Country.self, "country", db).code,
        born: try record.year("born"),
        died: record.fields["died"] == "" ? nil : try record.year("died"))
    }
    let authors = try Author.fetchAll(db)
    let ids = Dictionary(authors.map { ($0.name, $0.id) }) { first, _ in first }
    try load("works", columns: ["author", "title", "year", "language"], db) { record in
      let name = try record.text("author")
      guard let authorId = ids[name] ?? nil else { throw record.error("unknown author '\(name)'") }
      return Work(
        authorId: authorId, title: try record.text("title"), year: try record.year("year"),
        languageCode: try record.find(Language.self, "language", db).code)
    }
  }

  /// Inserts what the lines of a file stand for. What the database refuses, such as a duplicate, is
  /// an error of the line.
  private func load<Record: MutablePersistableRecord>(
    _ name: String, columns: [String], _ db: Database, _ record: (CSVRecord) throws -> Record
  ) throws {
    for line in try CSVReader.records(file: "\(directory)/\(name).csv", columns: columns) {
      do {
        var record = try record(line)
        try record.insert(db)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw line.error(error.message ?? error.description)
      }
    }
  }
}

extension CSVRecord {
  /// The record whose key stands in a column.
  fileprivate func find<Record: FetchableRecord & TableRecord>(
    _ type: Record.Type, _ column: String, _ db: Database
  ) throws -> Record {
    let key = try text(column)
    guard let record = try Record.fetchOne(db, key: key) else {
      throw error("unknown \(column) '\(key)'")
    }
    return record
  }
}

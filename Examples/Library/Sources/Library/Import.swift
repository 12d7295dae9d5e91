import Quarry

/// Loads the four CSV files of a directory into a database, in place of what it contains.
struct Import {
  var directory: String

  func run(_ db: Database) throws {
    for table in [Work.self, Author.self, Language.self, Country.self] as [any TableRecord.Type] {
      try table.deleteAll(db)
    }
    for record in try records("countries", columns: ["code", "name"]) {
      let country = Country(code: try record.text("code"), name: try record.text("name"))
      try insert(record) { try country.insert(db) }
    }
    for record in try records("languages", columns: ["code", "name"]) {
      let language = Language(code: try record.text("code"), name: try record.text("name"))
      try insert(record) { try language.insert(db) }
    }
    var authors: [String: Author] = [:]
    for record in try records("authors", columns: ["name", "country", "born", "died"]) {
      var author = try author(record, db)
      try insert(record) { try author.insert(db) }
      authors[author.name] = author
    }
    for record in try records("works", columns: ["author", "title", "year", "language"]) {
      var work = try work(record, authors, db)
      try insert(record) { try work.insert(db) }
    }
  }

  private func author(_ record: CSVRecord, _ db: Database) throws -> Author {
    let country = try record.text("country")
    guard try Country.exists(db, key: country) else {
      throw record.error("unknown country '\(country)'")
    }
    return Author(
      name: try record.text("name"), countryCode: country, born: try record.year("born"),
      died: record.fields["died"] == "" ? nil : try record.year("died"))
  }

  private func work(_ record: CSVRecord, _ authors: [String: Author], _ db: Database) throws -> Work
  {
    let name = try record.text("author")
    guard let authorId = authors[name]?.id else { throw record.error("unknown author '\(name)'") }
    let language = try record.text("language")
    guard try Language.exists(db, key: language) else {
      throw record.error("unknown language '\(language)'")
    }
    return Work(
      authorId: authorId, title: try record.text("title"), year: try record.year("year"),
      languageCode: language)
  }

  private func records(_ name: String, columns: [String]) throws -> [CSVRecord] {
    try CSVReader.records(file: "\(directory)/\(name).csv", columns: columns)
  }

  /// Inserts a record. What the database refuses, such as a duplicate, is an error of the input.
  private func insert(_ record: CSVRecord, _ insertion: () throws -> Void) throws {
    do {
      try insertion()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw record.error(error.message ?? error.description)
    }
  }
}

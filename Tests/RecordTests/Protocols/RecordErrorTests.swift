import QuarryTestSupport
import Testing

@testable import Quarry

private struct View: TableRecord, EncodableRecord {
  static let databaseTableName = "bestseller"
  func encode(to container: inout PersistenceContainer) {}
}

@Suite(.onQueueAndPool)
struct RecordErrorTests {
  @Test func `The error of a missing record names the table and the key`() {
    let error = RecordError.recordNotFound(
      databaseTableName: "book", key: ["id": 7.databaseValue])
    #expect("\(error)" == "Key not found in table book: [id:7]")
  }

  @Test func `Composite keys are in the order of names`() {
    let error = Stock.recordNotFound(key: ["shop": "a", "isbn": nil])
    #expect("\(error)" == #"Key not found in table stock: [isbn:NULL shop:"a"]"#)
  }

  @Test func `Errors are made from keys, identifiers, and records`() throws {
    try inBookshop { db, _ throws in
      #expect("\(Book.recordNotFound(db, key: 7))" == "Key not found in table book: [id:7]")
      #expect("\(Book.recordNotFound(db, id: 7))" == "Key not found in table book: [id:7]")
      #expect(
        "\(Country.recordNotFound(db, key: "FR"))"
          == #"Key not found in table country: [code:"FR"]"#
      )
      #expect("\(Book(id: 7).recordNotFound(db))" == "Key not found in table book: [id:7]")
      #expect(
        "\(Stock(shop: "a", isbn: "b").recordNotFound(db))"
          == #"Key not found in table stock: [isbn:"b" shop:"a"]"#)
    }
  }

  @Test func `The error of the schema is returned when the key is not known`() throws {
    try inBookshop { db, _ throws in
      #expect(
        "\(View.recordNotFound(db, key: 1))".contains("database view bestseller has no primary key")
      )
      #expect(
        "\(View().recordNotFound(db))".contains("database view bestseller has no primary key"))
      #expect(
        "\(Stock.recordNotFound(db, key: 1))".contains(
          "Filtering by primary key requires a single-column primary key in the table 'stock'"))
    }
  }

  @Test func `The number of selected columns is the width of the selection`() throws {
    struct Partial: TableRecord {
      static let databaseTableName = "book"
      static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("title")] }
    }
    struct Raw: TableRecord {
      static let databaseTableName = "book"
      static var databaseSelection: [any SQLSelectable] { [SQL("id, title, year"), Column.rowID] }
    }
    try inBookshop { db, _ throws in
      #expect(try Book.numberOfSelectedColumns(db) == 6)
      #expect(try Partial.numberOfSelectedColumns(db) == 2)
      #expect(try Raw.numberOfSelectedColumns(db) == 4)
    }
  }
}

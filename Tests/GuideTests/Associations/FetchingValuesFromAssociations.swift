import Quarry
import QuarryTestSupport
import Testing

/// 'Fetching Values from Associations': what each joining method feeds.
struct FetchingValuesFromAssociations {
  typealias Book = Bookshelf.Book
  typealias Author = Bookshelf.Author

  @Test func includingOptionalFeedsAnOptionalProperty() throws {
    typealias Employee = SelfJoins.Employee
    struct EmployeeInfo: FetchableRecord, Decodable, Equatable {
      var employee: Employee
      var manager: Employee?  // the optional associated manager
    }
    try SelfJoins.makeCompany().read { db throws in
      let request = Employee.including(optional: Employee.manager)
      let employeeInfos: [EmployeeInfo] =
        try EmployeeInfo
        .fetchAll(db, request.orderByPrimaryKey())
      #expect(
        employeeInfos == [
          EmployeeInfo(employee: SelfJoins.ada, manager: nil),
          EmployeeInfo(employee: SelfJoins.bo, manager: SelfJoins.ada),
          EmployeeInfo(employee: SelfJoins.cy, manager: SelfJoins.ada),
        ])
    }
  }

  @Test func includingRequiredFeedsAProperty() throws {
    struct BookInfo: FetchableRecord, Decodable, Equatable {
      var book: Book
      var author: Author  // the required associated author
    }
    try Bookshelf.make().read { db throws in
      let request = Book.including(required: Book.author)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        bookInfos == [
          BookInfo(book: Bookshelf.mobyDick, author: Bookshelf.melville),
          BookInfo(book: Bookshelf.odyssey, author: Bookshelf.homer),
          BookInfo(book: Bookshelf.omoo, author: Bookshelf.melville),
        ])
    }
  }

  @Test func includingAllFeedsAnArray() throws {
    struct AuthorInfo: FetchableRecord, Decodable, Equatable {
      var author: Author
      var books: [Book]  // all associated books
    }
    try Bookshelf.make().read { db throws in
      let request = Author.including(all: Author.books)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        authorInfos == [
          AuthorInfo(author: Bookshelf.homer, books: [Bookshelf.odyssey]),
          AuthorInfo(author: Bookshelf.melville, books: [Bookshelf.mobyDick, Bookshelf.omoo]),
        ])
    }
  }

  @Test func includingAllFeedsASet() throws {
    struct AuthorInfo: FetchableRecord, Decodable, Equatable {
      var author: Author
      var books: Set<Book>
    }
    try Bookshelf.make().read { db throws in
      let request = Author.including(all: Author.books)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        authorInfos == [
          AuthorInfo(author: Bookshelf.homer, books: [Bookshelf.odyssey]),
          AuthorInfo(author: Bookshelf.melville, books: [Bookshelf.omoo, Bookshelf.mobyDick]),
        ])
    }
  }
}

import Hummingbird

extension Shop {
  func makeRouter() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: DatabaseErrors())
    addAuthors(to: router.group("authors"))
    addBooks(to: router.group("books"))
    return router
  }

  private func addAuthors(to authors: RouterGroup<BasicRequestContext>) {
    authors.get { _, _ in try await self.authors() }
    authors.get(":id") { _, context in
      try await author(context.parameters.require("id", as: Int64.self))
    }
    authors.post { request, context in
      var author = try await request.decode(as: Author.self, context: context)
      author.id = nil  // the database chooses it
      return try await EditedResponse(status: .created, response: add(author))
    }
  }

  private func addBooks(to books: RouterGroup<BasicRequestContext>) {
    books.get { request, _ in
      let parameters = request.uri.queryParameters
      let title = parameters["title"].map(String.init)
      guard let limit = Int(parameters["limit"] ?? "20"), 1...100 ~= limit else {
        throw HTTPError(.badRequest, message: "limit is a number from 1 to 100")
      }
      return try await request.untilClientLeaves {
        try await self.books(titled: title, limit: limit)
      }
    }
    books.get(":id") { _, context in
      try await book(context.parameters.require("id", as: Int64.self))
    }
    books.post { request, context in
      var book = try await request.decode(as: Book.self, context: context)
      book.id = nil
      return try await EditedResponse(status: .created, response: add(book))
    }
    books.put(":id") { request, context in
      var book = try await request.decode(as: Book.self, context: context)
      book.id = try context.parameters.require("id", as: Int64.self)
      try await update(book)
      return book
    }
    books.delete(":id") { _, context in
      try await deleteBook(context.parameters.require("id", as: Int64.self))
      return HTTPResponse.Status.noContent
    }
    books.post(":id/sales") { request, context in
      struct Order: Decodable { var copies: Int }
      let order = try await request.decode(as: Order.self, context: context)
      guard order.copies > 0 else { throw HTTPError(.badRequest, message: "copies is 1 or more") }
      return try await sell(order.copies, of: context.parameters.require("id", as: Int64.self))
    }
  }
}

extension Request {
  /// Cancels an operation when the client closes its connection: nobody waits for the answer any
  /// more. Hummingbird listens for that, so it can't receive another request on the connection.
  func untilClientLeaves<T: ResponseGenerator & Sendable>(
    _ operation: () async throws -> T
  ) async throws -> EditedResponse<T> {
    let value = try await body.consumeWithCancellationOnInboundClose { _ in
      try await operation()
    }
    return EditedResponse(headers: [.connection: "close"], response: value)
  }
}

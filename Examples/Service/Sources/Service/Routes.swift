import Hummingbird

extension Shop {
  /// The routes of the service.
  func makeRouter() -> Router<BasicRequestContext> {
    let router = Router()
    router.middlewares.add(DatabaseErrors())
    addBooks(to: router.group("books"))
    router.post("authors") { request, context in
      var author = try await request.decode(as: Author.self, context: context)
      author.id = nil
      return EditedResponse(status: .created, response: try await add(author))
    }
    router.get("shelves") { request, _ in
      // The query ends when the client goes away.
      try await request.body.consumeWithCancellationOnInboundClose { _ in try await shelves() }
    }
    return router
  }

  private func addBooks(to group: RouterGroup<BasicRequestContext>) {
    group.get { request, _ in
      let parameters = request.uri.queryParameters
      let limit = parameters.get("limit", as: Int.self) ?? 20
      guard 1...100 ~= limit else { throw HTTPError(.badRequest, message: "limit: 1 to 100") }
      return try await books(titled: parameters.get("title"), limit: limit)
    }
    group.get(":id") { _, context in
      let id = try context.parameters.require("id", as: Int64.self)
      guard let book = try await book(id) else { throw HTTPError(.notFound) }
      return book
    }
    group.post { request, context in
      var book = try await request.decode(as: Book.self, context: context)
      book.id = nil
      return EditedResponse(status: .created, response: try await add(book))
    }
    group.delete(":id") { _, context -> HTTPResponse.Status in
      let id = try context.parameters.require("id", as: Int64.self)
      return try await deleteBook(id) ? .noContent : .notFound
    }
  }
}

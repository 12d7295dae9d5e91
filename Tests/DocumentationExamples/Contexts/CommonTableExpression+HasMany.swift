let prolific = CommonTableExpression<Author>(
  named: "prolific", request: Author.having(Author.books.count > 10))

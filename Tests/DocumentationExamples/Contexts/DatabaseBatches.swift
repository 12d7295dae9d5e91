func upload(_ books: [Book]) async throws {}

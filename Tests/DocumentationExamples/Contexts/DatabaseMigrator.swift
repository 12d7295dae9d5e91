@Sendable func createAuthors(_ db: Database) throws {}
@Sendable func createBooks(_ db: Database) throws {}

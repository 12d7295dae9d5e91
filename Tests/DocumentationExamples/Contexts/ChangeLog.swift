func makeLog() throws -> ChangeLog { fatalError() }
let other = try makeLog()

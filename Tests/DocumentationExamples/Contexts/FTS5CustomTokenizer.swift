var t: FTS5TableDefinition { fatalError() }

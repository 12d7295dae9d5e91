var t: FTS3TableDefinition { fatalError() }

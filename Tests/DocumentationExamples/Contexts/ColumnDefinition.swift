var t: TableDefinition { fatalError() }

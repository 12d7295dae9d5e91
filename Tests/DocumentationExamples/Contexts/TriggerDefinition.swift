var t: TriggerDefinition<Row> { fatalError() }

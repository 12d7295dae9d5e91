var violation: ForeignKeyViolation { fatalError() }

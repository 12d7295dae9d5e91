let draft = try MigrationDraft(from: dbQueue, to: dbQueue)

var migrator = DatabaseMigrator()

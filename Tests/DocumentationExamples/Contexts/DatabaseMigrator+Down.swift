let migrator = DatabaseMigrator()

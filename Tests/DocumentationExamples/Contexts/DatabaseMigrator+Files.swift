var migrator = DatabaseMigrator()
let folder = URL(fileURLWithPath: "Migrations")

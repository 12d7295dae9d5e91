let tableName = "book"

let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player")

let players = Table<Player>("player")

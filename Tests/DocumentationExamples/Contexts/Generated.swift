let players = Table<Player>("player")
let citizenships = Table<Citizenship>("citizenship")

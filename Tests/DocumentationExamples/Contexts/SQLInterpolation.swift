let order = "score DESC"

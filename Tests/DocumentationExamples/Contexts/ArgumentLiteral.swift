let players = [player]

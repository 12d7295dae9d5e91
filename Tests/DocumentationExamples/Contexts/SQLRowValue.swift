let last = (score: 1000, id: 12)

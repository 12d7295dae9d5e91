let newQueue = try DatabaseQueue()

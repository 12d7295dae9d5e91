let isCancelled = false

let date = Date()

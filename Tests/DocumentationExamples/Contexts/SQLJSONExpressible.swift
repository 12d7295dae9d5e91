let info = JSONColumn("info")

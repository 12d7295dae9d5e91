var books: [String] = []
var snapshots: [(level: Int, books: [String])] = []

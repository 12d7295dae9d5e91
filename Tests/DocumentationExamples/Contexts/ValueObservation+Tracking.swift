struct Favorite: Codable, FetchableRecord, TableRecord { var bookID: Int64 }

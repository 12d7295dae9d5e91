struct Track: Codable, FetchableRecord, PersistableRecord { var length: Duration }
let total = Duration.seconds(10)

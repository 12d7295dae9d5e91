struct Shelf: Codable, FetchableRecord, PersistableRecord {
  var room: String
  var number: Int
}

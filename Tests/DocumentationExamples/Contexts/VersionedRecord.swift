struct Player: Codable, FetchableRecord, VersionedRecord {
  var id: Int64
  var score: Int
  var version = 1
}
var player = Player(id: 1, score: 1)

struct Vocabulary: Codable, FetchableRecord, PersistableRecord {
  var word: String
  var count: Int
}
let vocabulary = Vocabulary(word: "sea", count: 1)

// Types that the examples of documentation comments use.

import Foundation
import Quarry

struct Vocabulary: Codable, FetchableRecord, PersistableRecord {
  var word: String
  var count: Int
}

let vocabulary = Vocabulary(word: "sea", count: 1)

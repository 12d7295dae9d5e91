import Foundation
import QuarryMacros

// The records that the examples of documentation comments are compiled with.

@Record struct Team {
  @PrimaryKey var id: Int64?
  var city: String
  var budget: Int
}

@Record struct Player {
  static let team = belongsTo(Team.self)

  @PrimaryKey var id: Int64?
  var teamId: Int64?
  var name: String
  var nickname: String?
  var score: Int
  var bonus: Int
  var isActive: Bool
}

@Record struct Item {
  var price: Double
  var count: Int
}

@Record struct Event {
  @PrimaryKey @Column(as: UnixMilliseconds.self) var id: Date
  @Column(as: UnixMilliseconds.self) var creation: Date
}

@Embeddable struct Address {
  var street: String
  var city: String
}

@Record struct Customer {
  @Embedded var address: Address
}

// The values that examples name without declaring them. Nothing runs.

var db: Database { fatalError() }
var row: Row { fatalError() }

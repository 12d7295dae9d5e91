import Foundation
import Quarry

func utilities() {
  let _: String = databaseQuestionMarks(count: 3)
  let _: any GRDBSendableMetatype.Type = Team.self
}

func inflections() {
  var inflections = Inflections.default
  inflections = Inflections()
  inflections.plural("x$", "xs")
  inflections.plural("x$", options: [], "xs")
  inflections.singular("xs$", "x")
  inflections.singular("xs$", options: [.caseInsensitive], "x")
  inflections.uncountableWords(["fish"])
  inflections.irregularSuffix("man", "men")
  let _: String = inflections.pluralize("player")
  let _: String = inflections.singularize("players")
  Inflections.default = inflections
}

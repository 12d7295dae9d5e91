import Foundation
import Testing

@testable import Quarry

/// Words that are no English.
@Suite("Inflections of other languages")
struct LanguageTests {
  private static let french: Inflections = {
    var inflections = Inflections()
    inflections.plural("$", "s")
    inflections.singular("s$", "")
    inflections.plural("(eu|eau|ou)$", "$1x")
    inflections.singular("(eu|eau|ou)x$", "$1")
    inflections.plural("al$", "aux")
    inflections.singular("(?<!e)aux$", "al")
    inflections.plural("([sxz])$", "$1")
    inflections.irregularSuffix("œil", "yeux")
    inflections.uncountableWords(["souris", "nez"])
    return inflections
  }()

  @Test(arguments: [
    ("livre", "livres"), ("journal", "journaux"), ("bateau", "bateaux"), ("jeu", "jeux"),
    ("Journal", "Journaux"), ("grandJournal2", "grandJournaux2"), ("élève", "élèves"),
    ("souris", "souris"), ("nez", "nez"), ("œil", "yeux"), ("ancien_jeu", "ancien_jeux"),
  ])
  func `a language of its own`(singular: String, plural: String) {
    #expect(Self.french.pluralize(singular) == plural)
    #expect(Self.french.singularize(plural) == singular)
  }

  @Test
  func `words of an application, beside English`() {
    var inflections = Inflections.default
    inflections.irregularSuffix("Kind", "Kinder")
    inflections.irregularSuffix("buch", "bücher")
    inflections.uncountableWords(["kuchen"])
    #expect(inflections.pluralize("buch") == "bücher")
    #expect(inflections.singularize("kochBücher") == "kochBuch")
    #expect(inflections.pluralize("schulKind") == "schulKinder")
    #expect(inflections.pluralize("Kuchen") == "Kuchen")
    #expect(inflections.pluralize("book") == "books")
  }

  /// Words that no other test has: the defaults are those of the process.
  @Test
  func `the defaults name associations, and can be set while others read them`() throws {
    let base = Inflections.default
    defer { Inflections.default = base }
    let table = Table("qwertal")
    DispatchQueue.concurrentPerform(iterations: 200) { iteration in
      if iteration.isMultiple(of: 20) {
        var inflections = base
        inflections.irregularSuffix("qwertal", "qwertaux")
        Inflections.default = inflections
      } else {
        let key = table.hasMany(table)._association.destination.key
        #expect(key.singular == "qwertal")
        #expect(["qwertals", "qwertaux"].contains(key.plural))
      }
    }
    let association = table.hasMany(table)
    #expect(association._association.destination.key.plural == "qwertaux")
    #expect(AssociationKey(plural: "qwertaux").singular == "qwertal")
    #expect(AssociationKey(singular: "qwertal").plural == "qwertaux")
  }
}

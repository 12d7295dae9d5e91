import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Texts that are compared by bytes")
struct BinaryTextTests {
  private static let texts = [
    "", "a", "A", "\0", Acute.composed, Acute.decomposed, "caf" + Acute.composed,
    "caf" + Acute.decomposed, "\u{212A}", "K", "\u{1F1E9}\u{1F1EA}", "a text of many letters",
    "a text of many letterS", "a text of many letters: " + Acute.composed,
    "a text of many letters: " + Acute.decomposed,
  ]

  @Test(arguments: texts)
  func `a text is equal to those with the same bytes`(text: String) {
    for other in Self.texts {
      // In other storages, and parts of others.
      let part: Substring = ("x" + other).dropFirst()
      let storages: [String] = [other, other + "", String(part)]
      for other in storages {
        let isEqual: Bool = Array(text.utf8) == Array(other.utf8)
        #expect(text.hasSameBytes(as: other) == isEqual)
        let isSameValue: Bool = text.databaseValue.storage == other.databaseValue.storage
        #expect(isSameValue == isEqual)
        let values: Set<DatabaseValue> = [text.databaseValue, other.databaseValue]
        #expect(values.count == (isEqual ? 1 : 2))
        expect(BinaryText(text), and: BinaryText(other), areEqual: isEqual)
        let isLess: Bool = BinaryText(text) < BinaryText(other)
        #expect(isLess == text.utf8.lexicographicallyPrecedes(other.utf8))
      }
    }
  }

  private func expect(_ text: BinaryText, and other: BinaryText, areEqual: Bool) {
    #expect((text == other) == areEqual)
    #expect(Set([text, other]).count == (areEqual ? 1 : 2))
  }

  @Test(arguments: [
    ("name", "NAME", true), ("name", "name", true), ("name", "names", false), ("", "", true),
    ("\u{e9}", "\u{c9}", false), ("\u{e9}", "e\u{301}", false), ("e\u{301}", "E\u{301}", true),
    ("k", "\u{212A}", false), ("[", "{", false), ("@", "`", false),
  ])
  func `identifiers are equal regardless of the case of ASCII letters`(
    name: String, other: String, isSame: Bool
  ) {
    #expect(name.isSameIdentifier(as: other) == isSame)
    #expect(other.isSameIdentifier(as: name) == isSame)
    #expect((name.identifierKey == other.identifierKey) == isSame)
  }

  @Test func `prefixes and suffixes are bytes`() {
    let text = BinaryText("t_" + Acute.decomposed)
    #expect(text.hasPrefix("t_e") && text.hasPrefix("") && !text.hasPrefix("t_\u{e9}"))
    #expect(text.hasSuffix("\u{301}") && text.hasSuffix("") && !text.hasSuffix("\u{e9}"))
  }

  @Test(arguments: [Acute.composed, Acute.decomposed])
  func `lists of texts are equal text by text`(name: String) {
    let list = ["a", name]
    #expect(list.hasSameTexts(as: ["a", Acute.composed]) == (name.utf8.count == 2))
    #expect(!list.hasSameTexts(as: ["a"]))
    #expect(list.containsText(Acute.decomposed) == (name.utf8.count == 3))
    #expect(![String]?.none.hasSameTexts(as: []) && [String]?.none.hasSameTexts(as: nil))
  }

  @Test(arguments: [Acute.composed, Acute.decomposed])
  func `the plural of a name keeps its bytes, whatever was asked for before`(letter: String) {
    for other in [Acute.composed, Acute.decomposed, letter] {
      let (plural, singular) = ("caf\(other)".pluralized, "caf\(other)s".singularized)
      #expect(Array(plural.utf8) == Array("caf\(other)s".utf8))
      #expect(Array(singular.utf8) == Array("caf\(other)".utf8))
    }
  }
}

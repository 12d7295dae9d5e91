import Testing

@testable import Quarry

@Suite("Identifiers")
struct IdentifierTests {
  @Test(
    "An identifier is quoted, and its quotes are doubled",
    arguments: [
      ("book", #""book""#), ("", #""""#), ("a b", #""a b""#), (#"a"b"#, #""a""b""#),
      (#"x" ("id"); --"#, #""x"" (""id""); --""#), ("é'", #""é'""#),
    ])
  func quoting(name: String, quoted: String) {
    #expect(name.quotedDatabaseIdentifier == quoted)
  }

  @Test(
    "Trailing digits are not part of the root",
    arguments: [
      ("player", "player"), ("player12", "player"), ("12", ""), ("a1b2", "a1b"), ("", ""),
    ])
  func digitlessRoot(name: String, root: String) {
    #expect(name.digitlessRoot == root)
  }

  @Test("Only the first letter changes case")
  func firstLetter() {
    #expect("authorId".uppercasingFirstLetter == "AuthorId")
    #expect("AuthorID".lowercasingFirstLetter == "authorID")
    #expect("".uppercasingFirstLetter == "")
  }
}

import Testing

@testable import Quarry

@Suite("Identifiers")
struct IdentifierTests {
  @Test(arguments: [
    ("book", #""book""#), ("", #""""#), ("a b", #""a b""#), (#"a"b"#, #""a""b""#),
    (#"x" ("id"); --"#, #""x"" (""id""); --""#), ("é'", #""é'""#),
  ])
  func `an identifier is quoted, and its quotes are doubled`(name: String, quoted: String) {
    #expect(name.quotedDatabaseIdentifier == quoted)
  }

  @Test(arguments: [
    ("player", "player"), ("player12", "player"), ("12", ""), ("a1b2", "a1b"), ("", ""),
  ])
  func `trailing digits are not part of the root`(name: String, root: String) {
    #expect(name.withoutTrailingDigits == root)
  }

  @Test
  func `only the first letter changes case`() {
    #expect("authorId".uppercasingFirstLetter == "AuthorId")
    #expect("".uppercasingFirstLetter == "")
  }
}

import Testing

@testable import Quarry

struct NameSuggestionTests {
  @Test(arguments: [
    ("titel", "title"), ("TITLE", "title"), ("first_name", "firstName"), ("authr", "author"),
    ("publischerId", "publisherId"), ("boook", "book"),
  ])
  func `a similar name is meant`(_ name: String, _ meant: String) {
    #expect(
      NameSuggestion.text(for: name, among: ["id", meant, "year"]) == "did you mean \"\(meant)\"?")
  }

  @Test(arguments: ["x", "price", "", "ye", String(repeating: "title", count: 40)])
  func `another name is not meant`(_ name: String) {
    #expect(NameSuggestion.text(for: name, among: ["id", "title", "year"]) == nil)
  }

  @Test func `the nearest names are meant`() {
    #expect(
      NameSuggestion.text(for: "bookId", among: ["booksIds", "bookIds", "booksId"])
        == "did you mean \"bookIds\" or \"booksId\"?")
  }

  @Test func `the name itself, and names that occur twice`() {
    #expect(NameSuggestion.similar(to: "title", among: ["title"]) == [])
    #expect(NameSuggestion.similar(to: "titel", among: ["title", "title"]) == ["title"])
  }

  @Test func `few names are listed where none is similar`() {
    #expect(
      NameSuggestion.text(for: "x", among: ["a b", "c"], orList: "there are")
        == #"there are: "a b", "c""#)
    #expect(NameSuggestion.text(for: "x", among: [], orList: "there are") == nil)
    #expect(
      NameSuggestion.text(for: "x", among: (1...13).map { "name\($0)" }, orList: "there are") == nil
    )
  }
}

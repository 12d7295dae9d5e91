import Testing

@testable import Quarry

@Test(arguments: [(0, ""), (1, "?"), (3, "?,?,?")])
func `question marks are separated by commas`(count: Int, text: String) {
  #expect(databaseQuestionMarks(count: count) == text)
}

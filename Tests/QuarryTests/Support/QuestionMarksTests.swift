import Testing

@testable import Quarry

@Test("Question marks are separated by commas", arguments: [(0, ""), (1, "?"), (3, "?,?,?")])
func questionMarks(count: Int, text: String) {
  #expect(databaseQuestionMarks(count: count) == text)
}

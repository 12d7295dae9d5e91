import Foundation
import Quarry
import QuarryTestSupport
import Testing

struct ErrorMessageTests {
  @Test(arguments: Mistake.all)
  func `an error names the thing, the place and the way out`(_ mistake: Mistake) throws {
    let text = try mistake.provoke()
    #expect(text.map(SQLiteBuild.withoutHint) == mistake.text)
  }

  /// The table of the manual: `QUARRY_REWRITE=1 swift test --filter ErrorMessageTests` writes it.
  @Test func `the manual shows the messages`() throws {
    let article = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appendingPathComponent("Sources/Quarry/Quarry.docc/Articles/ErrorMessages.md")
    let begin = "<!-- messages -->\n"
    let text = try String(contentsOf: article, encoding: .utf8)
    let start = try #require(text.range(of: begin)).upperBound
    if ProcessInfo.processInfo.environment["QUARRY_REWRITE"] == "1" {
      try (text[..<start] + Self.table).write(to: article, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start...] == Self.table)
    }
  }

  private static var table: String {
    let rows = Mistake.all.map { mistake in
      "**\(mistake.description)**\n\n```\n\(mistake.text)\n```\n"
    }
    return "\n" + rows.joined(separator: "\n")
  }
}

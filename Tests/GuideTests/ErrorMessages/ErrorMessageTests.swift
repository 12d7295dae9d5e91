import Foundation
import QuarryTestSupport
import Testing

/// The messages stand in the manual, once: `QUARRY_REWRITE=1 swift test --filter ErrorMessageTests`
/// writes them there. The page is the expectation of these tests: read its differences.
struct ErrorMessageTests {
  @Test(arguments: Mistake.all)
  func `an error names the thing, the place and the way out`(_ mistake: Mistake) throws {
    let section = try Self.section(mistake)
    let page = try String(contentsOf: Self.article, encoding: .utf8)
    let title = try #require(page.range(of: Self.title(mistake)))
    let rest = page[title.lowerBound...].prefix(section.count)
    #expect(String(rest) == section)
  }

  @Test func `the manual shows the messages`() throws {
    let page = try String(contentsOf: Self.article, encoding: .utf8)
    let start = try #require(page.range(of: "<!-- messages -->\n")).upperBound
    if ProcessInfo.processInfo.environment["QUARRY_REWRITE"] == "1" {
      let text = try page[..<start] + Self.messages
      try text.write(to: Self.article, atomically: true, encoding: .utf8)
    } else {
      #expect(try page[start...] == Self.messages)
    }
  }

  private static let article = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("Sources/Quarry/Quarry.docc/Articles/ErrorMessages.md")

  private static var messages: String {
    get throws {
      try Mistake.chapters.map { title, mistakes in
        try "\n## \(title)\n\n" + mistakes.map(section).joined(separator: "\n")
      }.joined()
    }
  }

  private static func title(_ mistake: Mistake) -> String { "**\(mistake.description)**\n" }

  private static func section(_ mistake: Mistake) throws -> String {
    let message = SQLiteBuild.withoutHint(try mistake.provoke())
    let lines = message.split(separator: "\n").map { wrapped(String($0)) }
    return title(mistake) + "\n```\n\(lines.joined(separator: "\n"))\n```\n"
  }

  /// The lines of the manual don't scroll.
  private static func wrapped(_ line: String) -> String {
    var lines = [""]
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let last = lines.count - 1
      if !lines[last].isEmpty, lines[last].count + word.count > 98 {
        lines.append("  \(word)")
      } else {
        lines[last] += lines[last].isEmpty ? word : " \(word)"
      }
    }
    return lines.joined(separator: "\n")
  }
}

import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

struct JSONMistakeTests {
  @Test(arguments: [
    ("{pages: 1", 1, 2, #"a key in double quotes or "}""#),
    ("{'pages': 1}", 1, 2, #"a key in double quotes or "}""#),
    ("", 1, 1, "a value"),
    ("{\"pages\": 1,\n \"tags\": [1,\n  x]}", 3, 3, #"a value or "]""#),
    ("[1,,2]", 1, 4, #"a value or "]""#), ("[", 1, 2, #"a value or "]""#),
    (#"{"a" 1}"#, 1, 6, #"":""#), (#"{"a":1,,}"#, 1, 8, #"a key in double quotes or "}""#),
    (#"{"a":1"#, 1, 7, #""," or "}""#), (#"{"a":[1}}"#, 1, 8, #""," or "]""#),
    (#"{"a":}"#, 1, 6, "a value"), ("{} x", 1, 4, "the end of the text"), ("nul", 1, 1, "a value"),
    ("[\"é€\", \"\\x\"]", 1, 10, "an escape sequence"),
    (#"["\u12g4"]"#, 1, 7, "a hexadecimal digit"),
    ("[\"a\nb\"]", 1, 4, "an escaped control character"), ("\"a", 1, 3, "a double quote"),
    ("01", 1, 2, "the end of the text"), ("[-]", 1, 3, "a digit"), ("1.", 1, 3, "a digit"),
    ("1e+", 1, 4, "a digit"), ("+1", 1, 1, "a value"), ("]", 1, 1, "a value"),
  ])
  func `the first mistake has its place`(
    text: String, line: Int, character: Int, expectation: String
  ) throws {
    let mistake = try #require(JSONMistake(in: text.utf8))
    #expect(mistake.line == line)
    #expect(mistake.character == character)
    #expect(mistake.expectation == expectation)
    #expect(throws: (any Error).self) { try decode(text) }
  }

  @Test(arguments: [
    "1", "-0.5e-10", "0", "true", " null\n", #""a\"\\\/\b\f\n\r\t\u00e9""#, "[]", "{}", "[[], {}]",
    #"{"a": {"b": [1, 2.5E+3, "x"], "": false}}"#, "[1 , 2]\r\n", "[1,]", #"{"a": 1,}"#,
  ])
  func `JSON has no mistake`(text: String) throws {
    #expect(JSONMistake(in: text.utf8) == nil)
    try decode(text)
  }

  @Test func `texts of any depth are looked at`() throws {
    let depth = 100_000
    let open = String(repeating: "[", count: depth)
    #expect(JSONMistake(in: (open + String(repeating: "]", count: depth)).utf8) == nil)
    #expect(try #require(JSONMistake(in: open.utf8)).character == depth + 1)
  }

  @Test func `a text is JSON where Foundation says so`() {
    let run = RandomRun("Malformed JSON")
    run.repeated(seconds: 0.3) { generator in
      var pieces = Self.value(&generator, depth: 3)
      for _ in 0..<generator.below(3) {
        let place = generator.below(pieces.count + 1)
        let isInsertion = place == pieces.count || generator.chance(3)
        let end = isInsertion ? place : place + 1
        let others = generator.chance(3) ? [] : [generator.pick(Self.pieces)]
        pieces.replaceSubrange(place..<end, with: others)
      }
      let text = pieces.joined()
      #expect((JSONMistake(in: text.utf8) == nil) == ((try? decode(text)) != nil), "\(text)")
    }
  }

  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "1", "-", "0", ".", "e", "+", "true", "nul",
    "null", " ", "\n", "\\", "\\u00e9", "\\n", "é", "x",
  ]

  /// The pieces of a value, which edits turn into a text that is almost JSON.
  private static func value(_ generator: inout SplitMix64, depth: Int) -> [String] {
    switch generator.below(depth > 0 ? 7 : 5) {
    case 0: return [generator.pick(["true", "false", "null"])]
    case 1: return ["\"", generator.pick(["é", "x", "\\n", "\\u00e9", " "]), "\""]
    case 2: return ["-", "1", "0", ".", "0", "e", "+", "1"].filter { _ in !generator.chance(4) }
    case 3: return [" ", generator.pick(["0", "1", "-1"]), "\n"]
    case 4: return generator.pick([["[", "]"], ["{", "}"]])
    case 5: return list("[", "]", &generator) { value(&$0, depth: depth - 1) }
    default:
      return list("{", "}", &generator) { ["\"a\"", ":"] + value(&$0, depth: depth - 1) }
    }
  }

  private static func list(
    _ open: String, _ close: String, _ generator: inout SplitMix64,
    _ element: (inout SplitMix64) -> [String]
  ) -> [String] {
    var pieces = [open] + element(&generator)
    for _ in 0..<generator.below(3) { pieces += [","] + element(&generator) }
    return pieces + [close]
  }

  private func decode(_ text: String) throws {
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }
}

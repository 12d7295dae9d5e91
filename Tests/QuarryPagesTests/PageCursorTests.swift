import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryPages

struct PageCursorTests {
  private static let values: [DatabaseValue] = {
    let integers: [Int64] = [0, .min, .max]
    let doubles: [Double] = [0.1, -0.0, .infinity, .leastNonzeroMagnitude, 1e300]
    let texts: [String] = ["", "a\0b", "é\u{301}\u{1f600}'"]
    let blobs: [Data] = [Data(), Data([0, 255, 10])]
    let date: DatabaseValue = Date(timeIntervalSince1970: 0.5).databaseValue
    return [DatabaseValue.null, date] + integers.map(\.databaseValue) + doubles.map(\.databaseValue)
      + texts.map(\.databaseValue) + blobs.map(\.databaseValue)
  }()

  @Test(arguments: values)
  func `values stay what they are`(_ value: DatabaseValue) throws {
    let position = PagePosition(order: 7, values: [value, 1.databaseValue])
    let read = try PagePosition(PageCursor(position.text).text)
    #expect(read.order == 7 && read.values.count == 2)
    #expect(read.values[0].storage == value.storage)
    if case .double(let number) = value.storage {
      #expect(read.values[0].storage == .double(number))
    }
    let url = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
    #expect(position.text.unicodeScalars.allSatisfy(url.contains))
  }

  @Test func `a cursor is encoded as its text`() throws {
    struct Answer: Codable, Equatable {
      var next: PageCursor?
    }
    let answer = Answer(
      next: PageCursor(PagePosition(order: 1, values: ["x".databaseValue])))
    let json = try JSONEncoder().encode(answer)
    let text = try #require(answer.next).text
    #expect(String(decoding: json, as: UTF8.self) == #"{"next":"\#(text)"}"#)
    #expect(try JSONDecoder().decode(Answer.self, from: json) == answer)
    #expect("\(try #require(answer.next))" == text)
  }

  @Test func `a damaged text is refused`() throws {
    let text = PagePosition(order: 1, values: ["x".databaseValue, 3.databaseValue]).text
    var damaged = ["", "-", "42", "%20", "Quarry", text + "=", text + "A", " " + text, "\(text)\0"]
    for index in text.indices {
      damaged.append(String(text[..<index]))
      for letter in "Ab_" where text[index] != letter {
        damaged.append(text.replacingCharacters(in: index...index, with: String(letter)))
      }
    }
    for text in damaged {
      #expect(throws: PageCursorError.damaged(text)) { try PageCursor(text) }
    }
    let json = Data(#""\#(damaged[4])""#.utf8)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PageCursor.self, from: json)
    }
    #expect("\(try #require(error))".contains("The text is no cursor of a page"))
    #expect(
      errorText { try PageCursor("Quarry") } == "The text is no cursor of a page: take the `text` "
        + #"of a cursor as it is, or begin with the first page - cursor "Quarry""#)
  }

  /// With a correct checksum.
  @Test func `bytes of another version or another structure are refused`() throws {
    func cursor(_ bytes: [UInt8]) -> String {
      let checksum = UInt64(fingerprintOf: bytes)
      let all = bytes + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (56 - 8 * $0)) }
      return Data(all).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
        .replacing("/", with: "_")
    }
    let order: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    #expect(try PagePosition(cursor([1, 0] + order + [0])).values.count == 1)
    for bytes: [UInt8] in [
      [], [1], [2, 0] + order, [1, 2] + order, [1, 0, 0], [1, 0] + order + [9],
      [1, 0] + order + [1, 0], [1, 0] + order + [3, 0, 0, 0, 0, 0, 0, 0, 2, 65],
      [1, 0] + order + [4] + Array(repeating: 255, count: 8),
      [1, 0] + order + [3, 0, 0, 0, 0, 0, 0, 0, 1, 255],
    ] {
      let text = cursor(bytes)
      #expect(throws: PageCursorError.damaged(text)) { try PageCursor(text) }
    }
  }
}

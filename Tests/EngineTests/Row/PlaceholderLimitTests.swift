import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// A class that decodes itself.
private final class Person: Codable, DatabaseValueConvertible {
  var name: String
  var friends: [Person]
}

/// A class that is a record, with another one inside.
private final class Team: FetchableRecord {
  let name: String
  let captain: Captain

  init(row: Row) {
    name = row["name"]
    captain = row["captain"]
  }
}

private final class Captain: FetchableRecord {
  let name: String
  let deputies: [Captain]

  init(row: Row) {
    name = row["name"]
    deputies = row["deputies"]
  }
}

/// A type of the application with a reference inside, that nothing of the language or the library
/// can make.
private struct Name: DatabaseValueConvertible {
  var text: String

  var databaseValue: DatabaseValue { text.databaseValue }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Name? {
    String.fromDatabaseValue(dbValue).map(Name.init)
  }
}

/// Refuses the placeholder of its raw value.
private struct NotEmpty: RawRepresentable, DatabaseValueConvertible {
  var rawValue: String

  init?(rawValue: String) {
    guard !rawValue.isEmpty else { return nil }
    self.rawValue = rawValue
  }
}

/// A record that can't end: each one has a parent.
private final class Descendant: FetchableRecord {
  let parent: Descendant

  init(row: Row) { parent = row["parent"] }
}

private struct Subscripted<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value

  init(row: Row) { value = row["v"] }
}

/// As `Subscripted`, with the method that always throws.
private struct Throwing<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value

  init(row: Row) throws { value = try row.decode(forColumn: "v") }
}

/// Trusts its row more than it should.
private struct Initialled: FetchableRecord {
  var initial: Character

  init(row: Row) {
    let name: String = row["v"]
    initial = name[name.startIndex]
  }
}

/// Reads its row after the fetch.
private struct Keeper: FetchableRecord {
  var row: Row
}

/// What a remembered error can't do is a part of the documentation: the article on errors lists
/// these cases.
@Suite("Where an error is remembered, and where it can't be")
struct PlaceholderLimitTests {
  private static func fetch<Record: FetchableRecord>(_ type: Record.Type) throws -> [Record] {
    try DatabaseQueue().read { db in try Record.fetchAll(db, sql: "SELECT NULL AS v") }
  }

  private static let message = "from database value NULL - column: \"v\", column index: 0"

  @Test func `Classes that decode themselves have a placeholder`() throws {
    let text = errorText { try Self.fetch(Subscripted<Person>.self) }
    #expect(text?.hasPrefix("could not decode Person " + Self.message) == true)
  }

  @Test func `Classes that are records have one, with all that is in them`() throws {
    try DatabaseQueue().read { db in
      let adapter = ScopeAdapter(["captain": SuffixRowAdapter(fromIndex: 1)])
      #expect(
        errorText {
          try Team.fetchOne(db, sql: "SELECT 'a' AS name, NULL AS name", adapter: adapter)
        }?
        .hasPrefix(#"scope "captain" only contains null values"#) == true)
      // The rows of the deputies were not requested.
      #expect(
        errorText {
          try Team.fetchOne(db, sql: "SELECT 'a' AS name, 'b' AS name", adapter: adapter)
        }?
        .hasPrefix(#"key for prefetched rows not found: "deputies""#) == true)
    }
  }

  @Test func `What has no placeholder is thrown by the methods that throw`() throws {
    for text in [
      errorText { try Self.fetch(Throwing<Name>.self) },
      errorText { try Self.fetch(Throwing<NotEmpty>.self) },
    ] {
      #expect(text?.contains(Self.message) == true)
    }
  }

  @Test func `A type that nobody can make stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try Self.fetch(Subscripted<Name>.self)
    }
    #expect(errorText(of: result).contains("could not decode Name " + Self.message))
  }

  @Test func `A type that refuses its placeholder stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try Self.fetch(Subscripted<NotEmpty>.self)
    }
    #expect(errorText(of: result).contains("could not decode NotEmpty " + Self.message))
  }

  @Test func `A record that contains itself for ever stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try Self.fetch(Descendant.self)
    }
    #expect(errorText(of: result).contains(#"scope not found: "parent""#))
  }

  @Test func `An initialiser that stops at an empty text stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = try Self.fetch(Initialled.self) }
  }

  @Test func `A subscript outside of the decoding of a record stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let keeper = try #require(try Self.fetch(Keeper.self).first)
      let _: Int = keeper.row["v"]
    }
    #expect(errorText(of: result).contains("could not decode Int " + Self.message))
  }
}

/// A type without values.
private enum Nothing: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .null }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Nothing? { nil }
}

/// A structure without values, whose memory could be anything.
private struct HalfNothing: DatabaseValueConvertible {
  var number: Int
  var nothing: Nothing
  var databaseValue: DatabaseValue { .null }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> HalfNothing? { nil }
}

/// A structure of pointers, which are never null.
private struct Place: DatabaseValueConvertible {
  var isKnown: Bool
  var address: UnsafeRawPointer
  var databaseValue: DatabaseValue { .null }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Place? { nil }
}

private struct Kind: DatabaseValueConvertible {
  var isKnown: Bool
  var type: Any.Type
  var databaseValue: DatabaseValue { .null }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Kind? { nil }
}

private enum Choice: DatabaseValueConvertible {
  case never(Nothing)
  case always
  var databaseValue: DatabaseValue { .null }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Choice? { nil }
}

private enum Only: Int, DatabaseValueConvertible { case case1 = 1 }

private struct Price: DatabaseValueConvertible {
  var cents: Int
  var isNet: Bool
  var databaseValue: DatabaseValue { .null }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Price? { nil }
}

@Suite("Types that zeroed memory is no value of")
struct PlaceholderTypeTests {
  private func hasPlaceholder<Value>(_ type: Value.Type) -> Bool { Placeholder.make(type) != nil }

  @Test func `types without values, pointers and metatypes have no placeholder`() {
    #expect(!hasPlaceholder(Nothing.self))
    #expect(!hasPlaceholder(Never.self))
    #expect(!hasPlaceholder(HalfNothing.self))
    #expect(!hasPlaceholder(Place.self))
    #expect(!hasPlaceholder(Kind.self))
    #expect(!hasPlaceholder(UnsafeRawPointer.self))
    #expect(!hasPlaceholder(Choice.self))
  }

  @Test func `structures of numbers and enumerations have one`() throws {
    let price = try #require(Placeholder.make(Price.self))
    #expect(price.cents == 0)
    #expect(Placeholder.make(Only.self) == .case1)
    #expect(Placeholder.make(CGRect.self) == CGRect())
  }

  @Test func `a type without values stops the program with the error`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try DatabaseQueue().read { db in
        try Subscripted<Nothing>.fetchAll(db, sql: "SELECT 1 AS v")
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("could not decode Nothing from database value 1"))
  }
}

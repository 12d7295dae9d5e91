import Foundation
import Testing

@testable import Quarry

struct RawRepresentableConversionTests {
  private enum Genre: String, DatabaseValueConvertible {
    case novel, poetry
  }

  private enum Grade: Int, Codable, DatabaseValueConvertible {
    case low = 1
    case high = 2
  }

  private struct Tag: RawRepresentable, DatabaseValueConvertible, Equatable {
    var rawValue: String
  }

  private enum Custom: String, DatabaseValueConvertible {
    case a

    var databaseValue: DatabaseValue { 1.databaseValue }

    static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Custom? {
      dbValue == 1.databaseValue ? .a : nil
    }
  }

  @Test func `the raw value is stored`() {
    #expect(Genre.poetry.databaseValue.storage == .string("poetry"))
    #expect(Tag(rawValue: "x").databaseValue.storage == .string("x"))
  }

  @Test func `values come from their raw value`() {
    #expect(Genre.fromDatabaseValue("novel".databaseValue) == .novel)
    #expect(Genre.fromDatabaseValue(Data("novel".utf8).databaseValue) == .novel)
    #expect(Genre.fromDatabaseValue("comic".databaseValue) == nil)
    #expect(Genre.fromDatabaseValue(1.databaseValue) == nil)
    #expect(Genre.fromDatabaseValue(.null) == nil)
    #expect(Tag.fromDatabaseValue("x".databaseValue) == Tag(rawValue: "x"))
  }

  @Test func `codable enumerations use the raw value`() {
    #expect(Grade.high.databaseValue.storage == .int64(2))
    #expect(Grade.fromDatabaseValue(2.databaseValue) == .high)
    #expect(Grade.fromDatabaseValue(2.0.databaseValue) == .high)
    #expect(Grade.fromDatabaseValue(3.databaseValue) == nil)
    #expect(Grade.fromDatabaseValue("2".databaseValue) == nil)
  }

  @Test func `a custom database value wins`() {
    #expect(Custom.a.databaseValue.storage == .int64(1))
    #expect(Custom.fromDatabaseValue(1.databaseValue) == .a)
  }
}

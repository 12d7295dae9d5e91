import Foundation
import Quarry

/// A column that a record type wants.
struct RecordColumn {
  /// `Book.pages`, for errors.
  let title: String
  /// The property.
  let property: String
  /// The column that the record encodes.
  let name: String
  /// The type that the values need. Nil where any will do.
  let type: Database.ColumnType?
  /// Why the type is not known, if it isn't.
  let unknownType: String?
  /// NULL can't be decoded.
  let refusesNull: Bool
  /// NULL may be written.
  let writesNull: Bool
  let isPrimaryKey: Bool
}

/// What a record type says about its table.
struct RecordShape {
  let type: any TableRecord.Type
  let columns: [RecordColumn]
  /// Whether generated code declares the whole table.
  let isComplete: Bool
  /// What the type does not say.
  let problems: [String]
  /// Whether the names of columns are those of the properties, or known by an encoding.
  private let knowsNames: Bool
  private let key: (String) -> String

  init(_ type: any TableRecord.Type) {
    let record = RecordProperties(type)
    self.type = type
    key = record.key
    isComplete = type is any _GeneratedRecord.Type
    knowsNames = isComplete || type is any EncodableRecord.Type || Self.hasDefaultKeys(type)
    let columns = record.properties.map { RecordColumn($0, record, type) }
    let mark = type._deletionColumn.map { RecordColumn(mark: $0, type) }
    let hasMark = columns.contains { $0.name.isSameIdentifier(as: mark?.name ?? "") }
    self.columns = columns + (hasMark ? [] : mark.map { [$0] } ?? [])
    problems = Self.problems(of: record, type)
  }

  private static func hasDefaultKeys(_ type: any TableRecord.Type) -> Bool {
    guard let type = type as? any FetchableRecord.Type,
      case .useDefaultKeys = type.databaseColumnDecodingStrategy
    else { return false }
    return true
  }

  private static func problems(
    of record: RecordProperties, _ type: any TableRecord.Type
  ) -> [String] {
    let wayOut = "draft without it, from a schema in SQL"
    if let error = record.failure {
      let last = record.properties.last.map { "behind \($0.name), or " } ?? ""
      return [
        "\(type): not all properties can be found, since \(last)of its own the type refuses to be "
          + "decoded from test values (\(error)): \(wayOut)"
      ]
    }
    guard record.properties.isEmpty else { return [] }
    return [
      "\(type): its columns can't be found: make it Decodable, or use @Record, or \(wayOut)"
    ]
  }

  /// The position of the property's column, by the rules of the check of schemas.
  func index(of column: RecordColumn, in names: [String]) -> Int? {
    names.firstIndex { Array(key($0).utf8) == Array(column.property.utf8) }
      ?? names.firstIndex { $0.isSameIdentifier(as: column.name) }
      ?? names.firstIndex { $0.isSameIdentifier(as: column.property) }
  }

  /// Why the name of a new column is not known, or nil.
  func unknownName(of column: RecordColumn) -> String? {
    let isRead =
      key(column.name) == column.property || column.name.isSameIdentifier(as: column.property)
    return knowsNames && isRead
      ? nil
      : "\(column.title): the name of its column can't be found: databaseColumnDecodingStrategy says "
        + "which property a column belongs to only. Give the column in definitions"
  }
}

extension RecordColumn {
  /// The column of the date of a deletion.
  init(mark column: String, _ recordType: any TableRecord.Type) {
    title = "\(recordType).\(column)"
    (property, name) = (column, column)
    type = StoredType(recordType, column).columnType(of: Date.self)
    unknownType = type == nil ? "databaseDateEncodingStrategy is one of its own" : nil
    (refusesNull, writesNull, isPrimaryKey) = (false, true, false)
  }

  init(
    _ property: RecordProperties.Property, _ record: RecordProperties,
    _ recordType: any TableRecord.Type
  ) {
    title = "\(recordType).\(property.name)"
    self.property = property.name
    name = property.column
    refusesNull = property.isOptional == false
    writesNull = property.isOptional == true && record.isPersistable
    isPrimaryKey = property.declaration?.isPrimaryKey ?? property.name.isSameIdentifier(as: "id")
    if let declaration = property.declaration {
      (type, unknownType) = (declaration.type, nil)
    } else if let valueType = property.type {
      type = StoredType(recordType, property.column).columnType(of: valueType)
      unknownType = type == nil ? "the values of \(valueType) may be stored in several ways" : nil
    } else {
      (type, unknownType) = (nil, "only the name of the column is known")
    }
  }
}

/// The types of columns for the values of properties.
struct StoredType {
  let record: (any EncodableRecord.Type)?
  let column: String

  init(_ record: any TableRecord.Type, _ column: String) {
    self.record = record as? any EncodableRecord.Type
    self.column = column
  }

  /// Nil where the values may be of several kinds.
  func columnType(of type: Any.Type) -> Database.ColumnType? {
    if let type = type as? any WrappingType.Type { return columnType(of: type.wrappedType) }
    switch type {
    case is Date.Type: return dateType
    case is Data.Type: return dataType
    case is UUID.Type: return uuidType
    // A text keeps all digits.
    case is Decimal.Type, is Character.Type, is Substring.Type: return .text
    default: break
    }
    if let known = Database.ColumnType(valuesOf: type) { return known }
    if type is any DatabaseValueConvertible.Type { return nil }
    guard let type = type as? any Decodable.Type else { return nil }
    return codedType(type)
  }

  /// The type of a value that is coded as another one, or JSON.
  private func codedType(_ type: any Decodable.Type) -> Database.ColumnType? {
    let probe = CodedFormProbe()
    _ = try? type.init(from: probe)
    switch probe.form {
    case .several: return .jsonText
    case .single(let coded): return coded == type ? nil : columnType(of: coded)
    case nil: return nil
    }
  }

  /// The texts of dates are no numbers: no affinity converts them.
  private var dateType: Database.ColumnType? {
    switch record?.databaseDateEncodingStrategy(for: column) ?? .deferredToDate {
    case .deferredToDate, .iso8601: .datetime
    case .timeIntervalSinceReferenceDate, .timeIntervalSince1970: .double
    case .secondsSince1970, .millisecondsSince1970: .integer
    case .formatted: .text
    case .custom: nil
    }
  }

  private var dataType: Database.ColumnType? {
    switch record?.databaseDataEncodingStrategy(for: column) ?? .deferredToData {
    case .deferredToData: .blob
    case .text: .text
    case .custom: nil
    }
  }

  private var uuidType: Database.ColumnType? {
    switch record?.databaseUUIDEncodingStrategy(for: column) ?? .deferredToUUID {
    case .deferredToUUID: .blob
    case .uppercaseString, .lowercaseString: .text
    }
  }
}

/// Whether a type is coded as one value, or as several.
private final class CodedFormProbe: Decoder, SingleValueDecodingContainer {
  enum Form {
    case single(any Decodable.Type)
    case several
  }

  struct Stop: Error {}

  private(set) var form: Form?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw stop(.several)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw stop(.several) }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw stop(.single(type)) }

  private func stop(_ form: Form) -> Stop {
    if self.form == nil { self.form = form }
    return Stop()
  }
}

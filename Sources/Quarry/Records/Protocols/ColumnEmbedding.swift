/// A `Codable` type with structures whose properties are columns of the record's own table.
///
/// ```swift
/// struct Reader: Codable, FetchableRecord, PersistableRecord {
///   var name: String
///   var address: Address
///
///   static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.address] }
/// }
///
/// struct Address: Codable {
///   var street: String
///   var city: String
/// }
///
/// // INSERT INTO "reader" ("name", "address_street", "address_city") VALUES (?, ?, ?)
/// try Reader(name: "Anna", address: Address(street: "Via Roma", city: "Turin")).insert(db)
///
/// // SELECT * FROM "reader" WHERE "address_city" = ?
/// try Reader.filter(Column("address_city") == "Turin").fetchAll(db)
/// ```
///
/// All ``FetchableRecord`` and ``EncodableRecord`` types are such types. A structure that is
/// embedded in a record, and embeds others, conforms by itself.
///
/// The columns of a structure are found by decoding it from values such as 0 and `""`, when the
/// first value is stored or fetched; a record is decoded from such values when the first one is
/// fetched. An `init(from:)` written by hand should throw an error for values that it does not
/// accept: a failed `precondition`, or a forced unwrapping, ends the program.
public protocol ColumnEmbedding: SendableMetatype {
  /// The keys of the structures that are embedded: none by default, so that structures are stored
  /// as JSON.
  ///
  /// The name of a column consists of those of the keys, as the strategies for columns convert
  /// them, with underscores in between. An optional structure is nil if all of its columns are
  /// `NULL`, or missing.
  ///
  /// Records throw a ``DatabaseError`` when they are stored or fetched if a key is that of a value
  /// other than a structure (a string, an array, an enumeration with associated values), if two
  /// keys have the same column, or if a key is also that of an association in the request.
  static var databaseEmbeddedKeys: [any CodingKey] { get }
}

extension ColumnEmbedding {
  /// No keys: structures are stored as JSON.
  public static var databaseEmbeddedKeys: [any CodingKey] { [] }
}

#if Macros
  import Quarry

  /// Declares a record: its columns with their types, its decoding and its encoding.
  ///
  /// ```swift
  /// @Record struct Player {
  ///   @PrimaryKey var id: Int64?
  ///   var name: String
  ///   @Column("best_score") var score: Int
  ///   @JSON var tags: [String]
  ///   @Ignored var isSelected = false
  /// }
  ///
  /// // SELECT * FROM "player" WHERE ("best_score" > ?) AND ("name" = ?)
  /// try Player.filter { $0.score > 10 && $0.name == "Anna" }.fetchAll(db)
  /// ```
  ///
  /// The type conforms to `FetchableRecord`, and to `PersistableRecord`, or to
  /// `MutablePersistableRecord` if insertions set its key. It gets `Columns`, `init(row:)`,
  /// `encode(to:)`, `didInsert(_:)`, and `id`, except those that its declaration contains.
  ///
  /// - parameter tableName: the name of the table. Defaults to the name of the type with its
  ///   leading capitals in lower case.
  /// - parameter readOnly: true for a record that is fetched only, such as one of a view.
  @attached(member, names: named(Columns), named(init(row:)), named(_Types))
  @attached(
    extension,
    conformances: FetchableRecord, TableRecord, MutablePersistableRecord, PersistableRecord,
    Identifiable, _GeneratedRecord, _CodedKeyRecord,
    names: named(databaseTableName), named(_columns), named(_keyCoding), named(init(row:)),
    named(encode(to:)),
    named(didInsert(_:)), named(id))
  public macro Record(_ tableName: String? = nil, readOnly: Bool = false) =
    #externalMacro(module: "QuarryMacroPlugin", type: "RecordMacro")

  /// Declares a structure whose properties are columns of the records that contain it, or an
  /// enumeration: see ``Embedded(prefix:)``.
  ///
  /// The column `case` of an enumeration contains the name of the case. Each associated value has a
  /// column, which is `NULL` in other cases:
  ///
  /// ```swift
  /// @Embeddable enum Payment {
  ///   case cash
  ///   case card(number: String, expiry: Date?)
  ///   case voucher(String)
  /// }
  ///
  /// @Record struct Sale {
  ///   var price: Int
  ///   // payment_case, payment_cardNumber, payment_cardExpiry, payment_voucher
  ///   @Embedded var payment: Payment
  /// }
  ///
  /// // SELECT * FROM "sale" WHERE "payment_case" = ?
  /// Sale.filter { $0.payment.case == .card }
  /// ```
  @attached(
    member, names: named(EmbeddedColumns), named(OptionalColumns), named(Case), named(_Types))
  @attached(
    extension, conformances: EmbeddableRecord,
    names: named(_columnCount), named(_columns), named(init), named(_encode))
  public macro Embeddable() =
    #externalMacro(module: "QuarryMacroPlugin", type: "EmbeddableMacro")

  /// The property is the primary key. Insertions set it if it is an `Int64?` or an `Int?`.
  @attached(peer)
  public macro PrimaryKey() =
    #externalMacro(module: "QuarryMacroPlugin", type: "PropertyAttributeMacro")

  /// The name of the column of a property, where they differ.
  @attached(peer)
  public macro Column(_ name: String) =
    #externalMacro(module: "QuarryMacroPlugin", type: "PropertyAttributeMacro")

  /// How the column of a property stores its values.
  ///
  /// ```swift
  /// @Record struct Event {
  ///   @Column("created_at", as: UnixMilliseconds.self) var creation: Date
  ///   @Column(as: LowercaseText.self) var uuid: UUID?
  /// }
  /// ```
  ///
  /// - parameter name: the name of the column. Defaults to that of the property.
  /// - parameter coding: ``UnixSeconds``, ``UnixMilliseconds``, ``ISO8601``, ``UppercaseText``,
  ///   ``LowercaseText``, or a type of the application.
  @attached(peer)
  public macro Column<Coding: ColumnCoding>(_ name: String? = nil, as coding: Coding.Type) =
    #externalMacro(module: "QuarryMacroPlugin", type: "PropertyAttributeMacro")

  /// The column of the property stores JSON: see ``JSONText``.
  @attached(peer)
  public macro JSON() =
    #externalMacro(module: "QuarryMacroPlugin", type: "PropertyAttributeMacro")

  /// The property has no column.
  @attached(peer)
  public macro Ignored() =
    #externalMacro(module: "QuarryMacroPlugin", type: "PropertyAttributeMacro")

  /// The properties of the property are columns of the record, whose names begin with its name.
  ///
  /// ```swift
  /// @Embeddable struct Address {
  ///   var street: String
  ///   var city: String
  /// }
  ///
  /// @Record struct Customer {
  ///   @Embedded var address: Address  // address_street, address_city
  /// }
  ///
  /// // SELECT * FROM "customer" WHERE "address_city" = ?
  /// Customer.filter { $0.address.city == "Paris" }
  /// ```
  ///
  /// An optional property is nil where all of its columns are `NULL`. Its typed columns are
  /// optional.
  ///
  /// - parameter prefix: the start of the names of columns. Defaults to the name of the property
  ///   and an underscore.
  @attached(peer)
  public macro Embedded(prefix: String? = nil) =
    #externalMacro(module: "QuarryMacroPlugin", type: "PropertyAttributeMacro")
#endif

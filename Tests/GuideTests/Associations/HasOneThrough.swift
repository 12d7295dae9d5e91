import Quarry
import QuarryTestSupport
import Testing

/// 'HasOneThrough': a copy returns to the address of its branch.
struct HasOneThrough {
  struct Copy: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let branch = belongsTo(Branch.self)
    static let homeAddress: HasOneThroughAssociation<Copy, Address> =
      hasOne(Address.self, through: branch, using: Branch.address)
    static let explicitHomeAddress = hasOne(
      Address.self,
      through: Copy.belongsTo(Branch.self),
      using: Branch.hasOne(Address.self))

    var id: Int64
    var branchId: Int64?
  }

  struct Branch: TableRecord {
    static let address = hasOne(Address.self)
  }

  struct Address: Codable, Equatable, FetchableRecord, TableRecord {
    var street: String
  }

  @Test(arguments: [Copy.homeAddress, Copy.explicitHomeAddress])
  func `a has-one-through leads from the copy to the address of its branch`(
    _ association: HasOneThroughAssociation<Copy, Address>
  ) throws {
    struct CopyInfo: Decodable, Equatable, FetchableRecord {
      var copy: Copy
      var address: Address?
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE branch (id INTEGER PRIMARY KEY);
        CREATE TABLE address (branchId INTEGER NOT NULL REFERENCES branch(id), street TEXT);
        CREATE TABLE copy (id INTEGER PRIMARY KEY, branchId INTEGER REFERENCES branch(id));
        INSERT INTO branch VALUES (1), (2);
        INSERT INTO address VALUES (1, 'Elm Street');
        INSERT INTO copy VALUES (1, 1), (2, 2), (3, NULL);
        """)
    try dbQueue.read { db in
      let request = Copy.including(optional: association).orderByPrimaryKey()
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "copy".*, "address".* FROM "copy" \
            LEFT JOIN "branch" ON "branch"."id" = "copy"."branchId" \
            LEFT JOIN "address" ON "address"."branchId" = "branch"."id" ORDER BY "copy"."id"
            """))
      try #expect(
        CopyInfo.fetchAll(db, request) == [
          CopyInfo(copy: Copy(id: 1, branchId: 1), address: Address(street: "Elm Street")),
          CopyInfo(copy: Copy(id: 2, branchId: 2), address: nil),
          CopyInfo(copy: Copy(id: 3, branchId: nil), address: nil),
        ])
      let addresses = try [1, 2, nil].map { branchId in
        try Copy(id: 0, branchId: branchId).request(for: association).fetchOne(db)
      }
      #expect(addresses == [Address(street: "Elm Street"), nil, nil])
    }
  }
}

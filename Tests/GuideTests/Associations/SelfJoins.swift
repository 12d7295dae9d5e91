import Quarry
import QuarryTestSupport
import Testing

/// 'Self Joins': employees, their managers and their subordinates.
struct SelfJoins {
  struct Employee: Codable, Hashable, FetchableRecord, PersistableRecord {
    static let subordinates = hasMany(Employee.self, key: "subordinates")
    static let manager = belongsTo(Employee.self, key: "manager")

    var id: Int64
    var managerId: Int64?
    var name: String
  }

  struct EmployeeInfo: FetchableRecord, Decodable, Equatable {
    var employee: Employee
    var manager: Employee?
    var subordinates: Set<Employee>
  }

  static let ada = Employee(id: 1, managerId: nil, name: "Ada")
  static let bo = Employee(id: 2, managerId: 1, name: "Bo")
  static let cy = Employee(id: 3, managerId: 1, name: "Cy")

  static func makeCompany() throws -> DatabaseQueue {
    let dbQueue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Employees") { db in
      try db.create(table: "employee") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("managerId", .integer)
          .indexed()
          .references("employee", onDelete: .restrict)
        t.column("name", .text)
      }
    }
    try migrator.migrate(dbQueue)
    try dbQueue.write { db throws in
      for employee in [ada, bo, cy] { try employee.insert(db) }
    }
    return dbQueue
  }

  @Test func managersAndSubordinates() throws {
    try Self.makeCompany().read { db throws in
      let request =
        Employee
        .including(optional: Employee.manager)
        .including(all: Employee.subordinates)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "employee1".*, "employee2".* FROM "employee" "employee1" \
            LEFT JOIN "employee" "employee2" ON "employee2"."id" = "employee1"."managerId"
            """))
      let employeeInfos: [EmployeeInfo] =
        try EmployeeInfo
        .fetchAll(db, request.orderByPrimaryKey())
      #expect(
        employeeInfos == [
          EmployeeInfo(employee: Self.ada, manager: nil, subordinates: [Self.bo, Self.cy]),
          EmployeeInfo(employee: Self.bo, manager: Self.ada, subordinates: []),
          EmployeeInfo(employee: Self.cy, manager: Self.ada, subordinates: []),
        ])
    }
  }

  @Test func managersWithSubordinatesAreNotDeleted() throws {
    try Self.makeCompany().write { db throws in
      let error = databaseError { try Self.ada.delete(db) }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      #expect(try Self.cy.delete(db))
      #expect(try Employee.fetchCount(db) == 2)
    }
  }
}

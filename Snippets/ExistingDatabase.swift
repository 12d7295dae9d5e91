// A database that another program made: names with spaces, capital letters, views, dates as texts.

import Foundation
import Quarry
import QuarryMigrations

let path = NSTemporaryDirectory() + "shop-\(UUID()).sqlite"
try DatabaseQueue(path: path).write { db in
  try db.execute(
    sql: """
      CREATE TABLE "Customers" ("CustomerID" TEXT PRIMARY KEY, "CompanyName" TEXT NOT NULL);
      CREATE TABLE "Orders" ("OrderID" INTEGER PRIMARY KEY, "CustomerID" TEXT, "OrderDate" TEXT);
      CREATE TABLE "Order Details" (
        "OrderID" INTEGER REFERENCES "Orders", "ProductID" INTEGER, "Quantity" INTEGER,
        PRIMARY KEY ("OrderID", "ProductID"));
      CREATE VIEW "Order Totals" AS
        SELECT "OrderID", SUM("Quantity") AS "Total" FROM "Order Details" GROUP BY "OrderID";
      INSERT INTO "Customers" VALUES ('ANTON', 'Antonio Moreno');
      INSERT INTO "Orders" VALUES (1, 'ANTON', '1997-11-27 00:00:00.000'), (2, NULL, NULL);
      INSERT INTO "Order Details" VALUES (1, 7, 10), (1, 9, 5);
      """)
}

// snippet.open
var configuration = Configuration()
configuration.readonly = true
configuration.schemaSource = ShopSchemaSource()  // the keys of views, see below
let shop = try DatabaseQueue(path: path, configuration: configuration)
// snippet.end
try shop.read { db in db.trace { print($0.expandedDescription) } }
defer { try? FileManager.default.removeItem(atPath: path) }

// snippet.look
try shop.read { db in
  for table in try db.schemaDescription().tables {
    print(table.name, table.columns.map(\.name), table.primaryKey)
  }
  try db.dumpSchema()
}
// snippet.end

// snippet.records
struct Customer: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Customers"

  var customerID: String  // the column CustomerID: case does not matter
  var companyName: String
}

struct Order: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Orders"

  // The schema declares no foreign key from Orders to Customers.
  static let customer = belongsTo(
    Customer.self, key: "customer", using: ForeignKey(["CustomerID"]))
  static let details = hasMany(OrderDetail.self, key: "details")

  var orderID: Int64
  var customerID: String
  var orderDate: Date?
}

struct OrderDetail: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Order Details"

  var orderID: Int64
  var productID: Int64
  var quantity: Int
}
// snippet.end

// snippet.differences
try shop.read { db in
  let differences = try db.schemaDifferences(
    of: [Customer.self, Order.self, OrderDetail.self],
    associations: [Order.customer, Order.details])
  for difference in differences { print(difference) }
}
// snippet.end

// snippet.request
struct OrderInfo: Decodable, FetchableRecord {
  var order: Order
  var customer: Customer?
  var details: [OrderDetail]
}

try shop.read { db in
  let request = Order.including(optional: Order.customer).including(all: Order.details)
    .filter(Column("CustomerID") != nil)
    .asRequest(of: OrderInfo.self)

  // Properties that no association feeds
  for difference in try db.schemaDifferences(of: request) { print(difference) }

  for info in try request.fetchAll(db) {
    let quantities = info.details.map(\.quantity)
    print(info.customer?.companyName ?? "-", quantities)  // Antonio Moreno [10, 5]
  }
}
// snippet.end

// snippet.view
struct ShopSchemaSource: DatabaseSchemaSource {
  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    view.name == "Order Totals" ? ["OrderID"] : nil
  }
}

struct OrderTotal: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "Order Totals"

  var orderID: Int64
  var total: Int
}

try shop.read { db in
  // SELECT * FROM "Order Totals" WHERE "OrderID" = 1 LIMIT 1
  print(try OrderTotal.find(db, key: 1).total)  // 15
}
// snippet.end

// snippet.names
struct Person: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Customers"

  var id: String
  var name: String

  // The names of the columns
  enum CodingKeys: String, CodingKey {
    case id = "CustomerID"
    case name = "CompanyName"
  }

  enum Columns {
    static let name = Column(CodingKeys.name)
  }
}
// snippet.end
try shop.read { db in
  print(try Person.filter { $0.name.like("A%") }.fetchAll(db).map(\.id))  // ["ANTON"]
}

import Quarry
import QuarryValues

func characterValues(_ statement: Statement) {
  fastValue("a" as Character, statement)
  fastValue("a" as Unicode.Scalar, statement)
  fastValue("a" as Substring, statement)
  let _: Character? = Character(databaseText: "a")
  let _: Unicode.Scalar? = Unicode.Scalar(databaseText: "a")
  let _: Substring = Substring(databaseText: "a")
  let _: String = ("a" as Character).databaseText
  let _: SQL = "\("a" as String) \("a" as Substring)"
}

func byteArrays(_ row: Row, _ statement: Statement) throws {
  let bytes: [UInt8] = [1, 2]
  let _: DatabaseValue = bytes.databaseValue
  let _: [UInt8]? = [UInt8].fromDatabaseValue(.null)
  let _: [UInt8] = [UInt8](sqliteStatement: statement.sqliteStatement, index: 0)
  let _: CInt = bytes.bind(to: statement.sqliteStatement, at: 1)
  let _: [UInt8] = try row.decode([UInt8].self, atIndex: 0)
  let _: [UInt8] = try row.decode([UInt8].self, forColumn: "a")
  let _: [UInt8] = try row.decode([UInt8].self, forColumn: Column("a"))
  let _: [UInt8]? = try row.decode([UInt8]?.self, atIndex: 0)
  let _: [UInt8]? = try row.decode([UInt8]?.self, forColumn: "a")
  let _: [UInt8]? = try row.decode([UInt8]?.self, forColumn: Column("a"))
}

import Quarry
import QuarryBlobs

/// A stream of the column `content` of a table `file`.
func openContent(
  _ db: Database, _ rowID: Int64, _ access: DatabaseBlob.Access = .readOnly
) throws -> DatabaseBlob {
  try db.openBlob(table: "file", column: "content", rowID: rowID, access: access)
}

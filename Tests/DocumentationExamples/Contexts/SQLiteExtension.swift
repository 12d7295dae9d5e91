var configuration = Configuration()
@Sendable func sqlite3_vec_init(
  _ connection: SQLiteConnection, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
  _ api: UnsafeRawPointer?
) -> CInt { 0 }

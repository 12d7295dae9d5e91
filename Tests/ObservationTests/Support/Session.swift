import CSQLite
import Foundation
import Quarry

/// A session of SQLite, which records the changes of the main database. Not all headers of SQLite
/// declare its functions.
///
/// See <https://www.sqlite.org/sessionintro.html>.
final class Session {
  struct IsMissing: Error {}

  private typealias Create =
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?)
    -> CInt
  private typealias Attach = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> CInt
  private typealias Delete = @convention(c) (OpaquePointer?) -> Void
  private typealias Changes =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> CInt
  private typealias Resolve =
    @convention(c) (UnsafeMutableRawPointer?, CInt, OpaquePointer?) -> CInt
  private typealias Filter =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> CInt
  private typealias Apply =
    @convention(c) (
      OpaquePointer?, CInt, UnsafeMutableRawPointer?, Filter?, Resolve?, UnsafeMutableRawPointer?
    ) -> CInt

  private let session: OpaquePointer

  init(_ db: Database) throws {
    let create = try Self.function("sqlite3session_create", Create.self)
    let attach = try Self.function("sqlite3session_attach", Attach.self)
    var session: OpaquePointer?
    guard create(db.sqliteConnection, "main", &session) == SQLITE_OK, let session else {
      throw IsMissing()
    }
    self.session = session
    guard attach(session, nil) == SQLITE_OK else { throw IsMissing() }
  }

  deinit {
    (try? Self.function("sqlite3session_delete", Delete.self))?(session)
  }

  /// The changes that were recorded, with values of before and after.
  func changeset() throws -> Data {
    let changes = try Self.function("sqlite3session_changeset", Changes.self)
    var count: CInt = 0
    var bytes: UnsafeMutableRawPointer?
    guard changes(session, &count, &bytes) == SQLITE_OK else { throw IsMissing() }
    defer { sqlite3_free(bytes) }
    return bytes.map { Data(bytes: $0, count: Int(count)) } ?? Data()
  }

  /// Applies changes to another database. None may be in conflict.
  static func apply(_ changeset: Data, to db: Database) throws {
    let apply = try function("sqlite3changeset_apply", Apply.self)
    var changeset = changeset
    let code = changeset.withUnsafeMutableBytes { bytes in
      // SQLITE_CHANGESET_ABORT
      apply(db.sqliteConnection, CInt(bytes.count), bytes.baseAddress, nil, { _, _, _ in 2 }, nil)
    }
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func function<T>(_ name: String, _ type: T.Type) throws -> T {
    guard let address = dlsym(nil, name) else { throw IsMissing() }
    return unsafeBitCast(address, to: type)
  }
}

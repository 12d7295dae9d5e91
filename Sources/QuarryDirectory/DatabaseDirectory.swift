import Dispatch
public import Quarry

/// Databases in the files of a folder, one for each key: for each tenant, document, or user. They
/// are opened when they are used first, and closed later.
///
/// ```swift
/// let directory = try DatabaseDirectory(path: "/data/tenants", migrator: migrator) { _, path in
///   try DatabasePool(path: path)
/// }
/// try directory.create("acme")
/// try directory.write("acme") { db in try player.insert(db) }
/// ```
///
/// Any text that is not empty is a key. Its file name has lowercase letters, digits, `-`, `_` and
/// dots as they are, and percent codes for the bytes of everything else: no key leaves the folder,
/// and `Acme` and `acme` are two databases on a file system that ignores case, too. Keys that are
/// equal in Swift are one database.
///
/// A folder belongs to one directory. Another process may open the same databases, but must not
/// when they are removed. See
/// <https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use>.
public final class DatabaseDirectory<Writer: DatabaseWriter>: Sendable {
  /// The absolute path of the folder.
  public let path: String

  /// The options.
  public let options: DirectoryOptions

  let files: DirectoryFiles
  let migrator: DatabaseMigrator?
  let openDatabase: @Sendable (_ key: String, _ path: String) throws -> Writer
  let state: Locked<DirectoryState<Writer>>
  /// Runs what begins at a time, and never waits: files are closed on other queues.
  let timers = DispatchQueue(label: "Quarry.DatabaseDirectory.timers")

  /// Creates a directory for a folder. No database is opened.
  ///
  /// - Parameters:
  ///   - path: The path of the folder, which must exist.
  ///   - options: The limits.
  ///   - migrator: Migrates each database when it is opened: an access gets it with all migrations,
  ///     or an error.
  ///   - open: Opens a database: with the key, and the path of its file, which is empty for a new
  ///     one. It must not use the database of this key in the directory.
  /// - throws: ``DirectoryError`` if there is no such folder, and for an option that can't be.
  public init(
    path: String, options: DirectoryOptions = DirectoryOptions(), migrator: DatabaseMigrator? = nil,
    open: @escaping @Sendable (_ key: String, _ path: String) throws -> Writer
  ) throws(DirectoryError) {
    try options.check()
    files = try DirectoryFiles(path)
    self.path = files.folder
    self.options = options
    self.migrator = migrator
    openDatabase = open
    state = Locked(DirectoryState(limit: options.limit, folder: files.folder))
  }
}

extension DatabaseDirectory {
  /// The keys of all databases in the folder, sorted, whether they are open or not.
  ///
  /// ```swift
  /// for key in try directory.keys() {
  ///   let count = try directory.read(key) { db in try Player.fetchCount(db) }
  ///   print(key, count)
  /// }
  /// ```
  ///
  /// - throws: ``DirectoryError`` if the folder can't be read, and for a file whose name ends with
  ///   `.sqlite` and is that of no key. Files whose name begins with a dot are ignored.
  public func keys() throws(DirectoryError) -> [String] { try files.keys() }

  /// Whether there is a database for the key, open or not.
  ///
  /// - throws: ``DirectoryError`` for an invalid key.
  public func contains(_ key: String) throws(DirectoryError) -> Bool {
    files.exists(try files.path(for: key))
  }

  /// The path of the file of a key, whether it exists or not.
  ///
  /// - throws: ``DirectoryError`` for an invalid key.
  public func path(for key: String) throws(DirectoryError) -> String { try files.path(for: key) }

  /// The keys of the databases that are open now, sorted.
  public var openKeys: [String] { state.withLock { $0.openEntries.map(\.key).sorted() } }

  /// The keys of the databases that are in use now, sorted.
  public var keysInUse: [String] { state.withLock { $0.entriesInUse.map(\.key).sorted() } }
}

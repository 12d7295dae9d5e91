// Written by Scripts/generate, from result-codes.txt: change that file.

// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The extended result codes. See <https://www.sqlite.org/rescode.html#extrc>.
extension ResultCode {
  /// An extension was loaded for the life of the process.
  public static let SQLITE_OK_LOAD_PERMANENTLY = ResultCode(.SQLITE_OK, extension: 1)

  /// Used inside SQLite.
  public static let SQLITE_OK_SYMLINK = ResultCode(.SQLITE_OK, extension: 2)

  /// A collation does not exist.
  public static let SQLITE_ERROR_MISSING_COLLSEQ = ResultCode(.SQLITE_ERROR, extension: 1)

  /// The statement must be prepared again; it does not reach applications.
  public static let SQLITE_ERROR_RETRY = ResultCode(.SQLITE_ERROR, extension: 2)

  /// A snapshot is no longer available.
  public static let SQLITE_ERROR_SNAPSHOT = ResultCode(.SQLITE_ERROR, extension: 3)

  /// A statement was aborted because its transaction was rolled back.
  public static let SQLITE_ABORT_ROLLBACK = ResultCode(.SQLITE_ABORT, extension: 2)

  /// Another process recovers the write-ahead log.
  public static let SQLITE_BUSY_RECOVERY = ResultCode(.SQLITE_BUSY, extension: 1)

  /// A read transaction can't be upgraded, because the database has changed since it began.
  public static let SQLITE_BUSY_SNAPSHOT = ResultCode(.SQLITE_BUSY, extension: 2)

  /// A blocking lock timed out.
  public static let SQLITE_BUSY_TIMEOUT = ResultCode(.SQLITE_BUSY, extension: 3)

  /// A table is locked by a connection that shares the cache.
  public static let SQLITE_LOCKED_SHAREDCACHE = ResultCode(.SQLITE_LOCKED, extension: 1)

  /// A virtual table is locked.
  public static let SQLITE_LOCKED_VTAB = ResultCode(.SQLITE_LOCKED, extension: 2)

  /// The write-ahead log can't be recovered by a read-only connection.
  public static let SQLITE_READONLY_RECOVERY = ResultCode(.SQLITE_READONLY, extension: 1)

  /// A read-only connection can't lock the shared memory file.
  public static let SQLITE_READONLY_CANTLOCK = ResultCode(.SQLITE_READONLY, extension: 2)

  /// A hot journal can't be rolled back by a read-only connection.
  public static let SQLITE_READONLY_ROLLBACK = ResultCode(.SQLITE_READONLY, extension: 3)

  /// The database file was moved since it was opened.
  public static let SQLITE_READONLY_DBMOVED = ResultCode(.SQLITE_READONLY, extension: 4)

  /// The shared memory file can't be initialized by a read-only connection.
  public static let SQLITE_READONLY_CANTINIT = ResultCode(.SQLITE_READONLY, extension: 5)

  /// No journal can be created in a read-only directory.
  public static let SQLITE_READONLY_DIRECTORY = ResultCode(.SQLITE_READONLY, extension: 6)

  /// A file could not be read.
  public static let SQLITE_IOERR_READ = ResultCode(.SQLITE_IOERR, extension: 1)

  /// A file is shorter than expected.
  public static let SQLITE_IOERR_SHORT_READ = ResultCode(.SQLITE_IOERR, extension: 2)

  /// A file could not be written.
  public static let SQLITE_IOERR_WRITE = ResultCode(.SQLITE_IOERR, extension: 3)

  /// A file could not be synchronized.
  public static let SQLITE_IOERR_FSYNC = ResultCode(.SQLITE_IOERR, extension: 4)

  /// A directory could not be synchronized.
  public static let SQLITE_IOERR_DIR_FSYNC = ResultCode(.SQLITE_IOERR, extension: 5)

  /// A file could not be truncated.
  public static let SQLITE_IOERR_TRUNCATE = ResultCode(.SQLITE_IOERR, extension: 6)

  /// The attributes of a file could not be read.
  public static let SQLITE_IOERR_FSTAT = ResultCode(.SQLITE_IOERR, extension: 7)

  /// A file could not be unlocked.
  public static let SQLITE_IOERR_UNLOCK = ResultCode(.SQLITE_IOERR, extension: 8)

  /// A read lock could not be obtained.
  public static let SQLITE_IOERR_RDLOCK = ResultCode(.SQLITE_IOERR, extension: 9)

  /// A file could not be deleted.
  public static let SQLITE_IOERR_DELETE = ResultCode(.SQLITE_IOERR, extension: 10)

  /// Not used by SQLite.
  public static let SQLITE_IOERR_BLOCKED = ResultCode(.SQLITE_IOERR, extension: 11)

  /// An operation on a file ran out of memory.
  public static let SQLITE_IOERR_NOMEM = ResultCode(.SQLITE_IOERR, extension: 12)

  /// The access rights of a file could not be read.
  public static let SQLITE_IOERR_ACCESS = ResultCode(.SQLITE_IOERR, extension: 13)

  /// A lock could not be checked.
  public static let SQLITE_IOERR_CHECKRESERVEDLOCK = ResultCode(.SQLITE_IOERR, extension: 14)

  /// A file could not be locked.
  public static let SQLITE_IOERR_LOCK = ResultCode(.SQLITE_IOERR, extension: 15)

  /// A file could not be closed.
  public static let SQLITE_IOERR_CLOSE = ResultCode(.SQLITE_IOERR, extension: 16)

  /// A directory could not be closed.
  public static let SQLITE_IOERR_DIR_CLOSE = ResultCode(.SQLITE_IOERR, extension: 17)

  /// The shared memory file could not be opened.
  public static let SQLITE_IOERR_SHMOPEN = ResultCode(.SQLITE_IOERR, extension: 18)

  /// The shared memory file could not be enlarged.
  public static let SQLITE_IOERR_SHMSIZE = ResultCode(.SQLITE_IOERR, extension: 19)

  /// The shared memory file could not be locked.
  public static let SQLITE_IOERR_SHMLOCK = ResultCode(.SQLITE_IOERR, extension: 20)

  /// The shared memory file could not be mapped.
  public static let SQLITE_IOERR_SHMMAP = ResultCode(.SQLITE_IOERR, extension: 21)

  /// A file position could not be set.
  public static let SQLITE_IOERR_SEEK = ResultCode(.SQLITE_IOERR, extension: 22)

  /// The file to delete does not exist.
  public static let SQLITE_IOERR_DELETE_NOENT = ResultCode(.SQLITE_IOERR, extension: 23)

  /// A file could not be mapped into memory.
  public static let SQLITE_IOERR_MMAP = ResultCode(.SQLITE_IOERR, extension: 24)

  /// The directory for temporary files could not be found.
  public static let SQLITE_IOERR_GETTEMPPATH = ResultCode(.SQLITE_IOERR, extension: 25)

  /// A path name could not be converted.
  public static let SQLITE_IOERR_CONVPATH = ResultCode(.SQLITE_IOERR, extension: 26)

  /// A file was removed or moved while in use.
  public static let SQLITE_IOERR_VNODE = ResultCode(.SQLITE_IOERR, extension: 27)

  /// Reserved for extensions.
  public static let SQLITE_IOERR_AUTH = ResultCode(.SQLITE_IOERR, extension: 28)

  /// An atomic write could not begin.
  public static let SQLITE_IOERR_BEGIN_ATOMIC = ResultCode(.SQLITE_IOERR, extension: 29)

  /// An atomic write could not be committed.
  public static let SQLITE_IOERR_COMMIT_ATOMIC = ResultCode(.SQLITE_IOERR, extension: 30)

  /// An atomic write could not be rolled back.
  public static let SQLITE_IOERR_ROLLBACK_ATOMIC = ResultCode(.SQLITE_IOERR, extension: 31)

  /// The checksum of a page is wrong.
  public static let SQLITE_IOERR_DATA = ResultCode(.SQLITE_IOERR, extension: 32)

  /// The file system is corrupt.
  public static let SQLITE_IOERR_CORRUPTFS = ResultCode(.SQLITE_IOERR, extension: 33)

  /// The content of a virtual table is corrupt.
  public static let SQLITE_CORRUPT_VTAB = ResultCode(.SQLITE_CORRUPT, extension: 1)

  /// The table `sqlite_sequence` is corrupt.
  public static let SQLITE_CORRUPT_SEQUENCE = ResultCode(.SQLITE_CORRUPT, extension: 2)

  /// An entry of an index is missing, or superfluous.
  public static let SQLITE_CORRUPT_INDEX = ResultCode(.SQLITE_CORRUPT, extension: 3)

  /// No directory for temporary files was found.
  public static let SQLITE_CANTOPEN_NOTEMPDIR = ResultCode(.SQLITE_CANTOPEN, extension: 1)

  /// The file is a directory.
  public static let SQLITE_CANTOPEN_ISDIR = ResultCode(.SQLITE_CANTOPEN, extension: 2)

  /// The full path of a file could not be obtained.
  public static let SQLITE_CANTOPEN_FULLPATH = ResultCode(.SQLITE_CANTOPEN, extension: 3)

  /// A path name could not be converted.
  public static let SQLITE_CANTOPEN_CONVPATH = ResultCode(.SQLITE_CANTOPEN, extension: 4)

  /// Not used by SQLite.
  public static let SQLITE_CANTOPEN_DIRTYWAL = ResultCode(.SQLITE_CANTOPEN, extension: 5)

  /// The file is a symbolic link, which was not allowed.
  public static let SQLITE_CANTOPEN_SYMLINK = ResultCode(.SQLITE_CANTOPEN, extension: 6)

  /// A `CHECK` constraint failed.
  public static let SQLITE_CONSTRAINT_CHECK = ResultCode(.SQLITE_CONSTRAINT, extension: 1)

  /// A commit hook rolled the transaction back.
  public static let SQLITE_CONSTRAINT_COMMITHOOK = ResultCode(.SQLITE_CONSTRAINT, extension: 2)

  /// A foreign key constraint failed.
  public static let SQLITE_CONSTRAINT_FOREIGNKEY = ResultCode(.SQLITE_CONSTRAINT, extension: 3)

  /// An SQL function reported a constraint violation.
  public static let SQLITE_CONSTRAINT_FUNCTION = ResultCode(.SQLITE_CONSTRAINT, extension: 4)

  /// A `NOT NULL` constraint failed.
  public static let SQLITE_CONSTRAINT_NOTNULL = ResultCode(.SQLITE_CONSTRAINT, extension: 5)

  /// A primary key is not unique.
  public static let SQLITE_CONSTRAINT_PRIMARYKEY = ResultCode(.SQLITE_CONSTRAINT, extension: 6)

  /// A trigger raised an error.
  public static let SQLITE_CONSTRAINT_TRIGGER = ResultCode(.SQLITE_CONSTRAINT, extension: 7)

  /// A `UNIQUE` constraint failed.
  public static let SQLITE_CONSTRAINT_UNIQUE = ResultCode(.SQLITE_CONSTRAINT, extension: 8)

  /// A virtual table reported a constraint violation.
  public static let SQLITE_CONSTRAINT_VTAB = ResultCode(.SQLITE_CONSTRAINT, extension: 9)

  /// A rowid is not unique.
  public static let SQLITE_CONSTRAINT_ROWID = ResultCode(.SQLITE_CONSTRAINT, extension: 10)

  /// A trigger deleted the row that is being updated.
  public static let SQLITE_CONSTRAINT_PINNED = ResultCode(.SQLITE_CONSTRAINT, extension: 11)

  /// A value does not have the type of its column in a strict table.
  public static let SQLITE_CONSTRAINT_DATATYPE = ResultCode(.SQLITE_CONSTRAINT, extension: 12)

  /// An operation needs a user who is logged in.
  public static let SQLITE_AUTH_USER = ResultCode(.SQLITE_AUTH, extension: 1)

  /// A write-ahead log was recovered.
  public static let SQLITE_NOTICE_RECOVER_WAL = ResultCode(.SQLITE_NOTICE, extension: 1)

  /// A hot journal was rolled back.
  public static let SQLITE_NOTICE_RECOVER_ROLLBACK = ResultCode(.SQLITE_NOTICE, extension: 2)

  /// A query uses an automatic index.
  public static let SQLITE_WARNING_AUTOINDEX = ResultCode(.SQLITE_WARNING, extension: 1)
}

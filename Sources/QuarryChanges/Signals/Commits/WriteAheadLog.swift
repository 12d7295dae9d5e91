import CSQLite
import Quarry

/// The write-ahead log of a connection, as it is in the file at the moment: with frames of commits
/// that are not visible yet, or never will be.
///
/// See <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
@safe struct WriteAheadLog {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let header: [UInt8]

  /// Nil without write-ahead log, and where the file is empty.
  init?(_ connection: OpaquePointer) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(
      connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard code == SQLITE_OK, let file = unsafe file, unsafe file.pointee.pMethods != nil,
      case .bytes(let header) = unsafe Self.read(32, of: file, at: 0),
      [0x377f_0682, 0x377f_0683].contains(header.number(at: 0)), header.number(at: 4) == 3_007_000
    else { return nil }
    unsafe self.file = file
    self.header = header
  }

  /// Other ones each time the log begins again: before its first frame is written again.
  var salts: UInt64 { header.wideNumber(at: 16) }
  private var pageSize: Int { Int(header.number(at: 8)) }

  /// The number of frames that are looked at: of those of a commit, and of those after a position.
  private static let limit: UInt32 = 8192

  /// The commit that ends with a frame, as its start and its end. Nil where others have begun the
  /// log again meanwhile, and for very large commits.
  func commit(endingAt frame: UInt32) -> (start: LogPosition, end: LogPosition)? {
    guard case .commit(let checksum) = content(ofFrame: frame) else { return nil }
    let end = position(frame, checksum)
    for number in (0..<frame).reversed().prefix(Int(Self.limit)) {
      if number == 0 { return (start, end) }
      switch content(ofFrame: number) {
      case .page: continue
      case .commit(let checksum): return (position(number, checksum), end)
      case .end, .unknown: return nil
      }
    }
    return nil
  }

  /// The frames after the end of a commit that was visible.
  enum Rest: Hashable {
    /// No commit is in it that is visible.
    case empty
    /// Commits may be visible, up to a frame.
    case commits(upTo: UInt32)
    /// Nothing is known.
    case unknown
  }

  /// What there is after the end of a commit that was visible.
  ///
  /// The frames of a commit are written before others see it, one after another, with the salts of
  /// the log. Where the log begins again, its header is written first: so it is read last.
  func rest(after position: LogPosition, _ connection: OpaquePointer) -> Rest {
    guard salts == position.salts else { return .unknown }
    var rest = Rest.empty
    let limit = position.frame + Self.limit
    scan: for number in position.frame + 1...limit {
      switch content(ofFrame: number) {
      case .page where number == limit, .commit where number == limit: return .unknown
      case .page: continue
      case .commit: rest = .commits(upTo: number)
      case .end: break scan
      case .unknown: return .unknown
      }
    }
    return unsafe WriteAheadLog(connection)?.salts == salts ? rest : .unknown
  }

  /// The position before the first frame.
  var start: LogPosition { position(0, header.wideNumber(at: 24)) }

  private func position(_ frame: UInt32, _ checksum: UInt64) -> LogPosition {
    LogPosition(salts: salts, checksum: checksum, frame: frame)
  }

  private enum Frame {
    case page
    /// The last frame of a commit.
    case commit(checksum: UInt64)
    /// The end of the file, or what is left of the log before it has begun again.
    case end
    case unknown
  }

  private func content(ofFrame number: UInt32) -> Frame {
    switch unsafe Self.read(24, of: file, at: 32 + (Int(number) - 1) * (24 + pageSize)) {
    case .end: return .end
    case .failure: return .unknown
    case .bytes(let bytes):
      guard bytes.wideNumber(at: 8) == salts else { return .end }
      return bytes.number(at: 4) == 0 ? .page : .commit(checksum: bytes.wideNumber(at: 16))
    }
  }
}

extension WriteAheadLog {
  private enum Reading {
    case bytes([UInt8])
    case end, failure
  }

  private static func read(
    _ count: Int, of file: UnsafeMutablePointer<sqlite3_file>, at offset: Int
  ) -> Reading {
    guard let read = unsafe file.pointee.pMethods.pointee.xRead else { return .failure }
    var bytes = [UInt8](repeating: 0, count: count)
    let code = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(file, buffer.baseAddress, CInt(count), sqlite3_int64(offset))
    }
    // The extended code for a read beyond the end, which C declares by an expression.
    let isShort = code == SQLITE_IOERR | 2 << 8
    return code == SQLITE_OK ? .bytes(bytes) : isShort ? .end : .failure
  }
}

extension [UInt8] {
  fileprivate func number(at index: Int) -> UInt32 {
    self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  fileprivate func wideNumber(at index: Int) -> UInt64 {
    self[index..<index + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

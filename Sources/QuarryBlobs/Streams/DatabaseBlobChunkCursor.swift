public import Foundation
public import Quarry

/// A cursor over the bytes of a blob, part after part. See ``DatabaseBlob/chunks(size:)``.
public final class DatabaseBlobChunkCursor: Cursor {
  private let blob: DatabaseBlob
  private let size: Int
  private var offset = 0

  init(blob: DatabaseBlob, size: Int) {
    self.blob = blob
    self.size = size
  }

  /// The next bytes, nil at the end of the blob. See ``DatabaseBlob/read(at:count:)``.
  public func next() throws -> Data? {
    guard offset < blob.count else { return nil }
    let chunk = try blob.read(at: offset, count: Swift.min(size, blob.count - offset))
    offset += chunk.count
    return chunk
  }
}

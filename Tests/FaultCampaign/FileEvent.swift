import CFaults

/// What happened to a file, as far as a power cut matters.
struct FileEvent {
  enum Kind {
    case creation
    case deletion
    case write(offset: Int, bytes: [UInt8])
    case truncation(size: Int)
    case sync
  }

  let name: String
  let kind: Kind
  /// Whether the names of the folder are on the disk afterwards.
  let syncsFolder: Bool

  init(_ event: quarry_event) {
    name = String(cString: event.name)
    syncsFolder = event.syncs_folder != 0
    switch event.operation {
    case QUARRY_OPEN: kind = .creation
    case QUARRY_DELETE: kind = .deletion
    case QUARRY_TRUNCATE: kind = .truncation(size: Int(event.offset))
    case QUARRY_SYNC: kind = .sync
    default:
      let bytes = UnsafeRawBufferPointer(start: event.bytes, count: Int(event.byte_count))
      kind = .write(offset: Int(event.offset), bytes: Array(bytes))
    }
  }
}

/// The database of an observation that runs, by what it can do.
enum ObservedDatabase: Sendable {
  /// Nobody sees its changes.
  case readOnly(any DatabaseReader)
  /// Everything is fetched by the connection that writes.
  case writer(any DatabaseWriter)
  /// Fetches may run while others write.
  case pool(DatabasePool)

  init(_ reader: any DatabaseReader, requiresWriteAccess: Bool) {
    if let forwarding = reader as? any _ForwardingReader {
      self.init(forwarding._reader, requiresWriteAccess: requiresWriteAccess)
    } else if reader.configuration.readonly {
      self = .readOnly(reader)
    } else if let pool = reader as? DatabasePool, !requiresWriteAccess {
      self = .pool(pool)
    } else if let writer = reader as? any DatabaseWriter {
      self = .writer(writer)
    } else {
      self = .readOnly(reader)
    }
  }

  var writer: (any DatabaseWriter)? {
    switch self {
    case .readOnly: nil
    case .writer(let writer): writer
    case .pool(let pool): pool
    }
  }
}

extension DatabaseWriter {
  /// The writer that does the work, to be referenced weakly: a wrapper such as `AnyDatabaseWriter`
  /// may go before it.
  package var innermostWriter: any DatabaseWriter {
    ObservedDatabase(self, requiresWriteAccess: true).writer ?? self
  }
}

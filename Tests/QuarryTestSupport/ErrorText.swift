public import Quarry

/// The description of the error that `body` throws, or nil when it throws none.
public func errorText<T>(_ body: () throws -> T) -> String? {
  do {
    _ = try body()
    return nil
  } catch {
    return "\(error)"
  }
}

/// The description of the error that `body` throws, or nil when it throws none.
public func errorText<T>(_ body: () async throws -> T) async -> String? {
  do {
    _ = try await body()
    return nil
  } catch {
    return "\(error)"
  }
}

/// The database error that `body` throws, or nil when it throws none.
public func databaseError<T>(_ body: () throws -> T) -> DatabaseError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? DatabaseError
  }
}

/// The way out of a lock of another connection.
public let lockedDetails = """
  another connection has locked the database: `busyMode = .timeout(5)` in the configuration waits for it
  """

/// The way out of a write in an access that only reads.
public let readOnlyDetails = "the access only reads: use `write`"

/// The way out of a write on a connection that only reads.
public let readOnlyConnectionDetails =
  "the connection only reads: use `write`, with a configuration that is not `readonly`"

/// The way out of an update of a record without key.
public let nullKeyDetails =
  "the key is NULL: `insert` or `save` sets the property of the key, if the record has one"

/// The first and the last line of a description: the documented format of an error, without the
/// findings between them.
public func withoutFindings(_ description: String) -> String {
  let lines = description.split(separator: "\n")
  return lines.count > 2 ? "\(lines[0]) \(lines[lines.count - 1])" : description
}

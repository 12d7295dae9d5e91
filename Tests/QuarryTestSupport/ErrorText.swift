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

public import Testing

/// The text that a stopped process printed to its standard error.
public func errorText(of result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

/// Expects the message of a precondition on the standard error of a stopped process.
///
/// Optimized programs don't print messages of preconditions: there, the exit is all that can be
/// expected.
public func expectPrecondition(
  _ message: String, in result: ExitTest.Result?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard isDebugBuild else { return }
  #expect(errorText(of: result).contains(message), sourceLocation: sourceLocation)
}

/// Whether the tests are compiled without optimization.
public let isDebugBuild = _isDebugAssertConfiguration()

import Foundation

/// The program that SwiftPM has built beside the tests, as a process.
final class Program {
  /// A program that has ended, or is silent, instead of writing what a test waits for.
  struct Silence: Error {
    var rest: String
  }

  private let process = Process()
  private let output = Output()
  private let errors = Output()

  init(_ name: String, _ arguments: [String]) throws {
    process.executableURL = Self.directory.appendingPathComponent(name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output.pipe
    process.standardError = errors.pipe
    try process.run()
  }

  deinit {
    if process.isRunning { send(SIGKILL) }
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for lines of standard output, and returns the first one that fits.
  @discardableResult
  func waitForOutput(_ condition: (String) -> Bool = { _ in true }) throws -> String {
    try output.wait(condition)
  }

  @discardableResult
  func waitForErrors(_ condition: (String) -> Bool = { _ in true }) throws -> String {
    try errors.wait(condition)
  }

  /// Waits for the end. The code is negative after a signal.
  func end() throws -> (code: Int32, output: String, errors: String) {
    let texts = try (output.rest(), errors.rest())
    process.waitUntilExit()
    let isExit = process.terminationReason == .exit
    return ((isExit ? 1 : -1) * process.terminationStatus, texts.0, texts.1)
  }

  private static var directory: URL {
    #if os(Linux)
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      let tests = bundle.bundleURL
    #endif
    return tests.deletingLastPathComponent()
  }
}

/// What a process writes, line by line.
private final class Output {
  let pipe = Pipe()
  private var text = Data()

  func wait(_ condition: (String) -> Bool) throws -> String {
    while true {
      while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: text[..<end], as: UTF8.self)
        text = Data(text[(end + 1)...])
        if condition(line) { return line }
      }
      guard try read() else {
        throw Program.Silence(rest: String(decoding: text, as: UTF8.self))
      }
    }
  }

  func rest() throws -> String {
    while try read() {}
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns false at the end. A program that is silent for a minute hangs.
  private func read() throws -> Bool {
    let handle = pipe.fileHandleForReading
    var descriptor = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 60_000) > 0 else { throw Program.Silence(rest: "a minute") }
    let part = handle.availableData
    text.append(part)
    return !part.isEmpty
  }
}

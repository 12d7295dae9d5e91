import Foundation
import Testing

#if os(Linux)
  /// A terminal with `quarry query` in it.
  private final class Terminal {
    private let process = Process()
    private let terminal: FileHandle
    private var received: [UInt8] = []

    init(_ arguments: [String], history: String) throws {
      // See pts(4), and ioctl_tty(2) for the numbers of TIOCSPTLCK and TIOCGPTN.
      let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      try #require(descriptor >= 0)
      var (isLocked, number): (CInt, CInt) = (0, 0)
      try #require(ioctl(descriptor, 0x4004_5431, &isLocked) == 0)
      try #require(ioctl(descriptor, 0x8004_5430, &number) == 0)
      terminal = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      let child = try #require(FileHandle(forUpdatingAtPath: "/dev/pts/\(number)"))
      process.executableURL = try Tool.url("quarry")
      process.arguments = ["query"] + arguments
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["QUARRY_HISTORY": history]
      ) { _, new in new }
      process.standardInput = child
      process.standardOutput = child
      process.standardError = child
      try process.run()
    }

    /// Waits for a text, and drops all up to its end.
    func wait(for end: String) throws {
      let wanted = Array(end.utf8)
      while true {
        if let range = received.firstRange(of: wanted) {
          received.removeSubrange(..<range.upperBound)
          return
        }
        try receive()
      }
    }

    private func receive() throws {
      // A prompt that never comes fails the test, instead of waiting for ever.
      var request = pollfd(fd: terminal.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let text = String(decoding: received, as: UTF8.self)
      try #require(poll(&request, 1, 60_000) == 1, "no answer after: \(text)")
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(terminal.fileDescriptor, &bytes, bytes.count)
      try #require(count > 0, "the program ended after: \(text)")
      received += bytes[..<count]
    }

    /// Types at the next prompt: what comes earlier, the terminal would read by itself.
    func type(_ keys: String, at prompt: String? = "quarry> ") throws {
      if let prompt { try wait(for: prompt) }
      try terminal.write(contentsOf: Data(keys.utf8))
    }

    func end() -> Int32 {
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  struct PromptTests {
    private static let up = "\u{1B}[A"
    private static let left = "\u{1B}[D"

    @Test func `statements are edited, run and kept in a history`() throws {
      try withScratch { scratch in
        let path = try scratch.database("shop.sqlite", Schemas.shop)
        let first = try Terminal([path, "--format", "csv"], history: scratch / "history")
        // A mistake in the middle is mended with arrow keys and backspace.
        try first.type("SELECT 40 + 3 AS sum;\(Self.left)\(String(repeating: Self.left, count: 7))")
        try first.type("\u{7F}\u{7F}2 \r", at: nil)
        try first.wait(for: "sum\r\n42\r\n")
        try first.type("SELECT 'over\r")
        try first.type("two' AS lines;\r", at: "   ...> ")
        try first.wait(for: "lines\r\n")
        try first.type("SELECT unknown;\r")
        try first.wait(for: "no such column: unknown")
        try first.type(".tables\r")
        try first.wait(for: "author\r\nbook\r\ncheap\r\n")
        try first.type(".frobnicate\r")
        try first.wait(for: "no such command: .frobnicate; .help lists them")
        try first.type("\u{4}")
        #expect(first.end() == 0)

        let second = try Terminal([path, "--format", "csv"], history: scratch / "history")
        try second.type(String(repeating: Self.up, count: 5) + "\r")
        try second.wait(for: "sum\r\n42\r\n")
        try second.type(".quit\r")
        #expect(second.end() == 0)
      }
    }

    @Test func `a history is written into the file that a link leads to, and is private`() throws {
      try withScratch { scratch in
        let path = try scratch.database("shop.sqlite", Schemas.shop)
        let (file, link) = try (scratch.file("entries", "SELECT 0;\n"), scratch / "history")
        #expect(chmod(file, 0o644) == 0)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let terminal = try Terminal([path, "--format", "csv"], history: link)
        try terminal.type("SELECT 40 + 2 AS sum;\r")
        try terminal.wait(for: "sum\r\n42\r\n")
        try terminal.type(".quit\r")
        #expect(terminal.end() == 0)
        try #expect(FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        try #expect(
          String(contentsOfFile: file, encoding: .utf8)
            == "SELECT 0;\nSELECT 40 + 2 AS sum;\n.quit\n")
        #expect(Scratch.permissions(of: file) == 0o600)
      }
    }

    @Test func `the prompt is read-only`() throws {
      try withScratch { scratch in
        let path = try scratch.database("shop.sqlite", Schemas.shop)
        let terminal = try Terminal([path], history: "")
        try terminal.wait(for: "(read-only)")
        try terminal.type("DELETE FROM book;\r")
        try terminal.wait(for: "attempt to write a readonly database: --write allows")
        // Control-C drops the line, and Control-U what is before the cursor.
        try terminal.type("SELECT \u{3}xyz\u{15}SELECT COUNT(*) AS count FROM book;\r")
        try terminal.wait(for: "│     3 │")
        try terminal.type("\u{4}")
        #expect(terminal.end() == 0)
      }
    }
  }
#endif

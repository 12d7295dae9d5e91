import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryDirectory

@Suite("A directory and its model")
struct RandomDirectoryTests {
  @Test func `a random history has the results of its model`() throws {
    let run = RandomRun("directory and model")
    try run.repeated(seconds: 2) { generator in
      try withTemporaryDirectory { folder in
        var history = try DirectoryHistory(folder, &generator)
        for step in 0..<80 {
          try history.step(&generator)
          try history.check("seed \(run.seed), step \(step)")
        }
      }
    }
  }
}

/// Books by keys, and which databases are open, in lists.
private struct DirectoryModel {
  let limit: Int
  let creates: Bool
  var books: [String: [String]] = [:]
  var leaseCounts: [String: Int] = [:]
  /// Open, and not in use, since the longest time first.
  var idle: [String] = []

  var openKeys: [String] { (leaseCounts.keys + idle).sorted() }

  /// A use begins: the error, or nil.
  mutating func begin(_ key: String) -> DirectoryError.Code? {
    if let count = leaseCounts[key] {
      leaseCounts[key] = count + 1
      return nil
    }
    if let position = idle.firstIndex(of: key) {
      idle.remove(at: position)
    } else {
      if books[key] == nil {
        guard creates else { return .missing }
        books[key] = []
      }
      if leaseCounts.count == limit { return .limitReached }
      if openKeys.count == limit { idle.removeFirst() }
    }
    leaseCounts[key] = 1
    return nil
  }

  mutating func end(_ key: String) {
    let count = leaseCounts[key, default: 0]
    leaseCounts[key] = count == 1 ? nil : count - 1
    if count == 1 { idle.append(key) }
  }

  mutating func remove(_ key: String) -> DirectoryError.Code? {
    if leaseCounts[key] != nil { return .inUse }
    idle.removeAll { $0 == key }
    return books.removeValue(forKey: key) == nil ? .missing : nil
  }
}

/// A directory to which the same happens as to a model.
private struct DirectoryHistory {
  private static let keys = ["a", "A", "../a", "é", "a.b", "%61", "b"]

  private let folder: String
  private let options: DirectoryOptions
  private var directory: DatabaseDirectory<DatabaseQueue>
  private var model: DirectoryModel
  private var leases: [DatabaseLease<DatabaseQueue>] = []
  private var number = 0

  init(_ folder: String, _ generator: inout SplitMix64) throws {
    self.folder = folder
    var options = DirectoryOptions.limit(1 + generator.below(4), creates: generator.chance(2))
    options.waitDuration = .zero
    self.options = options
    directory = try makeDirectory(folder, options)
    model = DirectoryModel(limit: options.limit, creates: options.createsMissing)
  }

  mutating func step(_ generator: inout SplitMix64) throws {
    let key = generator.pick(Self.keys)
    switch generator.below(12) {
    case 0...3: try write(key)
    case 4...5: try read(key)
    case 6: try lease(key)
    case 7: release(&generator)
    case 8...9: try create(key)
    case 10: expect(model.remove(key), code { try directory.remove(key) }, "remove \(key)")
    default: generator.chance(3) ? try reopen() : try closeIdle()
    }
  }

  private mutating func write(_ key: String) throws {
    number += 1
    let title = "\(number)"
    let expected = model.begin(key)
    if expected == nil {
      model.books[key, default: []].append(title)
      model.end(key)
    }
    expect(expected, code { try directory.write(key, addBook(title)) }, "write \(key)")
  }

  private mutating func read(_ key: String) throws {
    let expected = model.begin(key)
    if expected == nil { model.end(key) }
    let found = Log<[String]>()
    expect(expected, code { found.append(try directory.read(key, titles)) }, "read \(key)")
    #expect(found.elements == (expected == nil ? [model.books[key] ?? []] : []))
  }

  private mutating func lease(_ key: String) throws {
    let expected = model.begin(key)
    var leases = leases
    expect(expected, code { leases.append(try directory.lease(key)) }, "lease \(key)")
    self.leases = leases
  }

  private mutating func release(_ generator: inout SplitMix64) {
    guard !leases.isEmpty else { return }
    let lease = leases.remove(at: generator.below(leases.count))
    model.end(lease.key)
    lease.release()
  }

  private mutating func create(_ key: String) throws {
    var expected: DirectoryError.Code?
    if model.books[key] != nil {
      expected = .exists
    } else {
      // The file is made first: a creation that finds no slot leaves it.
      model.books[key] = []
      expected = model.begin(key)
      if expected == nil { model.end(key) }
    }
    expect(expected, code { try directory.create(key) }, "create \(key)")
  }

  private mutating func closeIdle() throws {
    model.idle = []
    try directory.closeIdleDatabases()
  }

  private mutating func reopen() throws {
    for lease in leases { model.end(lease.key) }
    leases = []
    try directory.close()
    model.idle = []
    directory = try makeDirectory(folder, options)
  }

  private func code(_ body: () throws -> Void) -> Result<DirectoryError.Code?, any Error> {
    do {
      try body()
      return .success(nil)
    } catch let error as DirectoryError {
      return .success(error.code)
    } catch {
      return .failure(error)
    }
  }

  private func expect(
    _ expected: DirectoryError.Code?, _ found: Result<DirectoryError.Code?, any Error>,
    _ operation: String
  ) {
    #expect(throws: Never.self, "\(operation)") { try found.get() }
    #expect((try? found.get()) == .some(expected), "\(operation)")
  }

  func check(_ comment: Comment) throws {
    #expect(directory.openKeys == model.openKeys, comment)
    #expect(directory.keysInUse == model.leaseCounts.keys.sorted(), comment)
    #expect(try directory.keys() == model.books.keys.sorted(), comment)
  }
}

import Foundation
import Quarry
import Testing

@testable import Sync

/// Two processes that change their copies and exchange letters, and are killed at random. In the
/// end, both copies are equal, and have all items that were reported as committed.
///
/// `SYNC_ROUNDS=1000 swift test` kills more often than the few times of the default.
@Suite(.serialized) struct KillTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["SYNC_ROUNDS"].flatMap { Int($0) } ?? 24

  /// The copies of two members, in a directory.
  private struct Household {
    let directory: URL
    let policy: Policy
    let members = ["ann", "bob"]
    /// The items that were reported as committed.
    private(set) var reported: Set<String> = []

    init(_ policy: Policy) throws {
      self.policy = policy
      directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("sync-\(UUID().uuidString)")
      let mail = directory.appendingPathComponent("mail")
      try FileManager.default.createDirectory(at: mail, withIntermediateDirectories: true)
    }

    func path(_ member: String) -> String {
      directory.appendingPathComponent("\(member).sqlite").path
    }

    private func start(_ command: String, _ member: String) throws -> Program {
      let other = members.first { $0 != member } ?? ""
      let arguments = [
        command, "--file", path(member), "--member", member, "--policy", policy.rawValue,
        "--mail", directory.appendingPathComponent("mail").path, "--with", other,
      ]
      return try Program(arguments, output: directory.appendingPathComponent("\(member).txt"))
    }

    /// Starts one or both, and kills them one after the other. Half of the times, one has committed
    /// an item before: on a busy machine, others may still be starting.
    mutating func kill() throws {
      let chosen = Int.random(in: 0..<3) == 0 ? [members.randomElement() ?? ""] : members
      let programs = try chosen.map { try start("shop", $0) }
      if Bool.random() { try waitForItem(of: programs[0]) }
      for program in programs.shuffled() {
        Thread.sleep(forTimeInterval: .random(in: 0.005...0.12))
        program.kill()
      }
      for program in programs {
        // The code of a program that has ended before is that of an error.
        let code = program.wait()
        let lines = try program.lines
        #expect(code == -SIGKILL, "\(lines.suffix(3))")
        reported.formUnion(lines.filter { $0.hasPrefix("kept") })
      }
    }

    private func waitForItem(of program: Program) throws {
      let end = Date(timeIntervalSinceNow: 30)
      while try Date() < end && !program.lines.contains(where: { $0.hasPrefix("kept") }) {
        Thread.sleep(forTimeInterval: 0.002)
      }
    }

    /// Exchanges letters until both have confirmed all.
    func settle() throws {
      for _ in 0..<1000 {
        let codes = try members.map { member in
          let program = try start("exchange", member)
          let code = program.wait()
          if code != 0 && code != 2 { Issue.record("\(code): \(try program.lines)") }
          return code
        }
        if codes == [0, 0] { return }
        try #require(codes.allSatisfy { $0 == 0 || $0 == 2 })
      }
      Issue.record("the members never have all")
    }

    func rows(_ member: String) throws -> [Row] {
      let queue = try DatabaseQueue(path: path(member))
      return try queue.read { db in
        let check = try String.fetchAll(db, sql: "PRAGMA integrity_check")
        #expect(check == ["ok"])
        try #expect(Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
        return try Row.fetchAll(db, sql: "SELECT * FROM store ORDER BY id")
          + Row.fetchAll(db, sql: "SELECT * FROM item ORDER BY id")
      }
    }

    func check() throws {
      let all = try members.map(rows)
      #expect(all[0] == all[1])
      let ids = Set(all[0].compactMap { $0["id"] as String? })
      #expect(reported.isSubset(of: ids), "\(reported.subtracting(ids)) are lost")
    }
  }

  @Test(arguments: Policy.allCases)
  func `copies whose processes are killed become equal, and lose nothing`(policy: Policy) throws {
    var household = try Household(policy)
    defer { try? FileManager.default.removeItem(at: household.directory) }
    for round in 1...Self.rounds {
      try household.kill()
      guard round.isMultiple(of: 8) || round == Self.rounds else { continue }
      try household.settle()
      try household.check()
    }
    #expect(!household.reported.isEmpty)
    print("\(policy): \(Self.rounds) rounds, \(household.reported.count) items")
  }
}

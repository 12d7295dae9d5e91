import CFaults
import Foundation

/// A file system of SQLite, over the one of the system, whose calls can be made to fail, and which
/// records what a power cut can lose.
///
/// Connections use it by the name in their path: see ``uri(_:)``. See
/// <https://www.sqlite.org/vfs.html>.
package final class FaultySystem: @unchecked Sendable {
  private static let count = Shared(0)

  private let name: String
  private let handle: OpaquePointer

  /// Registers a file system. A patient one is for files that other processes use, too.
  package init(isPatient: Bool = false) {
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    name = "quarry-faults-\(number)"
    guard let handle = quarry_faults_register(name, isPatient ? 1 : 0) else {
      fatalError("SQLite does not register the file system \(name)")
    }
    self.handle = handle
  }

  deinit { quarry_faults_unregister(handle) }

  /// The path of a file that a connection opens in this file system.
  package func uri(_ path: String) -> String { "file:\(path)?vfs=\(name)" }

  /// Counts calls from zero on, and has one of them fail.
  package func arm(_ fault: Fault?, at call: Int = 1) {
    quarry_faults_arm(handle, nil)
    quarry_memory_arm(0, 0)
    guard let fault else { return }
    if fault.operation == .allocation {
      return quarry_memory_arm(Int64(call), fault.isLasting ? 1 : 0)
    }
    var point = quarry_fault(
      operation: fault.operation.code, code: fault.code, call: Int64(call),
      is_lasting: fault.isLasting ? 1 : 0, is_half: fault.isHalf ? 1 : 0,
      file_types: fault.fileTypes)
    quarry_faults_arm(handle, &point)
  }

  /// How many calls have failed.
  package var struckCount: Int { Int(quarry_faults_struck(handle) + quarry_memory_struck()) }

  /// How many calls a fault could have struck.
  package func callCount(_ fault: Fault) -> Int {
    fault.operation == .allocation
      ? Int(quarry_memory_call_count())
      : Int(quarry_faults_call_count(handle, fault.operation.code, fault.fileTypes))
  }

  /// How many files are open.
  package var openFileCount: Int { Int(quarry_faults_open_file_count(handle)) }

  /// Records what happens to files from now on.
  func record() { quarry_faults_record(handle) }

  /// The number of recorded events.
  var eventCount: Int { Int(quarry_faults_event_count(handle)) }

  /// What happened to files since the recording began.
  func events() -> [FileEvent] {
    (0..<eventCount).map { FileEvent(quarry_faults_event(handle, Int32($0))) }
  }
}

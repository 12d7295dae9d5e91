import Counters
import Harness

/// A pass that runs inside of a C function with a name, which a profiler can be given.
final class ProfiledWork {
  private let work: () throws -> Pass.Outcome
  private var result: Result<Pass.Outcome, any Error>?

  init(_ work: @escaping () throws -> Pass.Outcome) {
    self.work = work
  }

  func run() throws -> Pass.Outcome {
    measured_pass(
      { context in
        guard let context else { return }
        let work = Unmanaged<ProfiledWork>.fromOpaque(context).takeUnretainedValue()
        work.result = Result { try work.work() }
      }, Unmanaged.passUnretained(self).toOpaque())
    guard let result else { throw Failure("the pass did not run") }
    return try result.get()
  }
}

public import Dispatch
import Foundation

/// Waits on a thread of its own: the tasks that signal need the threads of the test.
public func waitOnThread(for semaphore: DispatchSemaphore) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      semaphore.wait()
      continuation.resume()
    }
  }
}

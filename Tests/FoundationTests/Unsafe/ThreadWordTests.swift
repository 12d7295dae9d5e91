import Foundation
import Testing

@testable import Quarry

struct ThreadWordTests {
  @Test func `an identity fits into a word, and is not zero`() {
    #expect(MemoryLayout<pthread_t>.size == MemoryLayout<UInt>.size)
    #expect(ThreadIdentity.current.bits != 0)
  }

  @Test func `a thread finds itself, and no other one`() {
    let word = ThreadWord()
    #expect(word.isEmpty)
    #expect(!word.isCurrent)
    word.setCurrent()
    #expect(!word.isEmpty)
    #expect(word.isCurrent)

    let isEnded = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var isCurrentElsewhere = true
    Thread.detachNewThread {
      isCurrentElsewhere = word.isCurrent
      isEnded.signal()
    }
    isEnded.wait()
    #expect(!isCurrentElsewhere)

    word.clear()
    #expect(word.isEmpty)
    #expect(!word.isCurrent)
  }
}

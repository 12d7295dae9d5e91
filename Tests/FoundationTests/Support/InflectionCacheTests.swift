import Foundation
import Testing

@testable import Quarry

@Suite("Inflection cache")
struct InflectionCacheTests {
  @Test
  func `the cache gives the forms of the default inflections, however many names there are`() {
    for index in 0..<5_000 {
      #expect("thing\(index)x".pluralized == "thing\(index)xes")
    }
    #expect("book".pluralized == "books")
    #expect("book".pluralized == "books")
    #expect("books".singularized == "book")
  }

  @Test
  func `rules change while other threads ask for names`() async {
    // The rules are those of the process.
    await #expect(processExitsWith: .success) {
      let letters = "abcdefghij"
      let names = letters.flatMap { first in letters.map { "thing\(first)\($0)d" } }
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for name in names {
          if thread == 0 { Inflections.default.plural("^\(name)$", "\(name)ren") }
          let plural = name.pluralized
          precondition(plural == "\(name)ren" || thread != 0 && plural == "\(name)s")
          precondition("books".singularized == "book")
        }
      }
      for name in names { precondition(name.pluralized == "\(name)ren") }
    }
  }
}

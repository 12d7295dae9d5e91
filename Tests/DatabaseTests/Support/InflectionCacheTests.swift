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
}

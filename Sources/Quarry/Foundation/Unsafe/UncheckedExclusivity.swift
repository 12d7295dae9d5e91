// Unchecked exclusivity: the properties that say `@safe @exclusivity(unchecked)`.
//
// Swift checks at run time that no two accesses to a property of an object overlap, where it can't
// prove it.
//
// *Assumption*: the objects are used by one thread, the owner of the connection, and no access
// calls code of the application: what such code may change is read again after the call. So
// accesses don't overlap. *Check*: the tests run with the statement or the row that calls the
// application being used by it (`CallingStatementTests`, `ArgumentLiteralTests`, `LiveRowTests`),
// also under the address sanitizer. *Figure*: a check takes 38 to 84 instructions. Without the
// attributes, the lines of the benchmarks take more of them: `index` 18%, `key` 19%, `pairs` 28%,
// `children` 22%, `insert-statement` 33%, `insert-codable` 46%, `insert-encode` 52%.
//
// A property has the attribute if some line takes 0.3% more instructions without it. Most others
// have none: they are private, and the compiler proves that their accesses don't overlap.

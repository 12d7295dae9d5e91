// Unchecked exclusivity: the properties that say `@safe @exclusivity(unchecked)`.
//
// Swift checks at run time that no two accesses to a property of an object overlap, where it can't prove it.
//
// *Assumption*: the objects are used by one thread, the owner of the connection, and no access calls code of the
// application: what such code may change is read again after the call. So accesses don't overlap.
// *Check*: the tests run with the statement or the row that calls the application being used by it
// (`CallingStatementTests`, `ArgumentLiteralTests`, `LiveRowTests`), also under the address sanitizer.
// *Figure*: a check takes 84 instructions. Without the attributes of statements, rows and connections, a fetch by key takes
// 33 checks (2.4% of the benchmark line), and an insertion by statement 31 (5.5%).
//
// A property has the attribute where it is accessed for each row, column, or execution.

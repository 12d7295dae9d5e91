// Unchecked exclusivity: the properties that say `@safe @exclusivity(unchecked)`.
//
// Swift checks at run time that no two accesses to a property of an object overlap, where it can't prove it.
//
// *Assumption*: the objects are used by one thread, the owner of the connection, and no access calls code of the
// application: what such code may change is read again after the call. So accesses don't overlap.
// *Check*: the tests run with the statement or the row that calls the application being used by it
// (`CallingStatementTests`, `ArgumentLiteralTests`, `LiveRowTests`), also under the address sanitizer.
// *Figure*: a check takes 38 to 84 instructions. Without the attributes of statements, rows and batches, the benchmark line
// of narrow insertions by statement takes 19% more instructions, a narrow fetch by key 9%, and `Row.fetchAll` 9%.
//
// A property has the attribute where it is accessed for each row, column, or execution, and where the optimizer does not
// remove the check by itself: it does so for properties that no other module sees, and that no call changes in place.

import Quarry
import QuarryFunctions

// Functions of an application with the names of those that the library adds: the application's are
// called, and nothing is ambiguous.

struct Own {}

func date(_ value: some SQLSpecificExpressible) -> Own { Own() }
func time(_ value: any SQLExpressible) -> Own { Own() }
func strftime(_ format: String, _ value: some SQLSpecificExpressible) -> Own { Own() }
func unixEpoch(_ values: any SQLExpressible...) -> Own { Own() }
func round(_ value: some SQLSpecificExpressible, _ digits: Int) -> Own { Own() }
func sign<Value: SQLExpressible>(_ value: Value) -> Own { Own() }
func typeOf(_ value: Column) -> Own { Own() }
func lower(_ value: any SQLSpecificExpressible) -> Own { Own() }
func upper(_ value: some SQLExpressible) -> Own { Own() }
func hex(_ value: SQLExpression) -> Own { Own() }
func quote(_ value: (any SQLExpressible)?) -> Own { Own() }
func replace(
  _ value: some SQLExpressible, _ old: some SQLExpressible, _ new: some SQLExpressible
) -> Own { Own() }
func rank() -> Own { Own() }
func groupConcat(_ value: some SQLExpressible) -> Own { Own() }
/// The same parameters and result as the library's.
func trim(_ value: some SQLSpecificExpressible, _ characters: String) -> SQLExpression {
  SQL("TRIM(\(value), \(characters))").sqlExpression
}
func rowNumber() -> SQLExpression { SQL("ROW_NUMBER()").sqlExpression }

func ownFunctions(_ name: Column) {
  let results = (
    date(name), time(name), strftime("%Y", name), unixEpoch(name), round(name, 2), sign(name),
    typeOf(name), lower(name)
  )
  let _: (Own, Own, Own, Own, Own, Own, Own, Own) = results
  let others = (
    upper(name), hex(name + 1), quote(name), replace(name, "a", "b"), rank(), groupConcat(name)
  )
  let _: (Own, Own, Own, Own, Own, Own) = others
  _ = Book.order(trim(name, "x"), rowNumber()).filter { trim($0.title, " ") == "Emma" }
  // Others have the parameters that only they have.
  let theirs = (round(name), strftime("%Y", name, .day(1)), QuarryFunctions.lower(name))
  let _: (SQLExpression, SQLExpression, SQLExpression) = theirs
}

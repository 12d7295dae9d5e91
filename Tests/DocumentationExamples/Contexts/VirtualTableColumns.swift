struct Loan: Sendable {
  var isbn: String
  var start: Date
  var end: Date
  var days: Int
}
let loans: [Loan] = []

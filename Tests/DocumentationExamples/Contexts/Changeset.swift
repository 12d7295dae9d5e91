func recorded() -> Changeset { fatalError() }
let changeset = recorded()
let other = dbQueue

func recorded() -> Changeset { fatalError() }
let changeset = recorded()

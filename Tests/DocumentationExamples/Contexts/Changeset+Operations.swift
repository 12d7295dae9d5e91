func recorded() -> Changeset { fatalError() }
let (mine, theirs) = (recorded(), recorded())

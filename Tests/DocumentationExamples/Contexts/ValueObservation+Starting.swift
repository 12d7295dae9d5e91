let observation = ValueObservation.tracking { db in try Book.fetchAll(db) }
@Sendable func show(_ value: Any) {}
@Sendable func log(_ value: Any) {}
@Sendable func index(_ books: [Book]) {}
let queue = DispatchQueue(label: "library")

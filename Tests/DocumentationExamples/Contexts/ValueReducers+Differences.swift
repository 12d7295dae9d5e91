let observation = ValueObservation.tracking { db in try Player.fetchAll(db) }
@Sendable func show(_ value: Any) {}

let observation = ValueObservation.tracking { db in try Book.fetchAll(db) }

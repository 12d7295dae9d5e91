let observation = DatabaseRegionObservation(tracking: Book.all())

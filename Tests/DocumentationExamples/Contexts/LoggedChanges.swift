func received() -> ChangeBatch { fatalError() }
let batch = received()

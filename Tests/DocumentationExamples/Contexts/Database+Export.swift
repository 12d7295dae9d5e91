let (clear, encrypted) = (dbQueue, dbQueue)
let (clearPath, encryptedPath) = ("clear.sqlite", "encrypted.sqlite")

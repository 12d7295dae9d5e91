@Sendable func readersPassphrase() throws -> String { fatalError("no passphrase") }
var keychain = (passphrase: "", account: "")

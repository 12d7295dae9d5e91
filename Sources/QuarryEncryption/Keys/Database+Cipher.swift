import CSQLite
public import Quarry

extension Database {
  /// The version of SQLCipher, or nil where SQLite has no encryption.
  ///
  /// ```swift
  /// let version = try dbQueue.read { db in try db.cipherVersion }
  /// // "4.6.1 community"
  /// ```
  ///
  /// See <https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_version>.
  public var cipherVersion: String? { get throws { try cipherSetting("cipher_version") } }

  /// The library that encrypts, such as `openssl`. Nil where the connection has no passphrase.
  ///
  /// See <https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_provider>.
  public var cipherProvider: String? { get throws { try cipherSetting("cipher_provider") } }

  /// The version of the library that encrypts. Nil where the connection has no passphrase.
  ///
  /// See <https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_provider_version>.
  public var cipherProviderVersion: String? {
    get throws { try cipherSetting("cipher_provider_version") }
  }

  /// Whether the library that encrypts runs in the mode of FIPS 140-2. Nil where the connection has
  /// no passphrase.
  ///
  /// See <https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_fips_status>.
  public var cipherFIPSStatus: Bool? {
    get throws { try cipherSetting("cipher_fips_status").map { $0 == "1" } }
  }

  /// The settings of the cipher, as the statements that set them. Empty where the connection has no
  /// passphrase.
  ///
  /// ```swift
  /// // ["PRAGMA kdf_iter = 256000;", "PRAGMA cipher_page_size = 4096;", …]
  /// let settings = try dbQueue.read { db in try db.cipherSettings }
  /// ```
  ///
  /// See <https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_settings>.
  public var cipherSettings: [String] {
    get throws { try String.fetchAll(self, sql: "PRAGMA cipher_settings") }
  }

  /// Whether the connection encrypts the database.
  public var isEncrypted: Bool { get throws { try cipherSetting("cipher_salt") != nil } }

  private func cipherSetting(_ name: String) throws -> String? {
    try String.fetchOne(self, sql: "PRAGMA \(name)")
  }

  /// The open connection, where SQLite has encryption and executes the statements itself.
  func cipherConnection(_ function: String) throws -> SQLiteConnection {
    let connection = try unsafe requireConnection()
    try checkHasNoEngine("encryption")
    // A library with keys that are no ones of SQLCipher would accept them and write a clear file.
    guard quarry_has_keys() != 0, try cipherVersion != nil else {
      throw misuse(
        "`\(function)`: this SQLite has no encryption",
        "enable the trait `SQLCipher` of the package Quarry")
    }
    return unsafe connection
  }
}

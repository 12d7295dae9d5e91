struct Account: Codable, FetchableRecord, PersistableRecord { var balance: Int128 }

extension SQLTokens {
  /// A statement that creates a table, without the name of the table before columns:
  /// `CHECK (pages > 0)` for `CHECK (book.pages > 0)`. It means the same under another name.
  package static func unqualified(_ sql: String, by table: String) -> String {
    let items = placedItems(sql)
    let isDot = { (index: Int) in
      index < items.count && items[index].item == SQLItem.symbol(UInt8(ascii: "."))
    }
    // The columns begin after the name of the table itself.
    let body = items.firstIndex { $0.item == SQLItem.open } ?? items.count
    var bytes = Array(sql.utf8)
    for index in items.indices.dropLast(2).reversed()
    where index > body && isDot(index + 1) && !isDot(index + 3)
      && items[index].item.name?.isSameIdentifier(as: table) == true
    {
      // SQLite passes over the name of a schema before it.
      let start = isDot(index - 1) ? index - 2 : index
      bytes.removeSubrange(items[start].bytes.lowerBound..<items[index + 2].bytes.lowerBound)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
